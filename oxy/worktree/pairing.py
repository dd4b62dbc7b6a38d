"""Which deleted file became which added one (spec: names, moves are detected when recorded)."""

from typing import Final

from blake3 import blake3

from oxy.diff.renames import Candidate, match_renames
from oxy.diff.similarity import Fingerprint, fingerprint
from oxy.model.operation import KIND_SYMLINK, KIND_TEXT
from oxy.phase import phase
from oxy.worktree.content import Content
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
    changes = tuple(
        found.get(change.path, change)
        for change in snapshot.changes
        if change.path in found or change.path not in gone
    )
    return snapshot._replace(changes=changes)


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
