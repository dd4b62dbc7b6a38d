"""Changes that are called something, and are to be in the state of the working copy."""

from collections.abc import Sequence

from pyroaring import BitMap

from oxy.actions.naming import resolve_change
from oxy.errors import RequestError
from oxy.model.digest import short
from oxy.repo.replaced import every
from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import WorkingCopy


class NotHereError(RequestError):
    """A change is not in the state of the working copy."""

    def __init__(self, change: bytes) -> None:
        super().__init__(f"change {short(change)} is not in the state of the working copy")
        self.change = change


class ReplacedError(RequestError):
    """A change is not in the state of the working copy, and what stands in for it is."""

    def __init__(self, change: bytes, successors: Sequence[bytes]) -> None:
        verb = "stand" if len(successors) > 1 else "stands"
        named = ", ".join(map(short, successors))
        super().__init__(f"change {short(change)} was rewritten: {named} {verb} in for it")
        self.change = change
        self.successors = tuple(successors)


def member(copy: WorkingCopy, called: bytes) -> int:
    """Return the change that is called so, which is to be in the state of the working copy.

    Raises: as `members`.
    """
    state = copy.repository.states.members(copy.base.state)
    return members(copy.repository, state, [called])[0]


def members(repository: Repository, state: BitMap, called: Sequence[bytes]) -> BitMap:
    """Return the changes that are called so, which are to be in that state.

    Raises:
        UnknownStateError, AmbiguousError, SeveralHeadsError: that is no single change.
        ReplacedError: one is not in the state, and others are that stand in for it.
        NotHereError: one is not in the state.
    """
    found = BitMap()
    store = repository.store
    for each in called:
        change = resolve_change(repository, each)
        if change not in state:
            name = store.id_of(CHANGE, change)
            others = [new for new in every(store, name) if new in state]
            if others:
                raise ReplacedError(name, tuple(store.ids_of(CHANGE, others)))
            raise NotHereError(name)
        found.add(change)
    return found
