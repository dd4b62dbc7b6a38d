"""Unite the state that one is on with others (spec: states, S8). No change is made for it."""

from collections.abc import Sequence

from oxy.actions.joining import Joined, join
from oxy.actions.naming import resolve
from oxy.repo.sides import Sides
from oxy.worktree.workcopy import WorkingCopy


def merge(copy: WorkingCopy, called: Sequence[bytes], *, dry_run: bool = False) -> Joined:
    """Add all changes of states to one's own.

    Args:
        copy: the working copy.
        called: what the states are called.
        dry_run: only tell what would come.

    Cost: what the states do not share.

    Raises:
        UnknownStateError, AmbiguousError: nothing, or too much, is called so.
        WouldOverwriteError: files are in the way; nothing was done.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    copy.look()
    states, own = copy.repository.states, copy.base.state
    others = tuple(resolve(copy.repository, each).state for each in called)
    sides = Sides(own, states.join(others))
    command = b"merge " + b" ".join(called)
    return join(copy, command, states.join((own, *others)), sides, dry_run=dry_run)
