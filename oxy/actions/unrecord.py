"""Take changes out of the state that one is on (spec: states, S10)."""

import os
from collections.abc import Sequence
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.joining import Joined, join
from oxy.actions.membership import members
from oxy.errors import RequestError
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.repo.repository import Repository
from oxy.repo.sets import dependents, without
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import WorkingCopy

NAMED = 5
"""Most changes that an error names."""


class NeededError(RequestError):
    """Changes cannot be taken out while others depend on them."""

    def __init__(self, needed_by: Sequence[tuple[bytes, bytes]], count: int) -> None:
        told = [
            f"{short(name)} {os.fsdecode(subject(message))}".rstrip()
            for name, message in needed_by
        ]
        rest = [f"and {count - len(told)} more"] if count > len(told) else []
        super().__init__(f"other changes depend on that: {', '.join([*told, *rest])}")
        self.needed_by = tuple(name for name, _ in needed_by)


class Unrecorded(NamedTuple):
    """What went, and the changes that went because they depend on others, in order."""

    joined: Joined
    along: tuple[int, ...]


def unrecord(
    copy: WorkingCopy,
    called: Sequence[bytes],
    *,
    with_dependents: bool = False,
    dry_run: bool = False,
) -> Unrecorded:
    """Take changes out of the state that one is on; the store keeps them.

    Args:
        copy: the working copy.
        called: what the changes are called.
        with_dependents: take what depends on them too.
        dry_run: only tell what would go.

    Cost: a row for each change of the state that came after the first of them.

    Raises:
        UnknownStateError, AmbiguousError, SeveralHeadsError: that is no single change.
        NotHereError: a change is not in the state.
        NeededError: others depend on them, and are not to be taken.
        WouldOverwriteError: files are in the way; nothing was done.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    copy.look()
    repository, own = copy.repository, copy.base.state
    wanted = members(repository, repository.states.members(own), called)
    along = dependents(repository.states, repository.states.members(own), wanted)
    if along and not with_dependents:
        raise needed(repository, along)
    after = without(repository.states, own, wanted | along)
    command = b"unrecord " + b" ".join(called)
    return Unrecorded(join(copy, command, after, None, dry_run=dry_run), tuple(along))


def needed(repository: Repository, along: BitMap) -> NeededError:
    """Return the error that names the changes which depend on others."""
    some = list(along)[:NAMED]
    ids = repository.store.ids_of(CHANGE, some)
    messages = [header.message for _, header in repository.headers(some)]
    return NeededError(list(zip(ids, messages, strict=True)), len(along))
