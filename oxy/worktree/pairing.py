"""Which deleted file became which added one (spec: names, N31)."""

from collections.abc import Sequence
from oxy.typed import Final

from blake3 import blake3

from oxy.diff.renames import Candidate, match_renames
from oxy.diff.similarity import Fingerprint, fingerprint
from oxy.model.operation import KIND_SYMLINK, KIND_TEXT
from oxy.phase import phase
from oxy.worktree.content import Content
from oxy.worktree.item import size_of
from oxy.worktree.loading import load
from oxy.worktree.reader import TreeReader
from oxy.worktree.snapshot import ADDED, DELETED, RENAMED, Changed, Snapshot
from oxy.worktree.workcopy import WorkingCopy

_NOTHING: Final = Fingerprint(0, {})
_LINK: Final = b"symlink"
_EMPTY: Final = blake3(b"").digest()


def with_renames(snapshot: Snapshot, copy: WorkingCopy) -> Snapshot:
    """Return the snapshot with a rename in place of each deletion and addition that match.

    Cost: nothing unless there are both; else reading what was added, and the texts that were
    deleted, within the bounds of `match_renames`.
    """
    removed = [change for change in snapshot.changes if change.kind == DELETED]
    added = [change for change in snapshot.changes if change.kind == ADDED]
    added += _moved_whole(snapshot.large, removed, copy.content) if removed else []
    if not removed or not added:
        return snapshot
    reader = TreeReader(copy.fd)
    try:
        with phase("renames"):
            pairs = match_renames(
                [_removed(change, copy.content) for change in removed],
                [_added(change, reader) for change in added],
            )
    finally:
        reader.close()
    gone = {removed[pair.removed].path for pair in pairs}
    found = {
        added[pair.added].path: Changed(
            added[pair.added].path,
            RENAMED,
            removed[pair.removed].item,
            added[pair.added].record,
            removed[pair.removed].path,
        )
        for pair in pairs
    }
    large = tuple(change for change in snapshot.large if change.path not in found)
    changes = [c for c in snapshot.changes if c.path not in found and c.path not in gone]
    changes += found.values()
    changes.sort(key=lambda change: change.path)
    return snapshot._replace(changes=tuple(changes), large=large)


def _moved_whole(
    large: Sequence[Changed], removed: Sequence[Changed], content: Content
) -> list[Changed]:
    """Return the new files over the limit that may be deleted ones, by their size.

    What is tracked stays tracked where it is moved, and needs no naming.
    """
    if not large:
        return []
    sizes = {content.size(change.item) for change in removed if change.item is not None}
    return [c for c in large if c.record is not None and size_of(c.record) in sizes]


def _removed(change: Changed, content: Content) -> Candidate:
    item = change.item
    if item is None:
        return Candidate(change.path, b"", lambda: _NOTHING)
    digest = content.digest(item)
    if item.kind == KIND_TEXT:
        return Candidate(change.path, _worth(digest), lambda: fingerprint(content.read(item)))
    marked = _LINK + digest if item.is_symlink else digest
    return Candidate(change.path, _worth(marked), lambda: _NOTHING)


def _added(change: Changed, reader: TreeReader) -> Candidate:
    record = change.record or b""
    loaded = load(reader, change.path, record)
    kind, digest = loaded.kind, loaded.digest
    marked = _LINK + digest if kind == KIND_SYMLINK else digest
    # Not the text itself is kept until it is compared, but the way to it: there may be many.
    del loaded

    def prints() -> Fingerprint:
        if kind != KIND_TEXT:
            return _NOTHING
        return fingerprint(load(reader, change.path, record).data or b"")

    return Candidate(change.path, _worth(marked), prints)


def _worth(digest: bytes) -> bytes:
    """Return a digest for comparison: that of nothing says nothing."""
    return b"" if digest == _EMPTY else digest
