"""Runs every operation on every system, in turn, and looks at the result outside the clock."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from bench.beside import branches
from bench.beside.checks import Places, Told, wrong_in
from bench.beside.operations import (
    BOOKMARKS,
    BRANCHED,
    CLONE,
    FIRST,
    FORGOTTEN,
    MODIFIED,
    NAMED,
    OBJECTS,
    ONE,
    OPERATIONS,
    PULL,
    PUSH,
    PUSHED,
    SWITCH,
    TAKING,
    TEN,
)
from bench.beside.system import Command, System
from bench.beside.trees import Tree, edit, write
from bench.measuring.figures import Figure, Sample, alternating, figure
from bench.measuring.process import OXY, timed, watched

EDITED: Final = {ONE: 1, NAMED: 1, TEN: 10, MODIFIED: 10, PULL: 1}
"""How many files are edited before an operation."""
GONE: Final = {PUSH: "remote", CLONE: "other", OBJECTS: "scratch"}
"""What must not be there yet beside a repository."""
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

    __slots__ = (
        "_changes",
        "_path",
        "_place",
        "_ready",
        "_tops",
        "_tree",
        "_versions",
        "systems",
    )

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
        self._changes = 0
        self._path = tree.hot
        self._ready: set[str] = set()
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
        self._changes += count
        return {name: figure(samples, 0) for name, samples in taken.items()}

    def figures(self, operation: str, rounds: int) -> dict[str, Figure]:
        """Return what an operation took on each system that has it.

        Where the round that is watched takes too long, it is the only one.
        """
        arms = [system for system in self.systems if operation in system.operations]
        self._once(operation)
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
        if operation in BRANCHED:
            self._gone(operation)
        self._edited(EDITED.get(operation, 0))
        for system in self.systems:
            top = self._tops[system.name]
            if operation in GONE:
                self._removed(self._beside(system, GONE[operation]))
            if operation == FORGOTTEN:
                branches.forget(top, system.forget)
            elif operation == PUSH:
                remote = self._beside(system, "remote")
                os.makedirs(remote)
                branches.done(system.remote, remote, {})
            elif operation == PULL:
                branches.done(system.operations[ONE], top, {})

    def _once(self, operation: str) -> None:
        """Make what an operation needs, and those after it use too."""
        for system in self.systems:
            top = self._tops[system.name]
            branches.done(system.ready.get(operation, ()), top, {})
            if operation == BOOKMARKS and operation in system.operations:
                branches.bookmarked(system, self._beside(system, "many"))
            elif operation in BRANCHED and not self._ready & BRANCHED:
                branches.lay(system, top, self._tree, self._beside(system, "behind"))
        self._ready.add(operation)

    def _gone(self, operation: str) -> None:
        """Go to where an operation begins: a new branch for what takes, else the first."""
        self._versions += operation in TAKING
        for system in self.systems:
            top = self._tops[system.name]
            if operation in TAKING:
                branches.begin(system, top, f"round-{self._versions}", branches.BASE)
            else:
                branches.home(system, top)

    def _edited(self, count: int) -> None:
        """Edit files, others each time."""
        edited = self._tree.edited
        for number in range(min(count, len(edited))):
            self._versions += 1
            path = edited[number if count > 1 else self._versions % len(edited)]
            self._path = path
            for top in self._tops.values():
                edit(top, path, self._versions)

    def _beside(self, system: System, what: str) -> str:
        return os.path.join(self._place, f"{system.name}-{what}")

    def _removed(self, path: str) -> None:
        shutil.rmtree(path, ignore_errors=True)
        for file in (path, f"{path}.fossil"):
            with suppress(FileNotFoundError):
                os.unlink(file)

    def _words(self, system: System, operation: str, top: str) -> list[Command]:
        told = {
            "top": top,
            "other": self._beside(system, "other"),
            "remote": self._beside(system, "remote"),
            "behind": self._beside(system, "behind"),
            "many": self._beside(system, "many"),
            "scratch": self._beside(system, "scratch"),
            "hot": self._tree.hot,
            "path": self._path,
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
        top = self._tops[system.name]
        places = Places(top, self._beside(system, "other"), self._beside(system, "behind"))
        wrong = wrong_in(operation, places, self._tree, Told(output, self._changes))
        if wrong:
            raise WrongError(system.name, operation, wrong)

    def has(self, operation: str) -> bool:
        """Whether the tree has what an operation needs."""
        return operation not in BRANCHED or branches.can_branch(self._tree)

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
    if PUSHED in wanted:
        wanted.add(PUSH)
    tell([FIRST])
    found: dict[str, Mapping[str, Figure]] = {FIRST: bench.first_commits(rounds)}
    if changes:
        operation = AFTERWARDS.format(changes=changes)
        tell([operation])
        found[operation] = bench.changes(changes)
    for operation in OPERATIONS[1:]:
        if operation not in wanted or not bench.has(operation):
            continue
        if operation == SWITCH:
            bench.mark_before()
        tell([operation])
        found[operation] = bench.figures(operation, rounds)
        if operation == MODIFIED:
            bench.settle()
    return found
