"""Runs every operation on every system, in turn."""

import json
import os
import shutil
import statistics
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from bench.beside.systems import OPERATIONS, System
from bench.beside.trees import Tree, edit, write
from bench.measuring.process import OXY, timed, watched

ONCE: Final = frozenset({"first commit"})
"""What is measured once for each repository."""


ENOUGH: Final = 4
"""Rounds that have quarters."""


class _Watched(NamedTuple):
    seconds: float
    processor: float
    peak: float


class Figure(NamedTuple):
    """What an operation took on a system: seconds, processor seconds, the peak in MB.

    `low` and `high` are the quarters of the seconds, or the least and the most of few rounds.
    """

    seconds: float
    low: float
    high: float
    processor: float
    peak: float
    rounds: int


class Bench:
    """One tree, on some systems, in one place."""

    __slots__ = ("_place", "_tree", "_versions", "systems", "tops")

    def __init__(self, place: str, tree: Tree, systems: Sequence[System]) -> None:
        self._place = place
        self._tree = tree
        self._versions = 0
        self.systems = systems
        self.tops = {system.name: os.path.join(place, system.name) for system in systems}

    def prepare(self) -> None:
        """Write the tree for each system, and make its repository."""
        for system in self.systems:
            top = self.tops[system.name]
            os.makedirs(top)
            write(top, self._tree)
            system.setup(top)

    def figures(self, operation: str, rounds: int) -> dict[str, Figure]:
        """Return what an operation took on each system that has it."""
        arms = [system for system in self.systems if operation in system.operations]
        self._before(operation)
        watched_rows = {arm.name: self._watched(arm, operation) for arm in arms}
        peaks = {name: row.peak for name, row in watched_rows.items()}
        if operation in ONCE:
            return {name: _figure([row[:2]], row.peak) for name, row in watched_rows.items()}
        taken: dict[str, list[tuple[float, float]]] = {arm.name: [] for arm in arms}
        for number in range(rounds):
            self._before(operation)
            for arm in arms if number % 2 else reversed(arms):
                taken[arm.name].append(self._timed(arm, operation))
        return {name: _figure(rows, peaks[name]) for name, rows in taken.items()}

    def _before(self, operation: str) -> None:
        """Make what an operation needs, outside the clock, in every repository alike."""
        self._versions += 1
        count = {"commit of one file": 1, "commit of 10 files": 10, "status, 10 modified": 10}
        for top in self.tops.values():
            for path in self._tree.edited[: count.get(operation, 0)]:
                edit(top, path, self._versions)

    def _words(self, system: System, operation: str) -> list[list[str]]:
        top = self.tops[system.name]
        other = os.path.join(self._place, f"{system.name}-clone")
        shutil.rmtree(other, ignore_errors=True)
        with suppress(FileNotFoundError):
            os.unlink(f"{other}.fossil")
        told = {"top": top, "other": other, "file": self._tree.edited[0], "hot": self._tree.hot}
        commands = system.operations[operation]
        return [[word.format_map(told) for word in command] for command in commands]

    def _watched(self, system: System, operation: str) -> _Watched:
        """Do it once, and look at the memory."""
        top = self.tops[system.name]
        ran = [watched(words, top) for words in self._words(system, operation)]
        peak = max(one.peak + one.children for one in ran)
        return _Watched(
            sum(one.seconds for one in ran), sum(one.processor for one in ran), peak
        )

    def _timed(self, system: System, operation: str) -> tuple[float, float]:
        top = self.tops[system.name]
        ran = [timed(words, top) for words in self._words(system, operation)]
        return sum(one.seconds for one in ran), sum(one.processor for one in ran)

    def settle(self) -> None:
        """Record what is left edited, so that what follows starts from a clean tree."""
        for system in self.systems:
            for command in system.operations["commit of 10 files"]:
                watched(command, self.tops[system.name], codes=(0, 1))

    def mark_before(self) -> None:
        """Give the state before the last change a name, where there is no other for it."""
        for system in self.systems:
            if system.name == "oxy":
                top = self.tops[system.name]
                said = watched([*OXY, "log", "-n", "2", "--json"], top).output
                before = json.loads(said.splitlines()[-1])["id"]
                watched([*OXY, "bookmark", "before", before], top)


def _figure(rows: Sequence[tuple[float, float]], peak: float) -> Figure:
    seconds = sorted(row[0] for row in rows)
    low, high = seconds[0], seconds[-1]
    if len(seconds) >= ENOUGH:
        low, _, high = statistics.quantiles(seconds, n=4)
    processor = statistics.median(row[1] for row in rows)
    return Figure(statistics.median(seconds), low, high, processor, peak, len(rows))


def run(
    place: str,
    tree: Tree,
    systems: Sequence[System],
    rounds: int,
    only: Iterable[str] = OPERATIONS,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, dict[str, Figure]]:
    """Return the figures of operations by system.

    Args:
        place: an empty directory.
        tree: what the repositories hold.
        systems: which systems.
        rounds: how often what can be done again is done.
        only: the operations; the first commit is always done.
        tell: is told each operation as it begins.
    """
    bench = Bench(place, tree, systems)
    bench.prepare()
    found: dict[str, dict[str, Figure]] = {}
    for operation in OPERATIONS:
        if operation not in ONCE and operation not in only:
            continue
        if operation == "switch across one change":
            bench.mark_before()
        tell(operation)
        found[operation] = bench.figures(operation, rounds)
        if operation == "status, 10 modified":
            bench.settle()
    return found
