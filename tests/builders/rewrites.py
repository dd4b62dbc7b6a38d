"""Random repositories with merges, and random rewrites of their changes."""

from collections.abc import Callable, Collection
from random import Random
from typing import NamedTuple

from pyroaring import BitMap

from oxy.actions import reorder
from oxy.actions.doings import doings
from oxy.actions.fold import folding
from oxy.actions.split import NoPartError, Wish, dividing
from oxy.repo.repository import Repository
from oxy.repo.rewriting.engine import Rewritten, rewrite
from oxy.repo.rewriting.parts import take_apart
from oxy.repo.rewriting.steps import Plan, Step
from oxy.repo.states import Name
from oxy.repo.writing import Writing, writing
from oxy.worktree.hunks import WHOLE, Pick
from tests.builders.scribe import STAMP, File, Scribe

PATHS = (b"a", b"d/b", b"d/c")


Edits = tuple[dict[bytes, File | None], dict[bytes, bytes], dict[bytes, bytes]]
"""Files as they are to be, files that move, directories that move."""


class World:
    """A repository in which random changes were recorded on random states."""

    def __init__(self, draws: Random, changes: int, letters: str = "abcdefgh") -> None:
        self.random = draws
        self.repository = Repository.in_memory()
        self.scribe = Scribe(self.repository)
        self.letters = letters
        self.states: list[Name] = []
        self.state = Name()
        for _ in range(changes):
            self.step()
        some = self.random.sample(self.states, min(2, len(self.states)))
        self.state = self.repository.states.join((self.states[-1], *some))

    def step(self) -> None:
        """Record something on the newest state, on another, or on several together."""
        how = self.random.random()
        some: list[Name] = []
        if self.states:
            some = [self.states[-1]] if how < 0.6 else self.random.choices(self.states, k=2)
        context = self.repository.states.join(tuple(some))
        recording = self.scribe.commit(context, *self.edits(context))
        self.states.append(self.repository.states.name_of_change(recording.number))

    def edits(self, context: Name) -> Edits:
        """Return what to do to files of a state: edits, new ones, a deletion, moves."""
        there = self.scribe.paths(context)
        directory = self.directory(there)
        if directory is not None:
            return {}, {}, {directory: directory + b"y"}
        files: dict[bytes, File | None] = {}
        free = [path for path in PATHS if path not in there]
        if not there or (free and self.random.random() < 0.3):
            files[self.random.choice(free or [b"e"])] = File(self.text(6))
        for path in sorted(there):
            if self.random.random() < 0.7:
                files[path] = self.edited(self.scribe.text(path, context))
            if self.random.random() < 0.05:
                files[path] = None
        moves: dict[bytes, bytes] = {}
        if there and not any(file is None for file in files.values()):
            path = self.random.choice(sorted(there))
            target = path + b"x"
            if self.random.random() < 0.1 and target not in there:
                moves[path] = target
                files.setdefault(path, File(self.scribe.text(path, context)))
        return files, moves, {}

    def directory(self, there: Collection[bytes]) -> bytes | None:
        """Return a directory that is to move, sometimes."""
        tops = {path.partition(b"/")[0] for path in there if b"/" in path}
        free = sorted(top for top in tops if top + b"y" not in tops)
        return self.random.choice(free) if free and self.random.random() < 0.08 else None

    def text(self, most: int) -> bytes:
        lines = self.random.choices(self.letters, k=self.random.randint(0, most))
        return "".join(line + "\n" for line in lines).encode()

    def edited(self, data: bytes) -> File:
        lines = data.splitlines(keepends=True)
        for _ in range(self.random.randint(1, 2)):
            start = self.random.randint(0, len(lines))
            end = self.random.randint(start, min(len(lines), start + 2))
            lines[start:end] = self.text(2).splitlines(keepends=True)
        text = b"".join(lines[:14])
        if text and self.random.random() < 0.1:
            text = text.removesuffix(b"\n")
        if text == data:
            text += b"more\n"
        return File(text, mode=int(self.random.random() < 0.1))

    def members(self) -> BitMap:
        return self.repository.states.members(self.state)


class Rewrite(NamedTuple):
    """What a rewrite came to: the state that was meant, in old terms, and what was made."""

    meant: Name
    plan: Plan
    done: Rewritten


Make = Callable[[World, Writing], Plan]


def reworded(world: World, _work: Writing) -> Plan:
    change = world.random.choice(list(world.members()))
    return Plan(world.state, (Step((change,), change, message=b"said better"),))


def folded(world: World, _work: Writing) -> Plan:
    members = list(world.members())
    some = sorted(world.random.sample(members, min(len(members), world.random.randint(2, 3))))
    at = world.random.choice(some)
    return folding(world.repository, world.state, tuple(some), at, None)


def amended(world: World, work: Writing) -> Plan:
    change = world.random.choice(list(world.members()))
    own = world.scribe.write(work, world.state, *world.edits(world.state)).number
    return folding(world.repository, world.state, (change, own), change, None)


def spread(world: World, work: Writing) -> Plan:
    """Fold into each of two changes one that was recorded on the state beside the other."""
    members = sorted(world.members())
    steps = []
    for change in sorted(world.random.sample(members, 2)):
        own = world.scribe.write(work, world.state, *world.edits(world.state)).number
        steps.append(Step((change, own), change, silent=frozenset({own})))
    return Plan(world.state, tuple(steps))


def reordered(world: World, _work: Writing) -> Plan:
    members = list(world.members())
    one, other = world.random.sample(members, 2)
    make = world.random.choice((reorder.before, reorder.after))
    return make(world.repository, world.state, one, other)


def halved(world: World, work: Writing) -> Plan:
    change = world.random.choice(list(world.members()))
    keys = list(take_apart(world.repository, change).parts)
    first = frozenset(world.random.sample(keys, world.random.randint(0, len(keys))))
    rest = frozenset(keys) - first
    if not first or not rest:
        return reworded(world, work)
    steps = (
        Step((change,), change, keys=first),
        Step((change,), change, keys=rest, after=(0,)),
    )
    return Plan(world.state, steps)


def divided(world: World, work: Writing) -> Plan:
    change = world.random.choice(list(world.members()))
    every = [
        Pick(hunk.number, part)
        for doing in doings(world.repository, change)
        for hunk in doing.file.hunks
        for part in range(1, len(hunk.edits) + 1) or (WHOLE,)
    ]
    picks = world.random.sample(every, world.random.randint(0, len(every)))
    try:
        wish = Wish(b"", choose=lambda _: picks)
        return dividing(world.repository, world.state, change, wish)
    except NoPartError:
        return reworded(world, work)


MAKERS: tuple[Make, ...] = (reworded, folded, amended, spread, reordered, halved, divided)


def apply(world: World, make: Make) -> Rewrite:
    """Rewrite, and go on with what came of it."""
    states = world.repository.states
    with writing(world.repository, STAMP, "fast") as work:
        plan = make(world, work)
        done = rewrite(work, plan)
    every = BitMap(world.members())
    for step in plan.steps:
        every |= BitMap(step.sources)
    meant = states.name_of(every)
    world.state = done.state
    return Rewrite(meant, plan, done)
