"""What differs, hunk by hunk (spec: command-line, hunks; working-copy, W18)."""

from collections.abc import Iterator, Sequence

from oxy.actions.diff import working
from oxy.actions.patch import FileDiff
from oxy.actions.status import examined
from oxy.worktree.hunks import FileHunks, hunks_of
from oxy.worktree.workcopy import WorkingCopy


def hunks(copy: WorkingCopy, only: Sequence[bytes] = ()) -> Iterator[FileHunks]:
    """Yield the hunks at some paths or everywhere, numbered among what is looked at.

    Cost: a stat for each file, and the files that differ.

    Raises:
        NoSuchPathError: a path that was named is nowhere.
        ChangedError: a file was written meanwhile.
    """
    return hunks_of(copy, examined(copy, only).changes)


def difference_of(copy: WorkingCopy, file: FileHunks) -> FileDiff | None:
    """Return the difference that the hunks of a file are of.

    It is None where only a choice among values in conflict is to be recorded.
    """
    return next(working(copy, [file.change]), None)
