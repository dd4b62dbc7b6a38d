"""Compares two revisions: `python -m bench ab REV [OTHER] NAME… [--runs N] [OPTION…]`.

Both are checked out beside each other, with the benches of this tree, so that only what is
measured differs. They run in turn, nine times each and every second round backwards; what is
compared is the median of the medians. Without OTHER it is HEAD. Exits 1 where something
drifted.
"""

import os
import shutil
import statistics
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from subprocess import run as run_process
from typing import Final

from bench.compare import TOLERANCE, compared, read
from bench.measuring.asked import tell
from bench.measuring.figures import Figure
from bench.measuring.process import ROOT
from bench.measuring.record import Record, Row
from bench.measuring.source import git
from bench.scenarios import SCENARIOS

RUNS: Final = 9
OURS: Final = ("bench", "tests/builders", "tests/cases", "tests/naive")
"""What both sides take from this tree: what measures, and what makes what is measured."""


@contextmanager
def checked_out(revision: str, place: str) -> Iterator[str]:
    """Check a revision out for the length of a `with` block, with the benches of this tree."""
    git(str(ROOT), "worktree", "add", "--detach", "--force", place, revision)
    try:
        for name in OURS:
            shutil.rmtree(os.path.join(place, name), ignore_errors=True)
            shutil.copytree(ROOT / name, os.path.join(place, name))
        yield place
    finally:
        git(str(ROOT), "worktree", "remove", "--force", place)


def one_run(place: str, words: Sequence[str], results: str) -> dict[str, Record]:
    """Run benches in a tree, and return their records."""
    told = {**os.environ, "PYTHONPATH": place}
    command = [sys.executable, "-m", "bench", *words, "--results", results]
    run_process(command, check=True, cwd=place, env=told, capture_output=True)
    return read(results)


def alternated(
    sides: Sequence[str], words: Sequence[str], runs: int
) -> list[list[dict[str, Record]]]:
    """Return the records of each side, which run in turn."""
    found: list[list[dict[str, Record]]] = [[] for _ in sides]
    for number in range(runs):
        order = range(len(sides))
        for side in reversed(order) if number % 2 else order:
            tell([f"round {number + 1}, side {side + 1}"])
            with tempfile.TemporaryDirectory() as results:
                found[side].append(one_run(sides[side], words, results))
    return found


def together(runs: Sequence[dict[str, Record]]) -> dict[str, Record]:
    """Return some runs as one, whose figures are the medians of theirs."""
    first = runs[0]
    return {
        name: record._replace(
            rows=[_row([run[name].rows[at] for run in runs]) for at in range(len(record.rows))]
        )
        for name, record in first.items()
    }


def _row(rows: Sequence[Row]) -> Row:
    names = rows[0].figures
    figures = {name: _figure([row.figures[name] for row in rows]) for name in names}
    facts = {
        name: statistics.median(row.facts.get(name, 0) for row in rows)
        for name in rows[0].facts
    }
    return rows[0]._replace(figures=figures, facts=facts)


def _figure(figures: Sequence[Figure]) -> Figure:
    return Figure(
        statistics.median(each.median for each in figures),
        min(each.median for each in figures),
        max(each.median for each in figures),
        statistics.median(each.processor for each in figures),
        statistics.median(each.peak for each in figures),
        sum(each.rounds for each in figures),
    )


def main(words: Sequence[str]) -> int:
    """Measure and tell; return the exit code."""
    reads = ArgumentParser(prog="bench ab", description=__doc__)
    reads.add_argument("revision", metavar="REV")
    reads.add_argument("names", nargs="+", metavar="[OTHER] NAME")
    reads.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"of each ({RUNS})")
    reads.add_argument("--tolerance", type=float, default=TOLERANCE, metavar="SHARE")
    args, rest = reads.parse_known_args(words)
    names: list[str] = args.names
    other = names.pop(0) if names[0] not in {*SCENARIOS, "all"} else "HEAD"
    with tempfile.TemporaryDirectory(prefix="oxy-bench-ab-") as place:
        one, two = (os.path.join(place, name) for name in ("one", "two"))
        with checked_out(args.revision, one), checked_out(other, two):
            old, new = alternated((one, two), [*names, *rest], args.runs)
    found = compared(together(old), together(new), args.tolerance)
    for drift in found:
        print(drift)
    print(f"{args.revision} and {other}, {args.runs} runs of each: {len(found)} drifted")
    return 1 if found else 0
