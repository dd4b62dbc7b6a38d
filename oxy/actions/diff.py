"""How files differ, as patches (spec: command-line, diff).

For the content of a binary file its digest stands here; it is read when it is written out.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from oxy.typed import Final

from oxy.actions.patch import FileDiff, Side, Source, difference, git_mode, pinned
from oxy.actions.paths import is_asked
from oxy.diff.renames import Candidate, match_renames
from oxy.diff.similarity import Fingerprint, fingerprint
from oxy.model.operation import KIND_BINARY, KIND_SUBREPO, KIND_TEXT
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Entry, differences
from oxy.repo.trees import tree_of
from oxy.worktree.content import Content
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.loading import again, load
from oxy.worktree.reader import TreeReader
from oxy.worktree.snapshot import Changed
from oxy.worktree.workcopy import WorkingCopy

_NOTHING: Final = Fingerprint(0, {})


def working(copy: WorkingCopy, changes: Sequence[Changed]) -> Iterator[FileDiff]:
    """Yield how the working copy differs from its base state, in order of what changed.

    Cost: the files that differ; two of them in memory at once.

    Raises:
        ChangedError: a file was written meanwhile.
    """
    reader = TreeReader(copy.fd)
    try:
        for change in changes:
            old = None
            if change.item is not None:
                path = change.path if change.source is None else change.source
                old = _held(path, change.item, copy.content)
            diff = difference(old, _on_disk(copy, reader, change))
            if diff is not None:
                yield diff
    finally:
        reader.close()


def between(
    repository: Repository, old: Name, new: Name, only: Sequence[bytes] = ()
) -> Iterator[FileDiff]:
    """Yield how the files of two states differ, by path, with renames.

    Cost: the nodes that the states do not share, and the files that differ.
    """
    before, after = Content(repository, old), Content(repository, new)

    found = differences(tree_of(repository, old), tree_of(repository, new))
    wanted = [item for item in found if is_asked(item[0], only)]
    before.foresee(_item(old) for _, old, _ in wanted if old and old.kind == KIND_TEXT)
    after.foresee(_item(new) for _, _, new in wanted if new and new.kind == KIND_TEXT)
    for path, was, source, became in _with_renames(wanted, before, after):
        one = None if was is None else _held(source, _item(was), before)
        other = None if became is None else _held(path, _item(became), after)
        diff = difference(one, other)
        if diff is not None:
            yield diff


def _with_renames(
    wanted: Sequence[tuple[bytes, Entry | None, Entry | None]], before: Content, after: Content
) -> Iterator[tuple[bytes, Entry | None, bytes, Entry | None]]:
    """Yield (path, old file, its path, new file), a rename in place of both its ends."""
    removed = [(path, old) for path, old, new in wanted if old is not None and new is None]
    added = [(path, new) for path, old, new in wanted if old is None and new is not None]
    pairs = match_renames(
        [_candidate(path, entry, before) for path, entry in removed] if added else [],
        [_candidate(path, entry, after) for path, entry in added] if removed else [],
    )
    sources = {added[pair.added][0]: removed[pair.removed] for pair in pairs}
    gone = {path for path, _ in sources.values()}
    for path, old, new in wanted:
        if path in sources:
            source, was = sources[path]
            yield path, was, source, new
        elif path not in gone or new is not None:
            yield path, old, path, new


def _candidate(path: bytes, entry: Entry, content: Content) -> Candidate:
    item = _item(entry)
    if item.kind != KIND_TEXT:
        return Candidate(path, bytes([item.kind]) + content.digest(item), lambda: _NOTHING)
    digest = content.digest(item)
    return Candidate(path, digest, lambda: fingerprint(content.read(item)))


def _item(entry: Entry) -> Item:
    return Item(entry.node, entry.kind, entry.mode, entry.digest or UNHASHED)


def _held(path: bytes, item: Item, content: Content) -> Side:
    mode = git_mode(item.kind, item.mode)
    if item.kind == KIND_BINARY:
        source = Source(content.size(item), partial(content.chunks, item))
        return Side(path, mode, content.digest(item), binary=True, source=source)
    data = content.read(item)
    return Side(path, mode, pinned(data) if item.kind == KIND_SUBREPO else data, binary=False)


def _on_disk(copy: WorkingCopy, reader: TreeReader, change: Changed) -> Side | None:
    if change.record is None:
        return None
    loaded = load(reader, change.path, change.record)
    mode = git_mode(loaded.kind, loaded.mode)
    if loaded.kind == KIND_BINARY or loaded.data is None:
        chunks = partial(_again, copy, change.path, change.record, loaded.digest)
        source = Source(loaded.size, chunks)
        return Side(change.path, mode, loaded.digest, binary=True, source=source)
    return Side(change.path, mode, loaded.data, binary=False)


def _again(copy: WorkingCopy, path: bytes, record: bytes, digest: bytes) -> Iterator[bytes]:
    reader = TreeReader(copy.fd)
    try:
        yield from again(reader, path, record, digest)
    finally:
        reader.close()
