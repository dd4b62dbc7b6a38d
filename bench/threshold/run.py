"""Runs the threshold bench at some sizes, and holds every row against its limits."""

import os
import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from bench.beside.bounds import bound
from bench.beside.operations import FIRST
from bench.measuring.asked import Found, recorded
from bench.measuring.figures import Figure, Sample, figure
from bench.measuring.record import LIBRARY, OK, Record, Row
from bench.threshold.built import Built, Taken, built
from bench.threshold.curves import CURVES
from bench.threshold.peer import beside
from bench.threshold.size import Size
from bench.threshold.steps import STEPS, Step, measured

UNSHOWN: Final = "\n\nDoes not show: cold disks; other systems."
QUESTION: Final = "Is every operation under its threshold, and its bound beside git?" + UNSHOWN
GROWING: Final = "What grows with files, what with changes, what with neither?" + UNSHOWN
ALL_FILES: Final = "commit of all files"
ONE_FILE: Final = "commit of one file, beyond the walk"
WHOLE_PEAK: Final = 200
"""MB that the whole run may take."""
_MS: Final = 1e3


def run(size: Size) -> Record:
    """Build the repository, and measure every row in the library and beside git."""
    return recorded("threshold", QUESTION, size.place, partial(_thresholds, size))


def grown(sizes: Sequence[Size]) -> Record:
    """Do the same in the library alone, at several sizes; return one record."""
    return recorded("growth", GROWING, sizes[0].place, partial(_growth, sizes))


def is_ok(record: Record) -> bool:
    """Whether every row is under its limits, and the memory of the whole run."""
    return record.peak <= WHOLE_PEAK and all(row.verdict == OK for row in record.rows)


def _thresholds(size: Size, place: str) -> Found:
    made = os.path.join(place, "oxy")
    found = _library(size, made, STEPS)
    peers = {step.name: step.peer for step in STEPS if step.peer} | {ALL_FILES: FIRST}
    figures = beside(place, size, peers.values())
    rows = [_beside(row, peers.get(row.operation, ""), figures) for row in found]
    peak = _peak(rows)
    note = f"The library had {peak:.0f} MB of {WHOLE_PEAK} at its most."
    return Found(rows, [note], peak)


def _growth(sizes: Sequence[Size], place: str) -> Found:
    rows = [
        row
        for size in sizes
        for row in _library(
            size, os.path.join(place, f"{size.files}-{size.changes}"), (*STEPS, *CURVES)
        )
    ]
    return Found(rows, (), _peak(rows))


def _peak(rows: Sequence[Row]) -> float:
    """Return the most that a step took in this process; what peers took is not counted."""
    return max(row.figures[LIBRARY].peak for row in rows if LIBRARY in row.figures)


def _library(size: Size, top: str, steps: Sequence[Step]) -> list[Row]:
    """Build the repository and measure every row in this process."""
    os.makedirs(top)
    rows = _commits(built(top, size))
    rows += [
        _row(step.name, step.threshold, [(one, one.sample) for one in measured(step, top)])
        for step in steps
    ]
    sizes = {"files": size.files, "changes": size.changes}
    return [row._replace(sizes=sizes) for row in rows]


def _commits(made: Built) -> list[Row]:
    first = _row(ALL_FILES, 2.5, [(made.first, made.first.sample)])
    each = [one.beyond.seconds * _MS for one in made.later]
    tenth = max(1, len(each) // 10)
    mean = _row(ONE_FILE, 0.025, [(one, one.beyond) for one in made.later])
    later = mean.figures[LIBRARY]._replace(median=statistics.fmean(each) / _MS)
    facts = dict(mean.facts) | {
        "first tenth ms": statistics.fmean(each[:tenth]),
        "last tenth ms": statistics.fmean(each[-tenth:]),
    }
    return [first, mean._replace(figures={LIBRARY: later}, facts=facts)]


def _row(name: str, threshold: float | None, rounds: Sequence[tuple[Taken, Sample]]) -> Row:
    figures: dict[str, Figure] = {}
    facts: dict[str, float] = {}
    if rounds:
        peak = max(one.peak for one, _ in rounds)
        figures[LIBRARY] = figure([sample for _, sample in rounds], peak)
        walk = statistics.median(one.walk for one, _ in rounds)
        facts = {"walk ms": walk * _MS} if walk else {}
    return Row(name, "flat", {}, figures, threshold=threshold, memory=WHOLE_PEAK, facts=facts)


def _beside(row: Row, peer: str, found: Mapping[str, Mapping[str, Figure]]) -> Row:
    """Add what the processes took."""
    figures = dict(row.figures) | dict(found.get(peer, {}))
    return row._replace(figures=figures, bound=bound(peer, row.sizes["files"]))
