"""One operation on several arms: set-up and check outside the clock, arms in turn.

What takes microseconds is repeated within a sample until that is long enough for the clock;
what changes what it works on is made ready before each time, and runs once a sample.
"""

import gc
import os
import resource
import shutil
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from bench.measuring.asked import Found, asked, conclude, parser, recorded, tell
from bench.measuring.figures import Figure, Sample, alternating, figure
from bench.measuring.process import OXY, timed
from bench.measuring.record import NOTHING, OURS, PEER, Row

ENOUGH: Final = 0.005
"""Seconds that a sample lasts at least, where the work can be repeated."""
MOST: Final = 1 << 20
PERCENT: Final = 100
STARTS: Final = 5
KB: Final = 1e3
MB: Final = 1e6
MS: Final = 1e3


def nothing() -> None:
    """Do nothing: what needs no check or no making ready."""


class Arm(NamedTuple):
    """How one system does an operation.

    Attributes:
        work: does it once; what it returns is dropped.
        before: makes it ready, outside the clock; None where the work can be repeated as it is.
        leaves: the file or directory that it leaves behind, whose size is told.
    """

    work: Callable[[], object]
    before: Callable[[], object] | None = None
    leaves: str = ""


class Setting(NamedTuple):
    """An operation that is ready to be measured.

    Attributes:
        operation: what is done.
        material: what it is done on.
        sizes: how much of it, by name.
        arms: who does it, by name.
        check: raises where a result is wrong; called once all was measured.
        against: the arm that ratios are told against.
        of: the arm that ratios are of; see `Row`.
        facts: what else is to be told.
        data: the bytes that pass through each arm, if how fast they do is to be told.
    """

    operation: str
    material: str
    sizes: Mapping[str, int]
    arms: Mapping[str, Arm]
    check: Callable[[], object] = nothing
    against: str = PEER
    of: str = ""
    facts: Mapping[str, float] = NOTHING
    data: int = 0


class Place(NamedTuple):
    """A directory of one's own, and the share of the full sizes that is asked for."""

    top: str
    percent: int

    def share(self, count: int, least: int = 1) -> int:
        """Return as much of a full size as is asked for."""
        return max(least, min(count, count * self.percent // PERCENT))

    def path(self, name: str) -> str:
        """Return a path in the directory."""
        return os.path.join(self.top, name)


class Case(NamedTuple):
    """What `--only` names: makes settings, each when the one before was measured."""

    name: str
    settings: Callable[[Place], Iterator[Setting]]


def once(work: Callable[[], object]) -> Sample:
    """Return what one call took, with the processes that it waited for."""
    return _spent(work, 1)


def _spent(work: Callable[[], object], loops: int) -> Sample:
    gc.disable()
    try:
        spent, start = _processor(), time.perf_counter()
        for _ in range(loops):
            work()
        seconds = time.perf_counter() - start
        return Sample(seconds / loops, (_processor() - spent) / loops)
    finally:
        gc.enable()


def _processor() -> float:
    """Return the seconds of this process, all its threads, and of its children that ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def _loops(arm: Arm, enough: float) -> int:
    """Return how often work is repeated, so that a sample lasts long enough."""
    if arm.before is not None:
        return 1
    loops = 1
    while _spent(arm.work, loops).seconds * loops < enough and loops < MOST:
        loops *= 2
    return loops


def _sample(arm: Arm, loops: int) -> Sample:
    if arm.before is not None:
        arm.before()
    return _spent(arm.work, loops)


def row_of(setting: Setting, rounds: int) -> Row:
    """Measure an operation, and check what came of it."""
    enough = ENOUGH if rounds > 1 else 0.0
    arms = {
        name: partial(_sample, arm, _loops(arm, enough)) for name, arm in setting.arms.items()
    }
    gc.collect()
    taken = alternating(arms, rounds)
    figures: dict[str, Figure] = {name: figure(taken[name], 0) for name in setting.arms}
    setting.check()
    facts = {**setting.facts, **_rates(figures, setting.data), **_left(setting.arms)}
    return Row(
        setting.operation,
        setting.material,
        setting.sizes,
        figures,
        against=setting.against,
        facts=facts,
        of=setting.of,
    )


def _rates(figures: Mapping[str, Figure], data: int) -> dict[str, float]:
    """Return how fast data passed through each arm."""
    if not data:
        return {}
    return {f"{name} MB/s": data / MB / each.median for name, each in figures.items()}


def _left(arms: Mapping[str, Arm]) -> dict[str, float]:
    """Return what each arm leaves on the disk."""
    return {
        f"{name} left KB": size_of(arm.leaves) / KB for name, arm in arms.items() if arm.leaves
    }


def size_of(path: str) -> int:
    """Return the bytes of a file, or of all files in a directory."""
    if not os.path.isdir(path):
        return os.lstat(path).st_size
    return sum(
        os.lstat(os.path.join(above, name)).st_size
        for above, _, names in os.walk(path)
        for name in names
    )


def run_cases(
    name: str, told: str | None, cases: Sequence[Case], notes: Sequence[str] = ()
) -> None:
    """Measure all that is asked for, in directories that go when it was measured.

    Args:
        name: of the bench.
        told: its docstring.
        cases: what there is to measure.
        notes: what belongs under the table.
    """
    names = [case.name for case in cases]
    reads = parser(told, size=PERCENT, counts="percent of each size", iters=9, names=names)
    said = asked(reads.parse_args())

    def measure(top: str) -> Found:
        rows: list[Row] = []
        for case in cases:
            if said.wants(case.name):
                tell([case.name])
                rows += rows_of(case, Place(os.path.join(top, "case"), said.size), said.iters)
        return Found(rows, [*notes, *_starts(rows, top)])

    conclude(recorded(name, told, said.place, measure), said.json)


def _starts(rows: Sequence[Row], top: str) -> list[str]:
    """Return what a start of those arms takes that are whole processes."""
    starts = {PEER: ("git", "version"), OURS: (*OXY, "version")}
    notes: list[str] = []
    for name, words in starts.items():
        if any(name in row.figures for row in rows):
            took = statistics.median(timed(words, top).seconds for _ in range(STARTS))
            notes.append(
                f"*{name}* is a process: its start alone takes {took * MS:.3g} ms here."
            )
    return notes


def rows_of(case: Case, place: Place, rounds: int) -> list[Row]:
    """Measure one case in a new directory."""
    os.makedirs(place.top)
    try:
        return [row_of(setting, rounds) for setting in case.settings(place)]
    finally:
        shutil.rmtree(place.top, ignore_errors=True)
