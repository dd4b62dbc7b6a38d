"""What one word is called: a bookmark, a tag, a change (spec: states, S20 to S22)."""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import Final, NamedTuple

from oxy.errors import RequestError
from oxy.model.digest import short
from oxy.repo.refs import BOOKMARK, HERE, REMOTE, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import GIT, number
from oxy.store.protocol import CHANGE

HERE_NAME: Final = b"@"

KINDS: Final = (BOOKMARK, TAG, REMOTE)
"""The kinds of names that mean a state, in the order in which they are looked up."""

_SHORTEST: Final = 4
_LONGEST: Final = 64
_CANDIDATES: Final = 6
_SHOWN: Final = 40
_HEX: Final = frozenset(b"0123456789abcdefABCDEF")
_PREFIX: Final = b"git:"


class UnknownStateError(RequestError):
    """Nothing is called so; `near` are the names that look like it."""

    def __init__(self, called: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"no bookmark, tag or change is called '{os.fsdecode(called)}'")
        self.called = called
        self.near = near


class Candidate(NamedTuple):
    """A change that may be meant: the beginning of its id, and of its message."""

    id: str
    subject: str

    def __str__(self) -> str:
        """Return both."""
        return f"{self.id} ({self.subject})"


class AmbiguousError(RequestError):
    """A prefix fits several changes."""

    def __init__(self, called: bytes, candidates: tuple[Candidate, ...]) -> None:
        several = ", ".join(map(str, candidates))
        super().__init__(f"'{os.fsdecode(called)}' fits several changes: {several}")
        self.called = called
        self.candidates = candidates


class Found(NamedTuple):
    """What a word is called: which name that is, if it is one, and the state."""

    ref: Ref | None
    state: Name


def find(repository: Repository, called: bytes, *, only_names: bool = False) -> Found | None:
    """Return what is called so, or None if nothing is; `only_names` leaves out `@` and ids.

    Cost: a look-up of each kind of name.

    Raises:
        AmbiguousError: it is a prefix of the ids of several changes.
    """
    if called == HERE_NAME and not only_names:
        here = repository.refs.get(HERE)
        return Found(HERE, here.state if here is not None else Name())
    ref, target = find_name(repository, called)
    if target is not None:
        return Found(ref, target.state)
    if only_names:
        return None
    change = _by_prefix(repository, called)
    return None if change is None else Found(None, Name((change,)))


def find_name(repository: Repository, called: bytes) -> tuple[Ref | None, Target | None]:
    """Return the bookmark or tag of a name with what it holds, if there is one."""
    for kind in KINDS:
        target = repository.refs.get(Ref(kind, called))
        if target is not None:
            return Ref(kind, called), target
    return None, None


def candidates(repository: Repository, changes: Sequence[int]) -> tuple[Candidate, ...]:
    """Return changes as a user is to choose among them, by id. Cost: their headers."""
    names = repository.store.ids_of(CHANGE, changes)
    found = [
        _candidate(repository, change, short(name))
        for change, name in zip(changes, names, strict=True)
    ]
    return tuple(sorted(found))


def unknown(repository: Repository, called: bytes) -> UnknownStateError:
    """Return the error for a name that nothing has. Cost: reads the names."""
    from difflib import get_close_matches

    from oxy.actions.grammar import quoted

    names = [name for kind in KINDS for name in repository.refs.names(kind)]
    near = get_close_matches(os.fsdecode(called), map(os.fsdecode, names))
    if called in names:
        near = [os.fsdecode(called)]
    shown = (os.fsdecode(quoted(os.fsencode(name))) for name in near)
    return UnknownStateError(called, tuple(dict.fromkeys(shown)))


def _by_prefix(repository: Repository, called: bytes) -> int | None:
    """Return the only change whose id, of oxy or of Git, begins so."""
    digits = called.removeprefix(_PREFIX)
    if not _SHORTEST <= len(digits) <= _LONGEST or not _HEX.issuperset(digits):
        return None
    prefix = digits.decode().lower()
    store = repository.store
    if digits == called:
        names = store.with_prefix(CHANGE, prefix, _CANDIDATES)
        found = [(name.hex(), store.number_of(CHANGE, name) or 0) for name in names]
    else:
        found = list(_of_git(repository, prefix))
    if len(found) > 1:
        size = len(prefix) + 8
        several = [_candidate(repository, change, name[:size]) for name, change in found]
        raise AmbiguousError(called, tuple(several))
    return found[0][1] if found else None


def _of_git(repository: Repository, prefix: str) -> Iterator[tuple[str, int]]:
    start = bytes.fromhex(prefix[: len(prefix) // 2 * 2])
    left = _CANDIDATES
    for key, row in repository.store.rows(GIT, start):
        if left and key.hex().startswith(prefix):
            left -= 1
            yield key.hex(), number(row)
    yield from _exported(repository, prefix)


def _exported(repository: Repository, prefix: str) -> Iterator[tuple[str, int]]:
    """Yield the commits that changes were made into, as far as that is noted."""
    from oxy.repo.exported import all_states

    for commit, name in all_states(repository):
        is_change = len(name.heads) == 1
        if is_change and commit.hex().startswith(prefix):
            head = name.heads[0]
            if name == repository.states.name_of_change(head):
                yield commit.hex(), head


def _candidate(repository: Repository, change: int, shown: str) -> Candidate:
    from oxy.model.change import subject

    text = os.fsdecode(subject(repository.header(change).message))
    return Candidate(shown, text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
