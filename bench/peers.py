"""The same operations on oxy, git, Mercurial and Fossil, in turn, as whole processes.

Every system that is installed is measured on files of its own; durability: git with
core.fsync=all, oxy `safe`, the others as they come, which is less. `hg` and `fossil` have no
durability to ask for. Peak memory is that of the largest process and those that it started.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from argparse import ArgumentParser

from bench.beside.run import Figure, run
from bench.beside.systems import OPERATIONS, installed, version_of
from bench.beside.trees import Tree, deep, flat, heavy, like_source, long, wide
from bench.measuring.report import machine, table
from bench.threshold.size import RAM, RamDiskError, file_system

TREES = {"wide": wide, "deep": deep, "heavy": heavy, "long": long, "source": like_source}


def main() -> None:
    """Measure and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1_000, metavar="N")
    parser.add_argument("--tree", choices=("flat", *TREES), default="flat")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--dir", default=tempfile.gettempdir())
    parser.add_argument("--only", action="append", choices=OPERATIONS, metavar="OPERATION")
    parser.add_argument("--systems", default="oxy,git,hg,fossil")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    args = parser.parse_args()
    if file_system(args.dir) in RAM:
        raise RamDiskError(args.dir)
    tree = flat(args.files) if args.tree == "flat" else TREES[args.tree]()
    systems = [system for system in installed() if system.name in args.systems.split(",")]
    place = tempfile.mkdtemp(prefix="oxy-peers-", dir=args.dir)
    try:
        found = run(
            place,
            tree,
            systems,
            args.rounds,
            args.only or OPERATIONS,
            lambda operation: print(operation, file=sys.stderr),
        )
    finally:
        shutil.rmtree(place, ignore_errors=True)
    names = [system.name for system in systems]
    print(shown(tree, names, found))
    versions = "; ".join(version_of(system) for system in systems)
    print(f"\nMedians of {args.rounds} rounds in turn; {machine()}; {versions}.")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            file.write(record(tree, found, versions))


def shown(tree: Tree, names: list[str], found: dict[str, dict[str, Figure]]) -> str:
    """Return the figures as a table: milliseconds, the ratio to git, and the peaks in MB."""
    head = [tree.name, *(f"{name} ms" for name in names), "of git", *(f"{n} MB" for n in names)]
    rows = []
    for operation, figures in found.items():
        ms = [_cell(figures.get(name), 1e3, "seconds") for name in names]
        peaks = [_cell(figures.get(name), 1, "peak") for name in names]
        ours, theirs = figures.get("oxy"), figures.get("git")
        ratio = f"{ours.seconds / theirs.seconds:.2f}" if ours and theirs else ""
        rows.append([operation, *ms, ratio, *peaks])
    return table(head, rows)


def _cell(figure: Figure | None, unit: float, field: str) -> str:
    if figure is None:
        return "-"
    if field == "peak":
        return f"{figure.peak:.0f}" if figure.peak else "too short"
    spread = (figure.high - figure.low) / 2 * unit
    return f"{figure.seconds * unit:.0f} ± {spread:.0f}"


def record(tree: Tree, found: dict[str, dict[str, Figure]], versions: str) -> str:
    """Return the figures as JSON."""
    facts = {
        "tree": tree.name,
        "date": time.strftime("%Y-%m-%d"),
        "machine": machine(),
        "versions": versions,
        "load": os.getloadavg(),
        "operations": {
            operation: {name: figure._asdict() for name, figure in figures.items()}
            for operation, figures in found.items()
        },
    }
    return json.dumps(facts, indent=2) + "\n"


if __name__ == "__main__":
    main()
