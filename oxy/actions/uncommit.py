"""Take the newest change out and leave the files: it shows as local edits (spec: S34)."""

import os
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.arriving import moves_to
from oxy.actions.clock import now
from oxy.actions.going import stay
from oxy.actions.identity import operator
from oxy.actions.membership import members
from oxy.actions.naming import SeveralHeadsError
from oxy.actions.unrecord import needed
from oxy.actions.words import HERE_NAME, candidates
from oxy.errors import RequestError
from oxy.model.digest import short
from oxy.repo.sets import dependents, without
from oxy.repo.writing import Stamp
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import WorkingCopy


class NothingRecordedError(RequestError):
    """The state that one is on has no change that could be taken out."""

    def __init__(self) -> None:
        super().__init__("nothing is recorded in the state that the working copy is on")


class Uncommitted(NamedTuple):
    """The change that was taken out: its id and its message; and the bookmark that moved."""

    id: bytes
    message: bytes
    bookmark: bytes | None


def uncommit(copy: WorkingCopy, called: bytes | None = None) -> Uncommitted:
    """Take a change out of the state that one is on, and leave the files as they are.

    Args:
        copy: the working copy.
        called: what the change is called; else it is the newest.

    Raises:
        SeveralHeadsError: there is no single newest change.
        NothingRecordedError: there is none.
        UnknownStateError, AmbiguousError: nothing, or too much, is called so.
        NotHereError: the change is not in the state.
        NeededError: others depend on it.
        SwitchInterruptedError: the files are in between two states.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    copy.look()
    repository, own = copy.repository, copy.base.state
    states, state = repository.states, repository.states.members(own)
    gone = BitMap([_newest(copy)]) if called is None else members(repository, state, [called])
    along = dependents(states, state, gone)
    if along:
        raise needed(repository, along)
    change = gone[0]
    name = repository.store.id_of(CHANGE, change)
    stamp = Stamp(*now(), operator(), b"uncommit " + os.fsencode(short(name)))
    stay(copy, stamp, moves_to(copy, without(states, own, gone)))
    return Uncommitted(name, repository.header(change).message, copy.base.bookmark)


def _newest(copy: WorkingCopy) -> int:
    base = copy.base
    heads = base.state.heads
    if not heads:
        raise NothingRecordedError
    if len(heads) > 1:
        raise SeveralHeadsError(base.bookmark or HERE_NAME, candidates(copy.repository, heads))
    return heads[0]
