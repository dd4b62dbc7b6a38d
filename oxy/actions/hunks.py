"""What differs, hunk by hunk (spec: command-line, hunks; working-copy, W18)."""

from collections.abc import Iterator

from oxy.actions.diff import working
from oxy.actions.patch import FileDiff
from oxy.worktree.hunks import FileHunks, hunks_of
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.workcopy import WorkingCopy


def hunks(copy: WorkingCopy, snapshot: Snapshot) -> Iterator[FileHunks]:
    """Yield the hunks of what differs, numbered among what was looked at.

    Cost: the files that differ.

    Raises:
        ChangedError: a file was written meanwhile.
    """
    return hunks_of(copy, snapshot.changes)


def difference_of(copy: WorkingCopy, file: FileHunks) -> FileDiff | None:
    """Return the difference that the hunks of a file are of.

    It is None where only a choice among values in conflict is to be recorded.
    """
    return next(working(copy, [file.change]), None)
