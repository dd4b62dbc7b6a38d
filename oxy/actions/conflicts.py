"""What is in conflict in the base state, and how far the files settle it (spec: conflicts).

Loaded only where the base state has conflicts.
"""

from collections.abc import Iterator, Sequence
from oxy.typed import Final, NamedTuple

from oxy.actions.paths import is_asked
from oxy.model.operation import BYTES, FINAL_LF, KIND, KIND_TEXT, MODE, PIN, PLACE, TARGET
from oxy.repo.tree import (
    DELETED_EDITED,
    DISPUTED_CONTENT,
    DISPUTED_DIRECTORY,
    DISPUTED_FINAL_LF,
    DISPUTED_KIND,
    DISPUTED_MODE,
    DISPUTED_PATH,
    DISPUTED_PLACE,
    DISPUTED_TEXT,
    Entry,
    disputed,
)
from oxy.repo.trees import tree_of
from oxy.worktree.conflicted import marked_in
from oxy.worktree.listing import UnreadableError
from oxy.worktree.reader import NotAFileError, TreeReader
from oxy.worktree.resolutions import read
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.unmarked import MarkersLeftError, read_back
from oxy.worktree.workcopy import WorkingCopy

KINDS: Final = {
    DISPUTED_TEXT: "text",
    DISPUTED_PLACE: "place",
    DISPUTED_MODE: "mode",
    DISPUTED_CONTENT: "content",
    DISPUTED_KIND: "kind",
    DISPUTED_FINAL_LF: "final-lf",
    DISPUTED_PATH: "path",
    DISPUTED_DIRECTORY: "directory",
    DELETED_EDITED: "deleted",
}
"""What each bit of `disputed` is called (spec: conflicts, C3)."""

NAMES: Final = {
    PLACE: ("place", "deleted"),
    MODE: ("mode",),
    KIND: ("kind",),
    FINAL_LF: ("final-lf",),
    BYTES: ("content",),
    TARGET: ("content",),
    PIN: ("content",),
}
"""The kinds of conflict that a write of each register settles."""


class Conflicted(NamedTuple):
    """A file of the base state that is in conflict.

    Of the conflicts of a text `lines` are the first and the last line, from 1, of those that
    stand in the file untouched; `left` is a line with a marker that should not be there.
    `chosen` are the kinds for which a value was chosen that is not yet recorded. A file that
    `is_away` is one that a sparse working copy does not have: it settles nothing.
    """

    path: bytes
    kinds: tuple[str, ...]
    lines: tuple[tuple[int, int], ...] = ()
    left: int | None = None
    chosen: tuple[str, ...] = ()
    is_away: bool = False

    @property
    def is_edited_out(self) -> bool:
        """Whether the file holds what resolves all the conflicts of its text."""
        has_lines = bool(self.lines) or self.left is not None
        return "text" in self.kinds and not has_lines and not self.is_away


def conflicts(
    copy: WorkingCopy, snapshot: Snapshot, only: Sequence[bytes] = ()
) -> tuple[Conflicted, ...]:
    """Return what is in conflict, by path, at some paths or everywhere.

    Args:
        copy: the working copy.
        snapshot: how its files differ from the base state.
        only: the paths; none is everything.

    Cost: the texts in conflict and their files; nothing where the state has no conflict.

    Raises:
        ChangedError: a file was written meanwhile.
    """
    reader = TreeReader(copy.fd)
    try:
        return tuple(
            _looked_at(copy, path, entry, reader)
            for path, entry in in_conflict(copy, snapshot, only)
        )
    finally:
        reader.close()


def refuse_markers(copy: WorkingCopy, snapshot: Snapshot) -> None:
    """Refuse to record files in which markers are left.

    Raises:
        MarkersLeftError: it names all of them.
        ChangedError: a file was written meanwhile.
    """
    changed = {change.path for change in snapshot.changes}
    left = [
        (found.path, found.left)
        for found in conflicts(copy, snapshot)
        if found.left is not None and found.path in changed
    ]
    if left:
        raise MarkersLeftError(left)


def disputed_paths(copy: WorkingCopy) -> list[bytes]:
    """Return the paths of the base state that are in conflict."""
    if not copy.here.disputed:
        return []
    return [path for path, _ in disputed(tree_of(copy.repository, copy.base.state))]


def _chosen(copy: WorkingCopy, entry: Entry) -> tuple[str, ...]:
    noted = read(copy.control, copy.here.state)
    node = copy.repository.nodes.origin(entry.node)[0] if noted else b""
    names = {name for held, register in noted if held == node for name in NAMES[register]}
    return tuple(name for name in kinds_of(entry) if name in names)


def kinds_of(entry: Entry) -> tuple[str, ...]:
    """Return what of a file is in conflict, by name."""
    return tuple(name for bit, name in KINDS.items() if entry.disputed & bit)


def in_conflict(
    copy: WorkingCopy, snapshot: Snapshot, only: Sequence[bytes] = ()
) -> Iterator[tuple[bytes, Entry]]:
    """Yield (path, file) of what is in conflict in the base state, by path.

    A file that was moved in the working copy is told of where it is now.
    """
    if not copy.here.disputed:
        return
    places = {c.source or c.path: c.path for c in snapshot.changes if c.item is not None}
    for path, entry in disputed(tree_of(copy.repository, copy.base.state)):
        if is_asked(path, only):
            yield places.get(path, path), entry


def has_text(entry: Entry) -> bool:
    """Tell whether the lines of a text are in conflict."""
    return entry.kind == KIND_TEXT and bool(entry.disputed & DISPUTED_TEXT)


def _looked_at(copy: WorkingCopy, path: bytes, entry: Entry, reader: TreeReader) -> Conflicted:
    found = Conflicted(path, kinds_of(entry), chosen=_chosen(copy, entry))
    if not copy.has(path):
        return found._replace(is_away=True)
    if not has_text(entry):
        return found
    try:
        data = reader.read(path).data
    except (UnreadableError, NotAFileError):
        return found
    text = marked_in(copy.repository, entry.node, copy.content.state)
    back = read_back(text, data)
    heights = [block.marked.count(b"\n") for block in text.blocks]
    lines = tuple((one.line + 1, one.line + heights[one.conflict]) for one in back.untouched)
    return found._replace(lines=lines, left=back.left)
