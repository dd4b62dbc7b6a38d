"""From what a user calls a state or a change to what it is (spec: states, S20 to S23)."""

import os
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.grammar import StateSyntaxError, Tree, Word, is_plain, parse
from oxy.actions.words import (
    AmbiguousError,
    Candidate,
    Found,
    UnknownStateError,
    candidates,
    find,
    find_name,
    unknown,
)
from oxy.errors import RequestError
from oxy.phase import phase
from oxy.repo.refs import Ref
from oxy.repo.repository import Repository
from oxy.repo.states import Name


class SeveralHeadsError(RequestError):
    """One change is asked for by the name of a state that has several newest ones, or none."""

    def __init__(self, called: bytes, heads: tuple[Candidate, ...]) -> None:
        newest = ", ".join(map(str, heads))
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

    Cost: a look-up of each kind of name; of more than a word, as `meaning`.

    Raises:
        UnknownStateError: nothing is.
        AmbiguousError: it is a prefix of the ids of several changes.
        StateSyntaxError, TwoReadingsError: it is not in the grammar, or twice.
        NotClosedError: it is a set of changes, and no state.
        NotThenError, DateError, TooFarBackError: there is none then, or so far back.
    """
    with phase("history"):
        read = _read(repository, called)
        if isinstance(read, Found):
            return Named(called, *read)
        from oxy.actions.meaning import as_state

        state = as_state(repository, _meaning(repository, read, called), called)
        return Named(called, None, state)


def resolve_set(repository: Repository, called: bytes) -> Name | BitMap:
    """Return the changes that are called so: a state, or what `A-B` has left of one.

    Cost: as `resolve`.

    Raises:
        RequestError: as `resolve`, but that a set need not be closed.
    """
    with phase("history"):
        read = _read(repository, called)
        if isinstance(read, Found):
            return read.state
        return _meaning(repository, read, called)


def resolve_change(repository: Repository, called: bytes) -> int:
    """Return the number of the change that is called so.

    A state means its newest change, where there is one newest.

    Raises:
        RequestError: as `resolve`.
        SeveralHeadsError: it is the name of a state with more than one newest change, or none.
    """
    heads = resolve(repository, called).state.heads
    if len(heads) != 1:
        raise SeveralHeadsError(called, candidates(repository, heads))
    return heads[0]


def _read(repository: Repository, called: bytes) -> Found | Tree:
    """Return what a single word is called, or the tree of what is more than one."""
    if is_plain(called):
        found = find(repository, called)
        if found is not None:
            return found
    try:
        tree = parse(called, lambda word: _is_known(repository, word))
    except StateSyntaxError as error:
        if not called or find_name(repository, called)[1] is not None:
            raise unknown(repository, called) from error
        raise
    if not isinstance(tree, Word):
        return tree
    found = find(repository, tree.name, only_names=tree.is_quoted)
    if found is None:
        raise unknown(repository, tree.name)
    return found


def _meaning(repository: Repository, tree: Tree, called: bytes) -> Name | BitMap:
    from oxy.actions.meaning import meaning

    try:
        return meaning(repository, tree)
    except UnknownStateError as error:
        if find_name(repository, called)[1] is not None:
            raise unknown(repository, called) from error
        raise


def _is_known(repository: Repository, word: bytes) -> bool:
    try:
        return find(repository, word) is not None
    except AmbiguousError:
        return True
