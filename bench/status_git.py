"""How long does `oxy status` take in 10,000 files, clean and with 10 modified, against git's?

Bound: at most 3 times `git status`. Both run in turn, as whole processes; medians.
"""

import os
import statistics
import subprocess
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Final

from bench.measuring.process import OXY, environment
from bench.measuring.report import machine, table

A_DIRECTORY: Final = 100
"""Files in each directory."""
MODIFIED: Final = 10
BOUND: Final = 3


def filled(top: str, files: int) -> list[str]:
    """Write files of some lines in directories of two levels; return their paths."""
    paths = []
    for number in range(files):
        group, name = divmod(number, A_DIRECTORY)
        above = os.path.join(top, f"part{group // 10}", f"group{group % 10}")
        os.makedirs(above, exist_ok=True)
        path = os.path.join(above, f"file{name}.txt")
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"line {line} of file {number}\n" for line in range(20))
        paths.append(path)
    return paths


def called(command: Sequence[str], where: str) -> tuple[float, bytes]:
    """Run a command; return its seconds and what it wrote."""
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=where, capture_output=True, check=True, env=environment()
    )
    return time.perf_counter() - start, done.stdout


def prepared(top: str, files: int) -> tuple[dict[str, str], list[str]]:
    """Make the same tree twice, recorded by each; return where they are, and all files."""
    places = {name: os.path.join(top, name) for name in ("oxy", "git")}
    paths = [path for place in places.values() for path in filled(place, files)]
    identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "all"]):
        called(["git", *command], places["git"])
    for command in (["init"], ["commit", "-m", "all"]):
        called([*OXY, *command], places["oxy"])
    return places, paths


def medians(places: dict[str, str], rounds: int, expected: int) -> dict[str, float]:
    """Return the median seconds of each one's status, after one round that is not counted."""
    commands = {
        "oxy": [*OXY, "status"],
        "git": ["git", "status", "--porcelain"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds + 1):
        for name, command in commands.items():
            seconds, said = called(command, places[name])
            times[name].append(seconds)
            assert said.count(b"file") == expected or not expected, said
    return {name: statistics.median(taken[1:]) for name, taken in times.items()}


def main() -> None:
    """Measure and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, metavar="N")
    parser.add_argument("--rounds", type=int, default=15, metavar="N")
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as top:
        places, paths = prepared(top, args.files)
        for modified in (0, MODIFIED):
            step = max(1, args.files // MODIFIED)
            for path in paths[::step] if modified else []:
                with open(path, "a", encoding="ascii") as file:
                    file.write("one more\n")
            found = medians(places, args.rounds, modified)
            cells = [f"{found[name] * 1e3:.0f}" for name in ("oxy", "git")]
            what = f"{modified} modified" if modified else "clean"
            rows.append([what, *cells, f"{found['oxy'] / found['git']:.2f}", str(BOUND)])
    print(
        table([f"status of {args.files:,} files", "oxy ms", "git ms", "ratio", "bound"], rows)
    )
    print(f"\n{args.rounds} rounds in turn, medians; {machine()}.")


if __name__ == "__main__":
    main()
