"""What a crash may leave of a command, and whether the next one finds what it has to (T21)."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, NoReturn

from oxy.cli.main import main
from oxy.errors import OxyError
from oxy.repo.refs import TAG
from oxy.repo.repository import opened
from oxy.store.protocol import OPERATION
from tests.builders.crashcases import Answer, Case, Site
from tests.builders.disk import (
    Deed,
    Disk,
    Fate,
    Said,
    after,
    dropped,
    half,
    is_data,
    pending,
    torn,
    zeroed,
)
from tests.builders.recorded import Recording, record
from tests.builders.tree import File, Tree
from tests.builders.tree import held as files_in
from tests.builders.wanderer import Held, held

PARTS: Final[tuple[Fate, ...]] = (zeroed, torn, half)
FATES: Final[tuple[Fate, ...]] = (dropped, *PARTS)
TEMPORARY: Final = ".oxy-tmp"
NO_REPOSITORY: Final = (2, 3, 4)
"""What a command answers where a repository is not there, or was not made to its end."""


class State(NamedTuple):
    """What may be left: after how many deeds, what became of each, and the disk.

    `is_done` tells that the command had said that it did what it was to do; `is_kept` that all
    its writes reached the disk, as when it is killed and the machine goes on.
    """

    deeds: int
    fates: Mapping[int, str]
    disk: Disk
    is_done: bool
    is_kept: bool


class BrokenPromiseError(Exception):
    """After a crash something is not as it was promised."""


def broken(what: str) -> NoReturn:
    """Say that something is not as it was promised."""
    raise BrokenPromiseError(what)


def recorded(site: Site, case: Case) -> Recording:
    """Run a case from its beginning and return what it did."""
    case.prepare(site)
    words = site.words(case.words)
    found = record(site.root, lambda: main(words), site.heard)
    assert found.code == 0, (case.name, found.said)
    # A command that says nothing says that it is done by its exit code.
    return found._replace(deeds=(*found.deeds, Said(b"")))


def free(recording: Recording) -> set[int]:
    """Return the nodes that are not looked at: locks, which say who holds them to people."""
    last = after(recording.before, recording.deeds, {})
    return {
        node
        for names in chain(recording.before.names.values(), last.names.values())
        for name, node in names.items()
        if name == "lock"
    }


def plans(deeds: Sequence[Deed], undecided: Sequence[int]) -> Iterator[dict[int, Fate]]:
    """Yield what may become of the deeds that were not made durable.

    All kept; all, all bytes or all names lost; all bytes but the lengths lost, or torn; of each
    deed alone each part lost; each alone kept; each and all behind it lost; each two lost.
    """
    data = [at for at in undecided if is_data(deeds[at])]
    names = [at for at in undecided if not is_data(deeds[at])]
    yield {}
    for group in (undecided, data, names):
        yield dict.fromkeys(group, dropped)
    for fate in PARTS:
        yield dict.fromkeys(data, fate)
    for at in undecided:
        yield {at: dropped}
        yield {other: dropped for other in undecided if other != at}
        yield {other: dropped for other in undecided if other > at}
    for at in data:
        for fate in PARTS:
            yield {at: fate}
            yield {
                other: fate if other == at else dropped for other in undecided if other >= at
            }
    for couple in combinations(undecided, 2):
        yield dict.fromkeys(couple, dropped)


def states(recording: Recording) -> Iterator[State]:
    """Yield each state that differs from those before, for a crash after each deed."""
    ignored = free(recording)
    seen: set[tuple[bytes, bool]] = set()
    for count in range(len(recording.deeds) + 1):
        undecided = pending(recording.deeds[:count], ignored)
        for fates in plans(recording.deeds, undecided):
            state = left(recording, count, fates)
            key = state.disk.digest(), state.is_done
            if key not in seen:
                seen.add(key)
                yield state


def some_states(recording: Recording, random: Random, most: int) -> Iterator[State]:
    """Yield some states at random, of which each third is that of a killed process.

    Among them are such in which anything became of each deed.
    """
    ignored = free(recording)
    seen: set[tuple[bytes, bool]] = set()
    for _ in range(4 * most):
        count = random.randint(0, len(recording.deeds))
        undecided = pending(recording.deeds[:count], ignored)
        odds = random.random()
        fates = {at: random.choice(FATES) for at in undecided if random.random() < odds}
        if random.random() < 2 / 3:
            fates = random.choice([{}, *plans(recording.deeds, undecided)])
        state = left(recording, count, fates)
        key = state.disk.digest(), state.is_done
        if key not in seen:
            seen.add(key)
            yield state
        if len(seen) == most:
            return


def left(recording: Recording, count: int, fates: Mapping[int, Fate]) -> State:
    """Return what is left after some deeds."""
    done = recording.deeds[:count]
    disk = after(recording.before, done, fates)
    is_done = any(isinstance(deed, Said) for deed in done)
    named = {at: fate.__name__ for at, fate in fates.items()}
    return State(count, named, disk, is_done, not fates)


class Known(NamedTuple):
    """What a repository is known by: its operations, what its names hold, and its files."""

    operations: tuple[bytes, ...]
    names: Held
    tags: tuple[bytes, ...]
    files: Tree


def known(root: Path) -> Known | None:
    """Return what is there, None where there is no repository that can be opened."""
    try:
        with opened(os.fsencode(root)) as repository:
            store = repository.store
            operations = store.ids_of(OPERATION, range(1, store.count(OPERATION) + 1))
            tags = tuple(name for name, _ in repository.refs.all(TAG))
            return Known(tuple(operations), held(repository), tags, files_in(root))
    except OxyError:
        return None


def is_like(now: Known, then: Known, *, is_again: bool) -> bool:
    """Tell whether the same operations were done, and names hold the same."""
    is_same = now.operations == then.operations
    if is_again:
        is_same = len(now.operations) == len(then.operations)
    return is_same and (now.names, now.tags) == (then.names, then.tags)


class Judge:
    """Tells of each state that a case may leave whether the promises hold."""

    def __init__(self, site: Site, case: Case) -> None:
        self.site = site
        self.case = case
        self.recording = recorded(site, case)
        self.roots = (site.here, site.there)
        self.after = {root: known(root) for root in self.roots}
        self.shown = site.run("status", "--json").out
        self.recording.before.put(site.root)
        self.before = {root: known(root) for root in self.roots}

    def judge(self, state: State, *, is_again: bool = False) -> None:
        """Let the next commands run.

        Args:
            state: what a crash left.
            is_again: it is a crash of what followed another: operations have other times.

        Raises:
            BrokenPromiseError: one of them does not do what it has to.
        """
        state.disk.put(self.site.root)
        found = dict(self.found())
        for root, now in found.items():
            if self.case.is_gradual:
                self.begun(state, root, now, is_again=is_again)
            else:
                self.one_or_other(state, root, now, is_again=is_again)
        self.proven(state)
        self.said(state, found)
        self.ended(state, found)
        for root in self.roots:
            self.like_after(state, root)
        self.works()

    def recovery(self, state: State) -> Recording:
        """Return what the next command did after a crash."""
        state.disk.put(self.site.root)

        def next_command() -> int:
            found = dict(self.found())
            is_undone = all(self.is_before(root, now) for root, now in found.items())
            words = self.case.words if is_undone else ("status",)
            return main(self.site.words(words))

        return record(self.site.root, next_command, self.site.heard)

    def recovered(self, state: State, random: Random, most: int) -> Iterator[State]:
        """Yield some of what a crash in the middle of that leaves."""
        for again in some_states(self.recovery(state), random, most):
            yield again._replace(is_done=state.is_done, is_kept=state.is_kept and again.is_kept)

    def run(self, *words: str, codes: tuple[int, ...] = (0,)) -> Answer:
        answer = self.site.run(*words)
        if answer.code not in codes:
            broken(f"{' '.join(words)}: {answer}")
        return answer

    def one_or_other(
        self, state: State, root: Path, now: Known | None, *, is_again: bool
    ) -> None:
        """The names are as before or as after; as after if that was said."""
        before, then = self.before[root], self.after[root]
        if (now is None) != (then is None):
            broken(f"{root.name} cannot be opened")
        if now is None or then is None or before is None:
            return
        allowed = [then] if state.is_done else [before, then]
        like = [each for each in allowed if is_like(now, each, is_again=is_again)]
        if not like:
            broken(f"{root.name} has {len(now.operations)} operations, or other names")

    def begun(self, state: State, root: Path, now: Known | None, *, is_again: bool) -> None:
        """What was being made has come to one of its steps."""
        then, before = self.after[root], self.before[root]
        if now is None or then is None:
            if then is not None and (state.is_done or before is not None):
                broken(f"{root.name} is not there")
            return
        count = len(now.operations)
        if state.is_done and count != len(then.operations):
            broken(f"{root.name} has {count} operations")
        if not is_again and now.operations != then.operations[:count]:
            broken(f"{root.name} has others of {count} operations")
        if before is not None and count < len(before.operations):
            broken(f"{root.name} has lost operations")

    def proven(self, state: State) -> None:
        """Nothing is damaged."""
        codes = (0, *NO_REPOSITORY) if self.case.is_gradual and not state.is_done else (0,)
        for root, then in self.after.items():
            if then is not None and (root.is_dir() or not self.case.is_gradual):
                self.run("-C", str(root), "fsck", codes=codes)

    def said(self, state: State, found: Mapping[Path, Known | None]) -> None:
        """What was said to be done shows, also what only a note says."""
        if state.is_done and not self.moves_names() and found == self.after:
            shown = self.run("status", "--json").out
            if shown != self.shown:
                broken(f"status was {self.shown} and is {shown}")

    def ended(self, state: State, found: Mapping[Path, Known | None]) -> None:
        """What was interrupted is ended as `status` says; what was not done is done again."""
        if self.case.is_gradual:
            self.made(found)
            return
        told: dict[str, object] = json.loads(self.run("status", "--json").out)
        if "interrupted" in told:
            self.run("switch", str(told["interrupted"]))
            if self.is_reached():
                return
        if self.moves_names():
            self.repeated(state, found)
        elif found != self.after and not state.is_done:
            self.site.run(*self.case.words)

    def repeated(self, state: State, found: Mapping[Path, Known | None]) -> None:
        """What was not done, or half of it, is done by the same words."""
        if all(self.is_before(root, now) for root, now in found.items()):
            self.run(*self.case.words)
        elif self.case.is_repeated and not state.is_done:
            self.run(*self.case.words, codes=(0, 1))
        elif self.case.leads and not self.has_files():
            self.run(*self.case.leads)
            self.run(*self.case.words)

    def found(self) -> Iterator[tuple[Path, Known | None]]:
        """Yield what each repository holds now."""
        for root in self.roots:
            yield root, known(root)

    def has_files(self) -> bool:
        """Tell whether the files are what they are to be."""
        then = self.after[self.site.here]
        return then is not None and files_in(self.site.here) == then.files

    def is_reached(self) -> bool:
        """Tell whether some other operation has made the names what they are to be."""
        found = dict(self.found())
        return not all(self.is_before(root, now) for root, now in found.items()) and all(
            now is None or then is None or (now.names, now.tags) == (then.names, then.tags)
            for now, then in zip(found.values(), self.after.values(), strict=True)
        )

    def is_before(self, root: Path, now: Known | None) -> bool:
        """Tell whether a repository has no operation more than it had."""
        before = self.before[root]
        return now is None or before is None or now.operations == before.operations

    def moves_names(self) -> bool:
        """Tell whether the case is one that appends an operation."""
        return not all(self.is_before(root, now) for root, now in self.after.items())

    def made(self, found: Mapping[Path, Known | None]) -> None:
        """What was not made to its end is made by the same words, or by those that lead on."""
        if all(found[root] == self.after[root] for root in self.roots):
            return
        answer = self.site.run(*self.case.words)
        if answer.code and self.case.leads:
            again = self.site.run(*self.case.leads)
            if again.code:
                broken(f"it is not made again: {answer}, {again}")
        elif answer.code and not self.is_made():
            broken(f"it is not made again: {answer}")

    def is_made(self) -> bool:
        """Tell whether all operations were done, whatever power took of the files."""
        return all(
            now == then or (now and then and is_like(now, then, is_again=True))
            for now, then in zip(dict(self.found()).values(), self.after.values(), strict=True)
        )

    def like_after(self, state: State, root: Path) -> None:
        """Names hold what they hold after the command, and so do the files."""
        now, then = known(root), self.after[root]
        if now is None or then is None:
            if then is not None:
                broken(f"{root.name} cannot be opened")
            return
        if (now.names, now.tags) != (then.names, then.tags):
            broken(f"the names of {root.name} hold something else in the end")
        self.same_files(state, root, now.files, then.files)

    def same_files(self, state: State, root: Path, now: Tree, then: Tree) -> None:
        """The files are those after the command; power may take what the store has as well."""
        differ = [path for path in now.keys() | then.keys() if now.get(path) != then.get(path)]
        leftover = [path for path in differ if path.rpartition("/")[2].startswith(TEMPORARY)]
        lost = [
            path
            for path in differ
            if path not in leftover and not self.may_be(state, root, path, now.get(path))
        ]
        back = sorted(path for path in lost if path in then)
        away = sorted({*lost, *leftover} - then.keys())
        if back:
            self.run("-C", str(root), "discard", *back, codes=(0, 1))
        if away:
            self.run("-C", str(root), "clean", codes=(0, 1))
            if any(os.path.lexists(root / path) for path in away):
                broken(f"what was left stays: {away}")

    def may_be(self, state: State, root: Path, path: str, file: File | None) -> bool:
        """Tell whether a file is as before; else the store has what power took of it."""
        before = self.before[root]
        is_as_before = before is not None and file == before.files.get(path)
        if root == self.site.here and path in self.case.precious and not is_as_before:
            broken(f"the edit in {path} is lost: {file}")
        if state.is_kept:
            broken(f"{path} is {file}")
        return is_as_before

    def works(self) -> None:
        """Recording goes on, and nothing is damaged."""
        here = self.site.here
        with suppress(FileExistsError):
            here.mkdir()
        (here / "probe").write_bytes(b"probe\n")
        self.run("commit", "-m", "Probe")
        self.run("fsck")
