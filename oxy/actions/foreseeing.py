"""What a push would do, without doing it (spec: sync, SY62).

The rule is that of whoever owns the names (SY48), applied to what it says of them now. What it
alone knows, working copies of others there, is not foreseen.
"""

from collections.abc import Iterable, Sequence

from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync.history import missing
from oxy.sync.rounds import common
from oxy.sync.talk import Host
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


def foreseen(repository: Repository, peer: Host, wishes: Sequence[Wish]) -> Taken:
    """Return what would become of names that do not hold what is wished, ascending.

    Cost: what finding out takes what the other lacks; nothing is sent.
    """
    refs = peer.refs()
    theirs = {(each.kind, each.name): State(each.heads, each.absent) for each in refs}
    found = [
        _foreseen(repository, wish, theirs.get((wish.kind, wish.name)), peer.current())
        for wish in wishes
    ]
    refused = tuple(each for each in found if isinstance(each, Refused))
    if refused:
        return Taken(0, (), refused)
    goals = [change for wish in wishes if wish.goal for part in wish.goal for change in part]
    have = common(repository, peer, [change for each in refs for change in each.heads])
    wanted, held = (_numbers(repository, part) for part in (goals, have))
    came = len(missing(repository.states, wanted, held))
    return Taken(came, tuple(each for each in found if isinstance(each, Moved)))


def _foreseen(
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
    parts = [_numbers(repository, part) for part in state]
    is_here = all(len(part) == len(ids) for part, ids in zip(parts, state, strict=True))
    return Name(*map(tuple, parts)) if is_here else None


def _numbers(repository: Repository, ids: Iterable[bytes]) -> list[int]:
    return sorted(repository.store.numbers_of(CHANGE, ids).values())
