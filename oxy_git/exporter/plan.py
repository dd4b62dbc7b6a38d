"""Which commits an export needs, and from which each descends (spec: git-bridge, GB33, GB34).

A change is a commit whose tree is that of the change's state. Where lines of work meet and
nothing was recorded, a merge commit stands for the state that unites them. A state in conflict
has no tree: what was recorded in it is folded into the commit that comes after.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from pyroaring import BitMap

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import disputed
from oxy.repo.trees import tree_of


class Step(NamedTuple):
    """A commit to be.

    Attributes:
        name: the state whose tree it has.
        change: the change that it is, 0 where it stands for a state that is of none.
        parents: the states whose commits are its parents.
        folded: changes in it that are in no commit of their own.
    """

    name: Name
    change: int
    parents: tuple[Name, ...]
    folded: tuple[int, ...] = ()


class Changes(Protocol):
    """A set of changes, perhaps one that looks for each when it is asked for."""

    def __contains__(self, change: int, /) -> bool:
        """Return whether a change is in it."""


class Planner:
    """Finds the commits of states.

    Args:
        repository: the states' repository.
        imported: the changes that Git's own commits became; their states are in no conflict.
        is_there: tells of a state that its commit is there already, with all beneath it, so
            that nothing beneath is planned.
    """

    __slots__ = ("_clean", "_imported", "_is_there", "_repository", "_steps")

    def __init__(
        self,
        repository: Repository,
        imported: Changes,
        is_there: Callable[[Name], bool] = lambda _: False,
    ) -> None:
        self._repository = repository
        self._imported = imported
        self._is_there = is_there
        self._steps: dict[Name, Step] = {}
        self._clean: dict[Name, bool] = {}

    def steps(self, targets: Iterable[Name]) -> list[Step]:
        """Return the commits that lead to states, parents first.

        Cost: a look at each change of the states; for those that are of no import, their trees.
        """
        work = [parent for target in targets for parent in self.standing(target)]
        while work:
            name = work.pop()
            if name not in self._steps:
                step = self._steps[name] = self._step(name)
                work += step.parents
        return sorted(self._steps.values(), key=self._place)

    def _place(self, step: Step) -> tuple[int, int, Name]:
        newest = step.change or self._repository.states.members(step.name).max()
        return newest, not step.change, step.name

    def standing(self, name: Name) -> tuple[Name, ...]:
        """Return the states with commits that a state stands on; itself where it has one.

        None of them has all that another has. Cost: a look at the state, and at what is beneath
        it while that is in conflict.
        """
        found: dict[Name, None] = {}
        work = [name]
        while work:
            at = work.pop()
            if not at.heads:
                continue
            if self.is_clean(at):
                found[at] = None
            else:
                work += reversed(self._beneath(at))
        return self._apart(list(found))

    def is_clean(self, name: Name) -> bool:
        """Return whether nothing in a state is in conflict."""
        found = self._clean.get(name)
        if found is None:
            change = self.change_of(name)
            found = change in self._imported or not next(
                disputed(tree_of(self._repository, name)), None
            )
            self._clean[name] = found
        return found

    def change_of(self, name: Name) -> int:
        """Return the change whose state this is, or 0."""
        states = self._repository.states
        if len(name.heads) == 1 and name == states.name_of_change(name.heads[0]):
            return name.heads[0]
        return 0

    def _beneath(self, name: Name) -> list[Name]:
        """Return what a state was made of: what a change was recorded on, or its parts."""
        change = self.change_of(name)
        if change:
            return [self._repository.states.link(change).context]
        return self._parts(name)

    def _parts(self, name: Name) -> list[Name]:
        """Return the states of changes that a state wholly has, the largest first.

        A state can lack what one of its changes was recorded on; then that change is no part,
        but what is beneath it.
        """
        states = self._repository.states
        members = states.members(name)
        parts: dict[int, None] = {}
        seen: set[int] = set()
        work = list(name.heads)
        while work:
            change = work.pop()
            if change in seen or change not in members:
                continue
            seen.add(change)
            if states.of_change(change) <= members:
                parts[change] = None
            else:
                work += states.link(change).named
        rank = self._repository.nodes.rank
        order = sorted(parts, key=lambda c: (-len(states.of_change(c)), rank(c)))
        return list(map(states.name_of_change, order))

    def _apart(self, names: list[Name]) -> tuple[Name, ...]:
        """Return the states without those that others of them contain."""
        if len(names) < 2:  # noqa: PLR2004 - one is alone
            return tuple(names)
        members = [self._repository.states.members(name) for name in names]
        return tuple(
            name
            for name, own in zip(names, members, strict=True)
            if not any(own < other for other in members)
        )

    def _step(self, name: Name) -> Step:
        states = self._repository.states
        change = self.change_of(name)
        if self._is_there(name):
            return Step(name, change, ())
        if change:
            context = states.link(change).context
            if change in self._imported and self._are_imported(context):
                return Step(name, change, tuple(map(states.name_of_change, context.heads)))
            parents = self.standing(context)
        else:
            parents = self._apart(
                [at for part in self._parts(name) for at in self.standing(part)]
            )
        own = BitMap(states.members(name))
        own.discard(change)
        for parent in parents:
            own -= states.members(parent)
        return Step(name, change, parents, tuple(own))

    def _are_imported(self, context: Name) -> bool:
        return not context.absent and all(head in self._imported for head in context.heads)
