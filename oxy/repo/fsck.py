"""Proving a repository, and making its index anew (spec: store, ST26, ST27)."""

import os
from collections.abc import Iterator
from contextlib import suppress

from oxy.errors import CorruptionError, OxyError
from oxy.progress import Progress
from oxy.repo.check.blobs import Blobs
from oxy.repo.check.caches import check_trees
from oxy.repo.check.changes import Changes
from oxy.repo.check.finding import CHANGE, ROW, SEGMENT, Finding
from oxy.repo.check.graphs import check_graphs
from oxy.repo.check.objects import check_objects
from oxy.repo.place import CONTROL, find
from oxy.repo.reindexing import Reindexer
from oxy.repo.repository import Repository, identify, opened
from oxy.store import file, protocol
from oxy.store.protocol import IndexWriter

_KINDS = {protocol.CHANGE: "change", protocol.BLOB: "blob", protocol.OPERATION: "operation"}


def fsck(repository: Repository, progress: Progress) -> Iterator[Finding]:
    """Yield everything that is wrong: digests, references, lines, rows, caches.

    Cost: reads everything once, changes of texts that were edited twice; memory for one file
    and some bytes for each blob.
    """
    blobs = Blobs(repository.store)
    yield from check_objects(repository, blobs, progress)
    changes = Changes(repository, blobs)
    yield from changes.check(progress)
    if changes.are_rows_right:
        yield from check_graphs(repository, changes, progress)
        yield from check_trees(repository, progress)
    else:
        what = "paths, lines and kept trees are read through rows, and were not checked"
        yield Finding(ROW, what)


def rebuild(start: bytes) -> list[Finding]:
    """Make the index of the repository at or above a directory anew from its segments.

    Caches are removed, because they name changes by their numbers. What is damaged, and what
    needs that, has no rows afterwards.

    Returns:
        What is damaged, and what the old index had, where it can be read, that is lost.

    Raises:
        NoRepositoryError: there is none.
        StoreLockedError: another process is writing.
    """
    control = os.path.join(find(start), CONTROL)
    found: list[Finding] = []
    before = _counts(start)
    reindexer = Reindexer()

    def lenient(
        writer: IndexWriter, kind: int, number: int, name: bytes, data: bytes | None
    ) -> None:
        try:
            reindexer.index(writer, kind, number, data)
        except CorruptionError as error:
            found.append(Finding(CHANGE, str(error), name))

    damaged = file.rebuild(control, identify, lenient)
    _remove_caches(os.path.join(control, b"cache"))
    found += [
        Finding(SEGMENT, f"segment {segment} at offset {offset} is damaged: {what}")
        for segment, offset, what in damaged
    ]
    after = before | _counts(start)
    found += [
        Finding(SEGMENT, f"{count - after[what]} {what}s of the old index are in no segment")
        for what, count in before.items()
        if count > after[what]
    ]
    return found


def _counts(start: bytes) -> dict[str, int]:
    """Return how many objects of each kind the index knows; nothing where it is unusable."""
    try:
        with opened(start) as repository:
            return {what: repository.store.count(kind) for kind, what in _KINDS.items()}
    except (OxyError, OSError):
        return {}


def _remove_caches(directory: bytes) -> None:
    with suppress(FileNotFoundError):
        for name in os.listdir(directory):
            with suppress(IsADirectoryError):
                os.unlink(os.path.join(directory, name))
