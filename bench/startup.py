"""What does a command cost before it does its work, against a bare start of the interpreter?

Bounds: `oxy version` at most 2 times a bare start, any other command at most 3.5 times.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 40
OXY = str(Path(sys.executable).parent / "oxy")
BARE = "bare start"
COMMANDS = {
    BARE: [sys.executable, "-I", "-c", "pass"],
    "oxy version": [OXY, "version"],
    "oxy version -h": [OXY, "version", "-h"],
    "oxy --json version": [OXY, "--json", "version"],
}


def seconds(command: list[str]) -> float:
    """Return how long one run takes."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Run the commands in turn, so that a busy moment meets all of them, and print medians."""
    for command in COMMANDS.values():
        seconds(command)
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            times[name].append(seconds(command))
    bare = statistics.median(times[BARE])
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:<20}{median * 1e3:8.1f} ms{median / bare:8.2f} x")


if __name__ == "__main__":
    main()
