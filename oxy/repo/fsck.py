"""Proving a repository, and making its index anew (spec: store, ST26, ST27)."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from oxy.typed import Final

from oxy.errors import CorruptionError, OxyError
from oxy.processors import processors
from oxy.progress import Progress, Unwatched
from oxy.repo.aside import Aside
from oxy.repo.check.blobs import Blobs
from oxy.repo.check.caches import check_trees
from oxy.repo.check.changes import Changes
from oxy.repo.check.finding import CHANGE, ROW, SEGMENT, Finding
from oxy.repo.check.graphs import check_begun, check_graphs
from oxy.repo.check.objects import KINDS, check_objects
from oxy.repo.place import CONTROL, Home, PointerError, find, home, pointer
from oxy.repo.refs import WORKSPACE, WORKSPACE_PATH
from oxy.repo.reindexing import Reindexer
from oxy.repo.repository import Repository, identify, opened
from oxy.store import file, protocol
from oxy.store.protocol import IndexWriter, Reader

PAYS: Final = 500
"""From so many changes on, a process of their own is worth its start."""


def fsck(repository: Repository, progress: Progress) -> Iterator[Finding]:
    """Yield everything that is wrong: digests, references, lines, rows, caches.

    Cost: reads everything once, changes of texts that were edited twice; memory for one file
    and some bytes for each blob.
    """
    gaps = list(_gaps(repository))
    if gaps:
        yield from gaps
        return
    beside = _Beside(repository)
    try:
        blobs = Blobs(repository.store)
        yield from check_objects(repository, blobs, progress)
        changes = Changes(repository, blobs)
        yield from changes.check(progress)
        if changes.are_rows_right:
            yield from check_begun(repository, changes.unproven)
            yield from beside.check(progress)
        else:
            what = "paths, lines and kept trees are read through rows, and were not checked"
            yield Finding(ROW, what)
    finally:
        beside.end()


def _gaps(repository: Repository) -> Iterator[Finding]:
    """Yield which numbers of objects are not dense (M2): one flipped bit makes billions."""
    store = repository.store
    for kind in store.gaps() if isinstance(store, file.FileStore) else ():
        what = f"the index has gaps in the numbers of {KINDS.get(kind, 'unknown object')}s"
        yield Finding(ROW, f"{what}; nothing else was checked")


class _Beside:
    """The check of edited texts and kept trees: beside the others where that pays, or after."""

    __slots__ = ("_aside", "_repository")

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._aside: Aside[Finding] | None = None
        is_long = repository.store.count(protocol.CHANGE) >= PAYS
        if is_long and isinstance(repository.store, file.FileStore) and processors() > 1:
            self._aside = Aside(partial(_read_through_rows_of, repository.root), Finding._make)

    def check(self, progress: Progress) -> Iterable[Finding]:
        """Return what is wrong with them."""
        found = None if self._aside is None else self._aside.answers()
        return _read_through_rows(self._repository, progress) if found is None else found

    def end(self) -> None:
        """Leave no process behind."""
        if self._aside is not None:
            self._aside.end()


def _read_through_rows(repository: Repository, progress: Progress) -> Iterator[Finding]:
    yield from check_graphs(repository, progress)
    yield from check_trees(repository, progress)


def _read_through_rows_of(root: bytes) -> Iterator[Finding]:
    with opened(root) as repository:
        yield from _read_through_rows(repository, Unwatched())


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
    control = home(find(start)).control
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
    for cache in _caches_of_workspaces(start):
        _remove_caches(cache)
    _learn_promises(start)
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


def _learn_promises(start: bytes) -> None:
    """Note again what a lazy repository lacks: the rows of that are gone (SY87)."""
    from oxy.repo.promised import learn

    with suppress(OxyError, OSError), opened(start) as repository:
        if repository.is_lazy:
            with repository.store.transaction() as transaction:
                learn(transaction)


def _counts(start: bytes) -> dict[str, int]:
    """Return how many objects of each kind the index knows; nothing where it is unusable."""
    try:
        with opened(start) as repository:
            return {what: _there(repository.store, kind) for kind, what in KINDS.items()}
    except (OxyError, OSError):
        return {}


def _there(store: Reader, kind: int) -> int:
    return store.count(kind) - len(store.all_gone(kind))


def _caches_of_workspaces(start: bytes) -> list[bytes]:
    """Return the caches of the workspaces that are where they were."""
    found = []
    with suppress(OxyError, OSError), opened(start) as repository:
        for name, target in repository.refs.all(WORKSPACE):
            control = os.path.join(dict(target.extra).get(WORKSPACE_PATH, b""), CONTROL)
            with suppress(PointerError, OSError):
                if pointer(control) == Home(repository.control, name):
                    found.append(os.path.join(control, b"cache"))
    return found


def _remove_caches(directory: bytes) -> None:
    with suppress(FileNotFoundError):
        for name in os.listdir(directory):
            with suppress(IsADirectoryError):
                os.unlink(os.path.join(directory, name))
