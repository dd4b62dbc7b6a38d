"""What verifying each commit takes, planned before it is done (spec: git-bridge, GB29, GB57).

A plan needs states only, so what it asks for can be worked out ahead, in other processes.
"""

from collections.abc import Iterator
from typing import NamedTuple

from pyroaring import BitMap

from oxy.repo.repository import Repository
from oxy_git.verify.history import History, Imported
from oxy_git.verify.replay import Plan, Replayer


class Task(NamedTuple):
    """One commit that is to be verified.

    Attributes:
        item: the commit.
        plan: what its tree is worked out of; None where commits of oxy are beneath it.
        sides: the changes whose trees the plan begins with, the first first.
        is_leap: whether that tree is of no parent: of whatever commit came before, if any.
        is_union: whether its state is the union of its parents' and its change.
        last: the changes whose trees nobody wants after this.
        is_wanted: whether its own tree is.
    """

    item: Imported
    plan: Plan | None
    sides: tuple[int, ...]
    is_leap: bool
    is_union: bool
    last: tuple[int, ...]
    is_wanted: bool


class Planner:
    """Plans commits in the order of their changes."""

    __slots__ = ("_before", "_children", "_chosen", "_held", "_history", "_replayer", "_states")

    def __init__(
        self, repository: Repository, history: History, replayer: Replayer, chosen: BitMap
    ) -> None:
        """Plan the chosen imports only."""
        self._states = repository.states
        self._history = history
        self._replayer = replayer
        self._chosen = chosen
        self._children = history.children_among(chosen)
        self._held: set[int] = set()
        self._before: int | None = None

    def tasks(self) -> Iterator[Task]:
        """Yield what is to be done, parents first."""
        for item in self._history.imported(self._chosen):
            state = self._states.of_change(item.change)
            if state <= self._history.changes:
                yield self._task(item, state)
            else:
                yield Task(
                    item, None, (), is_leap=False, is_union=True, last=(), is_wanted=False
                )

    def _task(self, item: Imported, state: BitMap) -> Task:
        numbers = self._history.numbers
        oids = dict.fromkeys(item.commit.parents)
        parents = [numbers.get(oid) for oid in oids if oid not in item.partial.parents]
        sides = tuple(parent for parent in parents if parent is not None)
        states = [self._states.of_change(parent) for parent in sides]
        is_union = len(sides) == len(parents)
        is_union = is_union and BitMap([item.change]).union(*states) == state
        is_leap = not is_union or not self._held.issuperset(sides)
        if is_leap:
            sides = () if self._before is None else (self._before,)
            known = self._states.of_change(sides[0]) if sides else BitMap()
            plan = self._replayer.leap(state, known)
        else:
            plan = self._replayer.plan(item.change, state, states)
        self._before = item.change
        last = tuple(self._done_with(oids))
        is_wanted = item.oid in self._children
        if is_wanted:
            self._held.add(item.change)
        return Task(item, plan, sides, is_leap, is_union, last, is_wanted)

    def _done_with(self, parents: dict[bytes, None]) -> Iterator[int]:
        """Yield the parents that have no children to come."""
        for oid in parents:
            self._children[oid] -= 1
            number = self._history.numbers.get(oid)
            if not self._children[oid] and number in self._held:
                self._held.remove(number)
                yield number
