"""From the tree of a state's name to the set of changes it means (spec: states, S23, S49, S50).

A set is kept as the name of a state as long as it is one for sure: naming costs no walk then.
"""

import os
from oxy.typed import TypeAlias

from pyroaring import BitMap

from oxy.actions.former import former
from oxy.actions.grammar import Back, Chain, Past, Tree, Word, unparse
from oxy.actions.words import Candidate, candidates, find, unknown
from oxy.errors import RequestError
from oxy.repo.closed import lacking, name_of
from oxy.repo.headers import headers_of
from oxy.repo.origin import git_parents
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import GIT, number

Meaning: TypeAlias = Name | BitMap
"""A state by its name, or any set of changes."""


class NotClosedError(RequestError):
    """A set of changes is no state: one of them depends on one that is not in it."""

    def __init__(self, called: bytes, change: Candidate, needed: Candidate) -> None:
        what = f"its change {change} depends on {needed}, which it lacks"
        super().__init__(f"'{os.fsdecode(called)}' is no state: {what}")
        self.called = called
        self.change = change
        self.needed = needed


class TooFarBackError(RequestError):
    """There are fewer steps to go back."""

    def __init__(self, called: bytes, steps: int) -> None:
        last = f"the empty state is {steps} back"
        super().__init__(f"'{os.fsdecode(called)}' goes back too far: {last}")
        self.called = called
        self.steps = steps


def meaning(repository: Repository, tree: Tree) -> Meaning:
    """Return what a tree means.

    Cost: of a union as `States.join`; of another chain bitmaps; of a step back, mostly a row.

    Raises:
        UnknownStateError, AmbiguousError: nothing, or too much, is called so.
        NotThenError, DateError: a name held nothing then, or that is no time.
        NotClosedError, TooFarBackError: there is nothing to go back in, or not so far.
    """
    if isinstance(tree, Word):
        return _word(repository, tree)
    if isinstance(tree, Past):
        return former(repository, tree.word.name, tree.when)
    if isinstance(tree, Back):
        return _back(repository, tree)
    return _chain(repository, tree)


def members(repository: Repository, meant: Meaning) -> BitMap:
    """Return a set of changes; not to be modified."""
    return repository.states.members(meant) if isinstance(meant, Name) else meant


def as_state(repository: Repository, meant: Meaning, called: bytes) -> Name:
    """Return the name of a set that is to be a state.

    Raises:
        NotClosedError: it is none.
    """
    if isinstance(meant, Name):
        return meant
    lack = lacking(repository.states, meant)
    if lack is not None:
        change, needed = (candidates(repository, [each])[0] for each in lack)
        raise NotClosedError(called, change, needed)
    return name_of(repository.states, meant)


def _word(repository: Repository, word: Word) -> Name:
    found = find(repository, word.name, only_names=word.is_quoted)
    if found is None:
        raise unknown(repository, word.name)
    return found.state


def _chain(repository: Repository, tree: Chain) -> Meaning:
    held = meaning(repository, tree.first)
    for operator, part in tree.rest:
        other = meaning(repository, part)
        if operator == b"|" and isinstance(held, Name) and isinstance(other, Name):
            held = repository.states.join((held, other))
            continue
        left, right = members(repository, held), members(repository, other)
        if operator == b"|":
            held = left | right
        else:
            held = left & right if operator == b"&" else left - right
    return held


def _back(repository: Repository, tree: Back) -> Name:
    state = as_state(repository, meaning(repository, tree.tree), unparse(tree.tree))
    for step in range(tree.steps):
        if not state.heads:
            raise TooFarBackError(unparse(tree), step)
        state = _before(repository, state)
    return state


def _before(repository: Repository, state: Name) -> Name:
    """Return a state without the change that its log lists first.

    What a Git merge became goes back to the state of its first parent, as with Git.
    """
    states = repository.states
    found = headers_of(repository.store, state.heads)
    head, _, header = min(found, key=lambda row: (-row[2].time.microseconds, row[1]))
    if state != states.name_of_change(head):
        return name_of(states, states.members(state) - BitMap([head]))
    parents = git_parents(header)
    row = repository.store.row(GIT, parents[0]) if len(parents) > 1 else None
    return states.link(head).context if row is None else states.name_of_change(number(row))
