"""Blame of a file as it is on disk (spec: command-line, L54)."""

from collections.abc import Iterable, Iterator

from oxy.actions.blame import Line, NotTextError, blame
from oxy.actions.past import Past
from oxy.actions.status import examined
from oxy.diff.lines import edits_of_lines
from oxy.model.operation import KIND_TEXT
from oxy.worktree.loading import load
from oxy.worktree.reader import TreeReader
from oxy.worktree.snapshot import ADDED, Changed
from oxy.worktree.workcopy import WorkingCopy


def blame_on_disk(
    copy: WorkingCopy, path: bytes, past: Past, *, deleted: bool = False
) -> list[Line]:
    """Return the lines of a file as it is on disk; those that are not recorded have no origin.

    A file that is not there is shown as the base state has it.
    Cost: as `blame`; where the file differs, a diff.

    Raises:
        NoPathError, IsDirectoryError, NotTextError: there is no such text.
    """
    change = _changed(copy, path)
    repository, state = copy.repository, copy.base.state
    if change is None or change.record is None:
        return blame(repository, state, path, past, deleted=deleted)
    lines = _on_disk(copy, change)
    if change.item is None or change.item.kind != KIND_TEXT:
        return [Line(number, text, None) for number, text in enumerate(lines, 1)]
    recorded = blame(repository, state, change.source or path, past, deleted=deleted)
    return list(_numbered(_merged(recorded, lines, deleted=deleted)))


def _changed(copy: WorkingCopy, path: bytes) -> Changed | None:
    """Return how a file differs from the base state, also where it was moved by hand."""
    if copy.manifest.holds(path):
        return None
    found = _of_path(examined(copy, [path]).changes, path)
    if found is not None and found.kind == ADDED:
        return _of_path(examined(copy).changes, path)
    return found


def _of_path(changes: Iterable[Changed], path: bytes) -> Changed | None:
    return next((change for change in changes if change.path == path), None)


def _on_disk(copy: WorkingCopy, change: Changed) -> list[bytes]:
    reader = TreeReader(copy.fd)
    try:
        loaded = load(reader, change.path, change.record or b"")
    finally:
        reader.close()
    if loaded.kind != KIND_TEXT or loaded.data is None:
        raise NotTextError(change.path)
    lines = loaded.data.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _merged(recorded: list[Line], lines: list[bytes], *, deleted: bool) -> Iterator[Line]:
    """Yield the lines of a file, with what is deleted in it where that is asked for."""
    living = [line for line in recorded if line.deleted is None]
    left = iter(recorded)

    def upto(count: int) -> Iterator[Line]:
        """Yield recorded lines until so many living ones of them have come."""
        while count:
            line = next(left)
            count -= line.deleted is None
            yield line

    done = 0
    for edit in edits_of_lines([line.text for line in living], lines):
        yield from upto(edit.old_start - done)
        for line in upto(edit.old_count):
            if deleted:
                yield line if line.deleted is not None else line._replace(deleted=())
        fresh = lines[edit.new_start : edit.new_start + edit.new_count]
        yield from (Line(0, text, None) for text in fresh)
        done = edit.old_start + edit.old_count
    yield from left


def _numbered(lines: Iterable[Line]) -> Iterator[Line]:
    number = 0
    for line in lines:
        if line.deleted is None:
            number += 1
            yield line._replace(number=number)
        else:
            yield line._replace(number=0)
