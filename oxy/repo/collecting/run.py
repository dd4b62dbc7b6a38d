"""One collection, from what is reached to a database without gaps (spec: store, ST29, ST30)."""

import os
from contextlib import suppress
from functools import partial
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.progress import Progress
from oxy.repo.collecting.loose import TAIL
from oxy.repo.collecting.reaching import Unreached, unreached
from oxy.repo.collecting.rows import remove_cached, remove_rows, touched
from oxy.repo.collecting.waiting import note, ripe
from oxy.repo.packs import pack_headers
from oxy.repo.promised import learn
from oxy.repo.repository import Repository
from oxy.store.errors import StoreBusyError
from oxy.store.file import FileStore
from oxy.store.protocol import BLOB, CHANGE, OPERATION, SIGNATURE, IndexWriter
from oxy.store.repacking import Wanted

TAIL_BYTES: Final = 8 << 20
"""Bytes that a command packs at most when it has ended."""


class Terms(NamedTuple):
    """How a collection goes; times are in microseconds.

    Args:
        now: the time.
        grace: how long nothing must have reached what is removed.
        log: how old an operation is when the log lets go of it.
    """

    now: int
    grace: int
    log: int


class Sizes(NamedTuple):
    """Bytes under the directory of the store: truth, index, caches, and all."""

    segments: int
    database: int
    caches: int

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self)


class Removed(NamedTuple):
    """How many objects went, and how many rows of the cache."""

    changes: int
    blobs: int
    signatures: int
    operations: int
    cached: int = 0


class Collected(NamedTuple):
    """What a collection did, or would: `waiting` objects go after their grace period."""

    before: Sizes
    after: Sizes
    removed: Removed
    waiting: int
    moved: int


def sizes(repository: Repository) -> Sizes:
    """Return how large the store is. Cost: a look at each of its files."""
    found = {b"segments": 0, b"cache": 0, b"": 0}
    for directory, _, names in os.walk(repository.control):
        part = os.path.relpath(directory, repository.control).split(b"/")[0]
        for name in names:
            with suppress(OSError):
                size = os.lstat(os.path.join(directory, name)).st_size
                found[part if part in found else b""] += size
    return Sizes(found[b"segments"], found[b""], found[b"cache"])


def plan(repository: Repository, terms: Terms) -> tuple[dict[int, frozenset[int]], Unreached]:
    """Return what goes now, by kind, and all that nothing reaches. Cost: as `unreached`."""
    lost = unreached(repository, terms.now - terms.log)
    gone = ripe(repository, lost.objects, terms.now, terms.grace)
    if lost.operations:
        gone[OPERATION] = frozenset(lost.operations)
    return gone, lost


def told(gone: dict[int, frozenset[int]], cached: int = 0) -> Removed:
    """Return how many objects go."""
    changes, blobs, signatures, operations = (
        len(gone.get(kind, ())) for kind in (CHANGE, BLOB, SIGNATURE, OPERATION)
    )
    return Removed(changes, blobs, signatures, operations, cached)


def waits(gone: dict[int, frozenset[int]], lost: Unreached) -> int:
    """Return how many objects nothing reaches that stay for now."""
    return sum(len(numbers) - len(gone.get(kind, ())) for kind, numbers in lost.objects.items())


def collect(repository: Repository, terms: Terms, progress: Progress) -> Collected:
    """Write everything anew that stays, and let go of the rest.

    Cost: reads everything twice; memory for some frames and the ids of all blobs. Other writers
    wait while objects move, readers for a commit at most, and while the database is put back.

    Raises:
        CorruptionError: something is damaged; nothing is removed.
    """
    store = repository.store
    before = sizes(repository)
    moved, gone, lost = 0, dict[int, frozenset[int]](), Unreached({}, BitMap())
    cached = remove_cached(repository, {}, set())
    if isinstance(store, FileStore):
        with store.writing():
            # Under the lock nobody names what is about to go.
            gone, lost = plan(repository, terms)
            nodes = touched(store, gone)
            # Before it is gone: a cache that tells of what is gone would be wrong.
            cached += remove_cached(repository, gone, nodes)
            moved = store.repack(Wanted(1, gone, partial(_rows, gone), progress))
            note(repository, lost.objects, terms.now)
            repository.forget()
            with suppress(StoreBusyError):
                store.compact_database()
    if gone.get(CHANGE) and repository.is_lazy:
        # What only changes named that are gone is lacked no more.
        with store.transaction() as transaction:
            learn(transaction)
    repository.cache.compact()
    return Collected(before, sizes(repository), told(gone, cached), waits(gone, lost), moved)


def _rows(gone: dict[int, frozenset[int]], writer: IndexWriter) -> None:
    remove_rows(writer, gone)
    pack_headers(writer, writer.count(CHANGE))


def collect_some(repository: Repository, progress: Progress) -> int:
    """Pack what commands have written since, if it is much and not too much.

    Nothing is removed. Cost: reads and writes `TAIL_BYTES` bytes at most.

    Returns:
        How many objects were packed.
    """
    store = repository.store
    if not isinstance(store, FileStore) or not store.loose() >= TAIL:
        return 0
    with store.writing():
        first = store.tail(TAIL_BYTES)
        rows = partial(_rows, {})
        if first is None:
            store.finish_segment(rows)
            return 0
        return store.repack(Wanted(first, {}, rows, progress))
