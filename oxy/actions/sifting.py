"""Which changes a log shows, and of which of their files (spec: states, S60 to S62).

What a filter needs to look at is read only of the changes that the cheaper ones let through.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from oxy.typed import Final, NamedTuple, TypeAlias

from pyroaring import BitMap

from oxy.actions.among import Among
from oxy.actions.log import Entry, Facts
from oxy.actions.straight import in_order
from oxy.errors import RequestError
from oxy.model.change import Header
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.whereabouts import changes_of, nodes_ever_at

Content: TypeAlias = Callable[[Sequence[int], BitMap | None], Iterable[BitMap]]

_AHEAD: Final = 128


class NeverThereError(RequestError):
    """A state has nothing at a path, and never had."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"nothing is or was at {os.fsdecode(path)} in this state")
        self.path = path


class Found(NamedTuple):
    """A change of a log, and the nodes that the log is about; None is all that it touches."""

    entry: Entry
    nodes: BitMap | None = None


class Sieve(NamedTuple):
    """What a log is to show.

    Attributes:
        nodes: only changes that touch these; None is no matter which.
        changes: only these; None is all of the state.
        header: tells whether a change is shown by its header.
        content: yields for each of some changes those of its nodes by which it is shown.
        limit: at most so many.
        reverse: the oldest first, of those that would be shown otherwise.
        draws: whether parents are needed.
    """

    nodes: BitMap | None = None
    changes: BitMap | None = None
    header: Callable[[Header], bool] | None = None
    content: Content | None = None
    limit: int | None = None
    reverse: bool = False
    draws: bool = False


class Step(NamedTuple):
    """A change that was let through."""

    change: int
    id: bytes
    header: Header
    nodes: BitMap | None


def closed(repository: Repository, changes: Name | BitMap) -> Name:
    """Return the least state that has some changes. Cost: of a set that is none, a row each."""
    if isinstance(changes, Name):
        return changes
    states = repository.states
    return states.join(tuple(map(states.name_of_change, states.name_of(changes).heads)))


def below(repository: Repository, state: Name, paths: Sequence[bytes], sieve: Sieve) -> Sieve:
    """Return a sieve that lets those through that touch what is or was at paths (S60).

    Raises:
        NeverThereError: nothing is or was at one.
    """
    nodes = BitMap()
    for path in paths:
        found = nodes_ever_at(repository, state, path)
        if path and not found:
            raise NeverThereError(path)
        nodes |= found
    changes = changes_of(repository, nodes, repository.states.members(state))
    return sieve._replace(nodes=nodes, changes=changes)


def sifted(repository: Repository, state: Name, sieve: Sieve) -> Iterator[Found]:
    """Yield the changes of a state that a sieve lets through, newest first.

    Cost: what is taken from it; where it is drawn or reversed, all of it first.
    """
    steps = islice(_steps(repository, state, sieve), sieve.limit)
    shown = _drawn(repository, state, sieve) if sieve.draws else ((step, ()) for step in steps)
    if sieve.reverse:
        shown = _turned(list(shown))
    facts = Facts(repository)
    for (change, name, header, nodes), parents in shown:
        yield Found(facts.entry(change, name, header, parents), nodes)


def counted(repository: Repository, state: Name, sieve: Sieve) -> int:
    """Return how many changes a sieve lets through. Cost: nothing is read where all are."""
    if sieve.header is None and sieve.content is None:
        members = repository.states.members(state)
        total = len(members if sieve.changes is None else sieve.changes)
        return total if sieve.limit is None else min(total, sieve.limit)
    return sum(1 for _ in islice(_steps(repository, state, sieve), sieve.limit))


def _steps(repository: Repository, state: Name, sieve: Sieve) -> Iterator[Step]:
    walk = (
        in_order(repository, state)
        if sieve.changes is None
        else Among(repository, state, sieve.changes)
    )
    stops = (
        Step(change, name, header, sieve.nodes)
        for change, name, header in walk
        if sieve.header is None or sieve.header(header)
    )
    return stops if sieve.content is None else _looked_into(stops, sieve.content)


def _looked_into(stops: Iterator[Step], content: Content) -> Iterator[Step]:
    """Yield steps whose content is let through. As many are read ahead as were of use."""
    size = 1
    while some := list(islice(stops, size)):
        found = content([stop.change for stop in some], some[0].nodes)
        for stop, nodes in zip(some, found, strict=True):
            if nodes:
                yield stop._replace(nodes=nodes)
        size = min(2 * size, _AHEAD)


def _drawn(
    repository: Repository, state: Name, sieve: Sieve
) -> Iterator[tuple[Step, tuple[int, ...]]]:
    """Yield steps with their parents among all that are let through."""
    steps = {step.change: step for step in _steps(repository, state, sieve)}
    walk = Among(repository, state, BitMap(steps))
    for stop in islice(walk, sieve.limit):
        yield steps[stop.change], walk.parents(stop.change)


def _turned(
    shown: list[tuple[Step, tuple[int, ...]]],
) -> Iterator[tuple[Step, tuple[int, ...]]]:
    """Yield the last first, each with those that follow it and have it as a parent."""
    children: dict[int, list[int]] = {}
    for step, parents in reversed(shown):
        for parent in parents:
            children.setdefault(parent, []).append(step.change)
    for step, _ in reversed(shown):
        yield step, tuple(children.get(step.change, ()))
