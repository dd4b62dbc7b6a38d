"""Take single changes from elsewhere, with what they depend on (spec: states, S9)."""

from collections.abc import Sequence
from oxy.typed import NamedTuple

from oxy.actions.joining import Joined, join
from oxy.actions.naming import resolve_change
from oxy.repo.sets import closure, with_added
from oxy.repo.sides import Sides
from oxy.worktree.workcopy import WorkingCopy


class Picked(NamedTuple):
    """What came, and the changes that came because others depend on them, in order."""

    joined: Joined
    along: tuple[int, ...]


def pick(copy: WorkingCopy, called: Sequence[bytes], *, dry_run: bool = False) -> Picked:
    """Add changes, and what they depend on, to the state that one is on.

    They keep their ids, so a later merge has them once.

    Args:
        copy: the working copy.
        called: what the changes are called.
        dry_run: only tell what would come.

    Cost: the dependencies of the changes.

    Raises:
        UnknownStateError, AmbiguousError, SeveralHeadsError: that is no single change.
        WouldOverwriteError: files are in the way; nothing was done.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    copy.look()
    repository, own = copy.repository, copy.base.state
    states = repository.states
    wanted = [resolve_change(repository, each) for each in called]
    came = closure(states, wanted) - states.members(own)
    after = with_added(states, own, came)
    along = tuple(change for change in came if change not in wanted)
    command = b"pick " + b" ".join(called)
    return Picked(join(copy, command, after, Sides(own, after), dry_run=dry_run), along)
