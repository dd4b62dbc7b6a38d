"""From what the user calls a state or a change to what it is (spec: states, S20 to S22)."""

import os
from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.errors import RequestError
from oxy.model.digest import short
from oxy.phase import phase
from oxy.repo.refs import BOOKMARK, HERE, REMOTE, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import GIT, number
from oxy.store.protocol import CHANGE

HERE_NAME: Final = b"@"

_SHORTEST: Final = 4
_LONGEST: Final = 64
_CANDIDATES: Final = 6
_HEX: Final = frozenset(b"0123456789abcdefABCDEF")
_PREFIX: Final = b"git:"


class UnknownStateError(RequestError):
    """Nothing is called so; `near` are the names that look like it."""

    def __init__(self, called: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"no bookmark, tag or change is called '{os.fsdecode(called)}'")
        self.called = called
        self.near = near


class AmbiguousError(RequestError):
    """A prefix fits several changes."""

    def __init__(self, called: bytes, candidates: tuple[str, ...]) -> None:
        several = ", ".join(candidates)
        super().__init__(f"'{os.fsdecode(called)}' fits several changes: {several}")
        self.called = called
        self.candidates = candidates


class SeveralHeadsError(RequestError):
    """One change is asked for by the name of a state that has several newest ones, or none."""

    def __init__(self, called: bytes, heads: tuple[str, ...]) -> None:
        newest = ", ".join(heads)
        why = f"is no single change; its newest: {newest}" if heads else "has no changes yet"
        super().__init__(f"'{os.fsdecode(called)}' {why}")
        self.called = called
        self.heads = heads


class Named(NamedTuple):
    """A state that was named: what it was called, which name that is, if it is one, and it."""

    called: bytes
    ref: Ref | None
    state: Name

    def members(self, repository: Repository) -> BitMap:
        """Return its changes; not to be modified."""
        return repository.states.members(self.state)


def resolve(repository: Repository, called: bytes) -> Named:
    """Return the state that is called so.

    Cost: a look-up of each kind of name.

    Raises:
        UnknownStateError: nothing is.
        AmbiguousError: it is a prefix of the ids of several changes.
    """
    with phase("history"):
        ref, target = _held(repository, called)
        if target is not None:
            return Named(called, ref, target.state)
        if called == HERE_NAME:
            return Named(called, HERE, Name())
        return Named(called, None, Name((_by_prefix(repository, called),)))


def resolve_change(repository: Repository, called: bytes) -> int:
    """Return the number of the change that is called so.

    A bookmark or a tag means the newest change of its state, where there is one newest.

    Raises:
        UnknownStateError: nothing is called so.
        AmbiguousError: it is a prefix of the ids of several changes.
        SeveralHeadsError: it is the name of a state with more than one newest change, or none.
    """
    heads = resolve(repository, called).state.heads
    if len(heads) != 1:
        ids = repository.store.ids_of(CHANGE, heads)
        raise SeveralHeadsError(called, tuple(sorted(short(name) for name in ids)))
    return heads[0]


def _held(repository: Repository, called: bytes) -> tuple[Ref | None, Target | None]:
    if called == HERE_NAME:
        return HERE, repository.refs.get(HERE)
    for kind in (BOOKMARK, TAG, REMOTE):
        target = repository.refs.get(Ref(kind, called))
        if target is not None:
            return Ref(kind, called), target
    return None, None


def _by_prefix(repository: Repository, called: bytes) -> int:
    """Return the only change whose id, of oxy or of Git, begins so."""
    digits = called.removeprefix(_PREFIX)
    if not _SHORTEST <= len(digits) <= _LONGEST or not _HEX.issuperset(digits):
        raise unknown(repository, called)
    prefix = digits.decode().lower()
    if digits == called:
        found = [(name.hex(), 0) for name in _with_prefix(repository, prefix)]
    else:
        found = list(_of_git(repository, prefix))
    if not found:
        raise unknown(repository, called)
    if len(found) > 1:
        raise AmbiguousError(called, tuple(name[: len(prefix) + 8] for name, _ in found))
    name, change = found[0]
    return change or repository.store.number_of(CHANGE, bytes.fromhex(name)) or 0


def _with_prefix(repository: Repository, prefix: str) -> list[bytes]:
    return repository.store.with_prefix(CHANGE, prefix, _CANDIDATES)


def _of_git(repository: Repository, prefix: str) -> Iterator[tuple[str, int]]:
    start = bytes.fromhex(prefix[: len(prefix) // 2 * 2])
    left = _CANDIDATES
    for key, row in repository.store.rows(GIT, start):
        if left and key.hex().startswith(prefix):
            left -= 1
            yield key.hex(), number(row)


def unknown(repository: Repository, called: bytes) -> UnknownStateError:
    """Return the error for a name that nothing has. Cost: reads the names."""
    from difflib import get_close_matches

    refs = repository.refs
    names = [os.fsdecode(name) for name in (*refs.names(BOOKMARK), *refs.names(TAG))]
    near = get_close_matches(os.fsdecode(called), names)
    return UnknownStateError(called, tuple(dict.fromkeys(near)))
