"""What does a command cost before it does its work, against a bare start of the interpreter?

Bounds: `oxy version` at most 2 times a bare start, any other command at most 3.5 times. Of the
others only what stands before the work is run: the command line, the verb's module with all
that it loads, and the reading of its arguments. Processor time of whole processes, medians.
"""

import statistics
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from bench.measuring.process import OXY, timed
from bench.measuring.report import machine, table
from oxy.cli.commands import COMMANDS, Table

BARE: Final = "bare start"
BEFORE: Final = (
    "import oxy.cli.main, oxy.cli.reading, {0}\noxy.cli.reading.read({0}.configure, [])"
)
VERSION_BOUND: Final = 2.0
BOUND: Final = 3.5


def verbs(rows: Table, above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the module of every verb, those in groups too."""
    for name, (module, *_) in rows.items():
        group: Table | None = getattr(import_module(module), "COMMANDS", None)
        if group is None:
            yield f"oxy {above}{name}", module
        else:
            yield from verbs(group, f"{name} ")


def commands() -> dict[str, list[str]]:
    """Return what is run, by what it is called in the table."""
    found = {BARE: [sys.executable, "-I", "-c", "pass"], "oxy version": [*OXY, "version"]}
    for name, module in verbs(COMMANDS):
        if name not in found:
            found[name] = [sys.executable, "-P", "-c", BEFORE.format(module)]
    return found


def main() -> None:
    """Run the commands in turn, so that a busy moment meets all of them, and print medians."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, metavar="N")
    args = parser.parse_args()
    times: dict[str, list[float]] = {name: [] for name in commands()}
    with tempfile.TemporaryDirectory() as nowhere:
        for turn in range(args.rounds + 1):
            for name, command in commands().items():
                seconds = timed(command, nowhere).processor
                times[name] += [seconds] if turn else []
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    rows = []
    for name, median in sorted(medians.items(), key=lambda row: row[1]):
        bound = VERSION_BOUND if name == "oxy version" else BOUND
        ratio = median / medians[BARE]
        met = "ok" if ratio <= bound else "over"
        rows.append([name, f"{median * 1e3:.1f}", f"{ratio:.2f}", f"{bound}", met])
    print(table(["", "ms", "bare starts", "bound", ""], rows))
    print(f"\n{args.rounds} rounds in turn, medians; {machine()}.")


if __name__ == "__main__":
    main()
