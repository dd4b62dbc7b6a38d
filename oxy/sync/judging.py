"""What becomes of names of another repository, judged from here (spec: sync, SY48).

The rule is that of whoever owns the names, applied to what it says of them now, where nobody
else does: before a push, or where they are in a store that applies no rule.
"""

from collections.abc import Iterable, Sequence

from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync.endpoint import Offered
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


def judged(
    repository: Repository,
    offered: Sequence[Offered],
    wishes: Sequence[Wish],
    current: bytes | None,
) -> Taken:
    """Return what becomes of names that do not hold what is wished, ascending: all, or none.

    Args:
        repository: one's own, which has all that is wished.
        offered: the names there.
        wishes: ascending by kind and name.
        current: the bookmark that a working copy there is on.
    """
    theirs = {(each.kind, each.name): State(each.heads, each.absent) for each in offered}
    found = [
        _judged(repository, wish, theirs.get((wish.kind, wish.name)), current)
        for wish in wishes
        if wish.goal is None or theirs.get((wish.kind, wish.name)) != wish.goal
    ]
    refused = tuple(each for each in found if isinstance(each, Refused))
    if refused:
        return Taken(0, (), refused)
    return Taken(0, tuple(each for each in found if isinstance(each, Moved)))


def _judged(
    repository: Repository, wish: Wish, theirs: State | None, current: bytes | None
) -> Moved | Refused:
    kind, name = wish.kind, wish.name
    members = repository.states.members
    held = None if theirs is None else _named(repository, theirs)
    old = members(held or Name())
    if wish.goal is None:
        why = _kept_because(wish, theirs, current)
        return Refused(kind, name, why) if why else Moved(kind, name, DELETED, 0, len(old))
    new = members(_named(repository, wish.goal) or Name())
    if theirs is None:
        return Moved(kind, name, MADE, len(new), 0)
    if kind != BOOKMARK:
        return Refused(kind, name, OTHER)
    if theirs != wish.seen and (held is None or not old <= new):
        return Refused(kind, name, UNSEEN)
    return Moved(kind, name, MOVED, len(new - old), len(old - new))


def _kept_because(wish: Wish, theirs: State | None, current: bytes | None) -> int | None:
    """Return why a name would not be deleted; None if it would."""
    if theirs is None:
        return ABSENT
    if theirs != wish.seen:
        return UNSEEN
    return IN_USE if wish.kind == BOOKMARK and wish.name == current else None


def _named(repository: Repository, state: State) -> Name | None:
    """Return a state by the numbers of here; None where a change of it is not here."""
    parts = [numbers_of(repository, part) for part in state]
    is_here = all(len(part) == len(ids) for part, ids in zip(parts, state, strict=True))
    return Name(*map(tuple, parts)) if is_here else None


def numbers_of(repository: Repository, ids: Iterable[ChangeId]) -> list[int]:
    """Return the numbers of those changes that are here, ascending."""
    return sorted(repository.store.numbers_of(CHANGE, ids).values())
