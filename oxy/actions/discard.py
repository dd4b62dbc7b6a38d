"""Throw edits of tracked files away (spec: working-copy, W38)."""

from collections.abc import Collection
from oxy.typed import NamedTuple

from oxy.actions.placing import tidy
from oxy.actions.status import examined
from oxy.worktree.hunks import Pick, Rest, selected, without
from oxy.worktree.snapshot import ADDED, DELETED, Changed, Snapshot
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.workcopy import WorkingCopy


class Discarded(NamedTuple):
    """What was thrown away; and new files and untracked ones, which were left."""

    snapshot: Snapshot
    left: tuple[Changed, ...]


def discard(
    copy: WorkingCopy, paths: tuple[bytes, ...], picks: Collection[Pick] | None = None
) -> Discarded:
    """Make tracked files, or all but the chosen hunks of them, those of the base state again.

    New files stay, and so do files that were said to be untracked. `undo` brings it back. What
    interrupted commands left is removed.

    Args:
        copy: the working copy.
        paths: what to look at; none is everything.
        picks: the hunks to throw away; else it is everything. A new file may be chosen so.

    Raises:
        NoSuchPathError: a path is nowhere.
        NoHunkError: a hunk that was named is not there.
        WouldOverwriteError: other files are in the way; nothing was done.
        SwitchInterruptedError: the files are in between two states.
        ChangedError, MovedError, OvertakenError: as for a commit.
    """
    copy.look()
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    found = examined(copy, paths)
    if picks is not None:
        thrown, rests = selected(copy, found, picks), without(copy, found, picks)
        left: tuple[Changed, ...] = ()
    else:
        left = tuple(change for change in found.changes if _stays(copy, change))
        thrown = found._replace(changes=tuple(c for c in found.changes if c not in left))
        rests = [Rest(change, change.source or change.path, None) for change in thrown.changes]
    if thrown.changes:
        from oxy.actions.throwing import throw_away

        throw_away(copy, thrown, rests, b"discard")
    tidy(copy, found)
    return Discarded(thrown, left)


def _stays(copy: WorkingCopy, change: Changed) -> bool:
    if change.kind == ADDED:
        return True
    return change.kind == DELETED and copy.noted.says(change.path) is False
