"""Runs every operation on every system, in turn, and looks at the result outside the clock."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from bench.beside.systems import (
    CLEAN,
    CLONE,
    FIRST,
    FORGOTTEN,
    MODIFIED,
    ONE,
    OPERATIONS,
    PUSH,
    SWITCH,
    TEN,
    Command,
    System,
)
from bench.beside.trees import Tree, edit, write
from bench.measuring.figures import Figure, Sample, alternating, figure
from bench.measuring.process import OXY, timed, watched

EDITED: Final = {ONE: 1, TEN: 10, MODIFIED: 10}
"""How many files are edited before an operation."""
PATIENCE: Final = 30
"""Seconds; what takes longer is done once."""
AFTERWARDS: Final = "commit of one file, after {changes:,}"


class WrongError(Exception):
    """A system did not do what was measured."""

    def __init__(self, system: str, operation: str, why: str) -> None:
        super().__init__(f"{system}, {operation}: {why}")


class _Watched(NamedTuple):
    sample: Sample
    peak: float
    output: bytes


class Bench:
    """One tree, on some systems, in one place."""

    __slots__ = ("_place", "_tops", "_tree", "_versions", "systems")

    def __init__(
        self,
        place: str,
        tree: Tree,
        systems: Sequence[System],
        tops: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Begin with repositories that are there, or with `first_commits`.

        Args:
            place: a directory for what is made beside them.
            tree: what they hold.
            systems: what is measured.
            tops: the repository of each system, where there are such.
        """
        self._place = place
        self._tree = tree
        self._versions = 0
        self.systems = systems
        self._tops = dict(tops)

    def first_commits(self, rounds: int) -> dict[str, Figure]:
        """Return what the first commit took, each time in a new repository; keep the last.

        The round that is watched counts too, and is the only one of trees that are large.
        """
        peaks: dict[str, float] = {}
        samples: dict[str, list[Sample]] = {system.name: [] for system in self.systems}
        for number in range(1 if self._tree.is_large else rounds):
            for system in self.systems:
                top = self._made(system, number)
                if number:
                    samples[system.name].append(self._timed(system, FIRST, top))
                    continue
                seen = self._watched(system, FIRST, top)
                samples[system.name].append(seen.sample)
                peaks[system.name] = seen.peak
        for system in self.systems:
            for command in system.tidy:
                timed(command, self._tops[system.name])
        return {name: figure(taken, peaks[name]) for name, taken in samples.items()}

    def _made(self, system: System, number: int) -> str:
        """Write the tree into a new directory, and make the repository."""
        if number:
            self._removed(self._tops[system.name])
        top = os.path.join(self._place, f"{system.name}-{number}")
        os.makedirs(top)
        self._tops[system.name] = top
        write(top, self._tree)
        for command in system.setup:
            timed([word.format(top=top) for word in command], top)
        os.sync()
        return top

    def changes(self, count: int) -> dict[str, Figure]:
        """Record changes of one file one after the other; return what each took."""
        arms = {
            system.name: partial(self._timed, system, ONE, self._tops[system.name])
            for system in self.systems
        }
        taken = alternating(arms, count, partial(self._edited, 1))
        return {name: figure(samples, 0) for name, samples in taken.items()}

    def figures(self, operation: str, rounds: int) -> dict[str, Figure]:
        """Return what an operation took on each system that has it.

        Where the round that is watched takes too long, it is the only one.
        """
        arms = [system for system in self.systems if operation in system.operations]
        self._before(operation)
        seen: dict[str, _Watched] = {}
        for arm in arms:
            seen[arm.name] = self._watched(arm, operation, self._tops[arm.name])
            self._check(arm, operation, seen[arm.name].output)
        quick = {
            arm.name: partial(self._timed, arm, operation, self._tops[arm.name])
            for arm in arms
            if seen[arm.name].sample.seconds < PATIENCE
        }
        taken = alternating(quick, rounds if quick else 0, partial(self._before, operation))
        return {
            name: figure(taken.get(name) or [each.sample], each.peak)
            for name, each in seen.items()
        }

    def _before(self, operation: str) -> None:
        """Make what an operation needs, outside the clock, in every repository alike."""
        self._edited(EDITED.get(operation, 0))
        for system in self.systems:
            if operation == FORGOTTEN:
                for name in system.forget:
                    os.unlink(os.path.join(self._tops[system.name], name))
            elif operation == PUSH:
                remote = self._beside(system, "remote")
                self._removed(remote)
                os.makedirs(remote)
                for command in system.remote:
                    timed(command, remote)
            elif operation == CLONE:
                self._removed(self._beside(system, "other"))

    def _edited(self, count: int) -> None:
        """Edit files, others each time."""
        edited = self._tree.edited
        for number in range(min(count, len(edited))):
            self._versions += 1
            path = edited[number if count > 1 else self._versions % len(edited)]
            for top in self._tops.values():
                edit(top, path, self._versions)

    def _beside(self, system: System, what: str) -> str:
        return os.path.join(self._place, f"{system.name}-{what}")

    def _removed(self, path: str) -> None:
        shutil.rmtree(path, ignore_errors=True)
        with suppress(FileNotFoundError):
            os.unlink(f"{path}.fossil")

    def _words(self, system: System, operation: str, top: str) -> list[Command]:
        told = {
            "top": top,
            "other": self._beside(system, "other"),
            "remote": self._beside(system, "remote"),
            "hot": self._tree.hot,
        }
        commands = system.operations[operation]
        return [[word.format_map(told) for word in command] for command in commands]

    def _watched(self, system: System, operation: str, top: str) -> _Watched:
        """Do it once, and look at the memory."""
        codes = system.codes.get(operation, (0,))
        commands = self._words(system, operation, top)
        ran = [watched(words, top, codes=codes) for words in commands]
        seconds = sum(one.seconds for one in ran)
        processor = sum(one.processor for one in ran)
        peak = max(one.peak + one.children for one in ran)
        return _Watched(Sample(seconds, processor), peak, ran[-1].output)

    def _timed(self, system: System, operation: str, top: str) -> Sample:
        codes = system.codes.get(operation, (0,))
        ran = [timed(words, top, codes=codes) for words in self._words(system, operation, top)]
        return Sample(sum(one.seconds for one in ran), sum(one.processor for one in ran))

    def _check(self, system: System, operation: str, output: bytes) -> None:
        """Look at what was told or left.

        Raises:
            WrongError: it is not what was to be measured.
        """
        edited = self._tree.edited
        if operation in {CLEAN, MODIFIED, FORGOTTEN}:
            shown = sum(path.encode() in output for path in edited)
            if shown != (len(edited) if operation == MODIFIED else 0):
                raise WrongError(system.name, operation, f"{shown} files shown as modified")
        if operation == CLONE:
            other, top = self._beside(system, "other"), self._tops[system.name]
            for path in edited:
                if _read(other, path) != _read(top, path):
                    raise WrongError(system.name, operation, f"{path} differs")

    def settle(self) -> None:
        """Record what is left edited, so that what follows starts from a clean tree."""
        for system in self.systems:
            self._timed(system, TEN, self._tops[system.name])

    def mark_before(self) -> None:
        """Give the state before the last change a name, where there is no other for it."""
        for system in self.systems:
            if system.name == "oxy":
                top = self._tops[system.name]
                said = watched([*OXY, "log", "-n", "2", "--json"], top).output
                before = json.loads(said.splitlines()[-1])["id"]
                watched([*OXY, "bookmark", "before", before], top)


def _read(top: str, path: str) -> bytes:
    with open(os.path.join(top, path), "rb") as file:
        return file.read()


def run(
    bench: Bench,
    changes: int,
    rounds: int,
    only: Iterable[str] = OPERATIONS,
    tell: Callable[[Sequence[str]], None] = lambda _: None,
) -> dict[str, Mapping[str, Figure]]:
    """Return the figures of operations by system.

    Args:
        bench: the systems and the tree, in an empty directory.
        changes: how many changes of one file there are before anything but the first commit.
        rounds: how often what can be done again is done.
        only: the operations; the first commit is always done.
        tell: is told each operation as it begins.
    """
    wanted = {FIRST, *only}
    tell([FIRST])
    found: dict[str, Mapping[str, Figure]] = {FIRST: bench.first_commits(rounds)}
    if changes:
        operation = AFTERWARDS.format(changes=changes)
        tell([operation])
        found[operation] = bench.changes(changes)
    for operation in OPERATIONS[1:]:
        if operation not in wanted:
            continue
        if operation == SWITCH:
            bench.mark_before()
        tell([operation])
        found[operation] = bench.figures(operation, rounds)
        if operation == MODIFIED:
            bench.settle()
    return found
