"""Delete tracked files (spec: working-copy, W41)."""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.actions.restoring import EditedError
from oxy.actions.status import NoSuchPathError, examined
from oxy.actions.steps import REMOVED, Step, stepping
from oxy.errors import RequestError
from oxy.worktree.moves import record_at, standing
from oxy.worktree.reader import TreeReader
from oxy.worktree.snapshot import ADDED, DELETED, RENAMED, Changed, digest_of
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.workcopy import WorkingCopy
from oxy.worktree.writer import TreeWriter


class NotTrackedError(RequestError):
    """Nothing that is tracked is at a path."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"nothing at {os.fsdecode(path) or '.'} is tracked")
        self.path = path


class Removed(NamedTuple):
    """The files that were deleted, and new ones beside them, which stay."""

    paths: tuple[bytes, ...]
    left: tuple[bytes, ...]


def rm(copy: WorkingCopy, paths: Sequence[bytes]) -> Removed:
    """Delete tracked files at and below paths; the next commit records that.

    Nothing is lost: what is deleted is as the base state has it.

    Raises:
        NoSuchPathError, NotTrackedError: nothing, or nothing tracked, is at a path.
        EditedError: a file has edits; nothing was done.
        SwitchInterruptedError: the files are in between two states.
        ChangedError, UnwritableError: some files are deleted.
    """
    copy.look()
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    changes = {change.path: change for change in examined(copy, paths).changes}
    found: dict[bytes, bytes] = {}
    for path in paths:
        known = list(_tracked(copy, path))
        if not known:
            raise NotTrackedError(path)
        for each in known:
            record = record_at(copy, each)
            if record is not None and copy.noted.says(each) is not False:
                found[each] = record
    edited = [path for path in sorted(found) if _is_edited(copy, changes.get(path))]
    if edited:
        raise EditedError(edited)
    if not found:
        raise NoSuchPathError(paths[0])
    writer = TreeWriter(copy.fd)
    try:
        rows = tuple((path, b"", 0) for path in sorted(found))
        with stepping(copy, b" ".join((b"rm", *paths)), Step(REMOVED, rows)):
            for path, record in sorted(found.items()):
                writer.remove(path, over=record)
    finally:
        writer.close()
    left = tuple(path for path, change in changes.items() if change.kind == ADDED)
    return Removed(tuple(sorted(found)), left)


def _tracked(copy: WorkingCopy, path: bytes) -> Iterator[bytes]:
    """Yield where the files that the base state has lie now, at and below a path."""
    moves = standing(copy) if copy.has_moves else {}
    start = path + b"/" if path else b""
    for directory in copy.manifest.directories():
        above = directory + b"/" if directory else b""
        if not (above.startswith(start) or start.startswith(above) or path == above):
            continue
        for name in copy.manifest.names(directory).split(b"\0"):
            each = above + name
            if each not in moves and (each == path or each.startswith(start)):
                yield each
    for move in moves.values():
        if move.new == path or move.new.startswith(start):
            yield move.new


def _is_edited(copy: WorkingCopy, change: Changed | None) -> bool:
    if change is None or change.kind == DELETED:
        return False
    if change.kind != RENAMED or change.item is None or change.record is None:
        return True
    reader = TreeReader(copy.fd)
    try:
        digest = digest_of(reader, change.path, change.record)
    finally:
        reader.close()
    return digest != copy.content.digest(change.item) or not change.item.fits(change.record)
