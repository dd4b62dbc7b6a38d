"""Take in what another side pushes, and let names hold what it wishes (spec: sync, SY8, SY48).

The rule is applied by whoever owns the names, in the transaction that moves them: so of two who
push at once one comes second and is told.
"""

from collections.abc import Callable, Iterable, Sequence
from oxy.typed import TypeAlias

from pyroaring import BitMap

from oxy.progress import Progress
from oxy.repo.refname import check
from oxy.repo.refs import BOOKMARK, HERE, WORKING, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, Writing, writing
from oxy.store.protocol import CHANGE
from oxy.sync.endpoint import Offered
from oxy.sync.names import arrived, check_names
from oxy.sync.part import Part
from oxy.sync.receiving import receive
from oxy.sync.wish import (
    ABSENT,
    DELETED,
    IN_USE,
    MADE,
    MOVED,
    OTHER,
    UNSEEN,
    Moved,
    Refused,
    State,
    Taken,
    Wish,
)

Gate: TypeAlias = Callable[[bytes, BitMap], int | None]
"""Why a bookmark may not take changes that it has not: one of `wish`; None if it may."""


def open_gate(_bookmark: bytes, _changes: BitMap) -> int | None:
    """Let a bookmark take anything."""
    return None


class _RefusedError(Exception):
    """Takes a transaction back in which a name does not move."""

    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self.taken = taken


def take(
    repository: Repository,
    stamp: Stamp,
    wishes: Sequence[Wish],
    parts: Iterable[Part],
    progress: Progress,
    gate: Gate = open_gate,
) -> Taken:
    """Take parts in through the one door, and let names hold what is wished: all, or none.

    A bookmark is moved if all that it holds is in the goal, or it holds what was seen; it is
    deleted only if it holds what was seen. A tag is made, and never moved.

    Args:
        repository: where to.
        stamp: when and how.
        wishes: ascending by kind and name.
        parts: what of them is not there.
        progress: told of each object.
        gate: asked why a bookmark may not take what is new to it.

    Cost: what came, and the states of the names.

    Raises:
        LostError: the parts ended early; what came is kept, and no name has moved.
        RefusedObjectError, RefusedTransferError, RefusedNameError: nothing is kept.
        NameFoldsError: a new name would be one with another.
        StoreLockedError: another process is writing.
    """
    taken = Taken(0, ())
    try:
        with writing(repository, stamp) as work:
            received = receive(repository, work.transaction, parts, progress)
            if received.lost is None:
                taken = _moved(work, wishes, len(received.changes), gate)
                _require_all(taken)
    except _RefusedError as refused:
        return refused.taken
    if received.lost is not None:
        raise received.lost
    return taken


def _require_all(taken: Taken) -> None:
    if taken.refused:
        raise _RefusedError(taken)


def _moved(work: Writing, wishes: Sequence[Wish], came: int, gate: Gate) -> Taken:
    repository = work.repository
    offered = [
        Offered(each.kind, each.name, *each.goal, each.extra)
        for each in wishes
        if each.goal is not None
    ]
    check_names(offered)
    goals = {(each.kind, each.name): state for each, state in arrived(repository, offered)}
    moved: list[Moved] = []
    refused: list[Refused] = []
    for wish in wishes:
        found = _one(work, wish, goals.get((wish.kind, wish.name)), gate)
        if isinstance(found, Moved):
            moved.append(found)
        elif found is not None:
            refused.append(Refused(wish.kind, wish.name, found))
    return Taken(0, (), tuple(refused)) if refused else Taken(came, tuple(moved))


def _one(work: Writing, wish: Wish, goal: Name | None, gate: Gate) -> Moved | int | None:
    """Move one name; return what that did, why it was not moved, or None if it holds that."""
    repository, ref = work.repository, Ref(wish.kind, wish.name)
    held = repository.refs.get(ref)
    if goal is None:
        return _deleted(work, wish, held)
    if held is None:
        return _made(work, wish, goal, gate)
    if held.state == goal:
        return None
    if wish.kind != BOOKMARK:
        return OTHER
    return _on(work, wish, held, goal, gate)


def _made(work: Writing, wish: Wish, goal: Name, gate: Gate) -> Moved | int:
    """Make a name that is not there."""
    repository = work.repository
    check(wish.name, repository.refs.names(wish.kind))
    members = repository.states.members(goal)
    why = gate(wish.name, members) if wish.kind == BOOKMARK else None
    if why is not None:
        return why
    extra = wish.extra if wish.kind != BOOKMARK else ()
    work.move(Ref(wish.kind, wish.name), Target(goal, extra))
    return Moved(wish.kind, wish.name, MADE, len(members), 0)


def _on(work: Writing, wish: Wish, held: Target, goal: Name, gate: Gate) -> Moved | int:
    """Move a bookmark that is there."""
    repository = work.repository
    old, new = (repository.states.members(state) for state in (held.state, goal))
    if not old <= new and held.state != _named(repository, wish.seen):
        return UNSEEN
    why = gate(wish.name, new - old)
    if why is not None:
        return why
    work.move(Ref(wish.kind, wish.name), held._replace(state=goal))
    return Moved(wish.kind, wish.name, MOVED, len(new - old), len(old - new))


def _deleted(work: Writing, wish: Wish, held: Target | None) -> Moved | int:
    repository, ref = work.repository, Ref(wish.kind, wish.name)
    if held is None:
        return ABSENT
    if held.state != _named(repository, wish.seen):
        return UNSEEN
    if wish.kind == BOOKMARK and wish.name in _in_use(repository):
        return IN_USE
    work.move(ref, None)
    return Moved(*ref, DELETED, 0, len(repository.states.members(held.state)))


def _in_use(repository: Repository) -> set[bytes | None]:
    """Return the bookmarks that working copies are on."""
    here = repository.refs.get(HERE)
    others = {target.bookmark for _, target in repository.refs.all(WORKING)}
    return others | {here.bookmark if here else None}


def _named(repository: Repository, seen: State | None) -> Name | None:
    """Return a state by the numbers of here; None if a change of it was never here."""
    if seen is None:
        return None
    parts = []
    for part in seen:
        numbers = [repository.store.number_of(CHANGE, each) for each in part]
        if None in numbers:
            return None
        parts.append(tuple(sorted(number for number in numbers if number)))
    return Name(*parts)
