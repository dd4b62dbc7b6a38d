"""The store on files: segments, their index, the writer lock (spec: store).

lock                  held by the one that writes
index.db              the database, with its journal index.db-journal
segments/000001.oxs   and so on

What only writing needs is imported when something is written: start-up is part of the product.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from oxy.typed import TYPE_CHECKING, Final

from oxy.store.database import Database
from oxy.store.errors import (
    DatabaseDamagedError,
    SegmentDamagedError,
    StoreBusyError,
    StoreExistsError,
    StoreIOError,
    StoreLockedError,
    TransactionStateError,
)
from oxy.store.index import Index
from oxy.store.limits import LOCK_WAIT
from oxy.store.reader import FileReader, Pending, Session, is_behind
from oxy.store.segment import HEADER_SIZE, SegmentFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from oxy.store.frame import Packer
    from oxy.store.index import Located
    from oxy.store.lock import WriterLock
    from oxy.store.protocol import (
        Durability,
        Identify,
        IndexWriter,
        Reader,
        Reindex,
        Transaction,
    )
    from oxy.store.repacking import Wanted
    from oxy.store.scan import Damage, Found
    from oxy.store.transaction import FileTransaction

DATABASE: Final = b"index.db"
DEFAULT_LEVEL: Final = 3


def no_rows(
    _writer: IndexWriter, _kind: int, _number: int, _id: bytes, _payload: bytes | None
) -> None:
    """Derive no rows from an object: a Reindex for who keeps none."""


class FileStore(FileReader):
    """A Store in a directory (see protocol)."""

    __slots__ = (
        "_busy",
        "_durability",
        "_given_up",
        "_level",
        "_open",
        "_packer",
        "_path",
        "_reindex",
        "_session",
        "_wait",
    )

    def __init__(
        self,
        path: bytes,
        session: Session,
        durability: Durability,
        reindex: Reindex,
        level: int,
        wait: float,
    ) -> None:
        super().__init__(session)
        self._path = path
        self._session = session
        self._busy = False
        self._open: Transaction | None = None
        self._wait = wait
        self._durability = durability
        self._reindex = reindex
        self._level = level
        self._packer: Packer | None = None
        self._given_up: int | None = None

    @classmethod
    def create(
        cls,
        path: bytes,
        identify: Identify,
        *,
        durability: Durability = "safe",
        reindex: Reindex = no_rows,
    ) -> FileStore:
        """Make an empty store in a directory, which is made if it is missing, and open it.

        Raises:
            StoreExistsError: there is one.
        """
        from oxy.store.recovery import rebuild_database
        from oxy.store.writer import sync_path

        try:
            os.makedirs(_segments(path), exist_ok=True)
        except OSError as error:
            raise StoreIOError.of(path, "create", error) from error
        with _lock(path, LOCK_WAIT):
            if os.path.lexists(_database_path(path)) or os.listdir(_segments(path)):
                raise StoreExistsError(path)
            # No database may be durable where the directory that it tells of is not.
            sync_path(path)
            rebuild_database(
                _segments(path), _database_path(path), identify, no_rows, LOCK_WAIT
            )
            sync_path(os.path.join(path, b".."))
        return cls.open(path, identify, durability=durability, reindex=reindex)

    @classmethod
    def open(
        cls,
        path: bytes,
        identify: Identify,
        *,
        durability: Durability = "safe",
        reindex: Reindex = no_rows,
        wait: float = LOCK_WAIT,
        level: int = DEFAULT_LEVEL,
        recovers: bool = True,
    ) -> FileStore:
        """Open a store, and index what a crash has left unindexed if it may be written.

        Cost: opening SQLite and two stats, where nothing is left to index.

        Args:
            path: the directory.
            identify: proves payloads when they are read.
            durability: of transactions that do not say otherwise.
            reindex: writes the rows of objects that recovery finds.
            wait: how many seconds to wait for another writer or commit.
            level: how hard zstd tries.
            recovers: whether what a crash left is indexed; somebody else's store is only read.

        Raises:
            DatabaseDamagedError: the database is missing, empty or not sound; see `rebuild`.
            FormatTooNewError: the store is of a later format.
        """
        try:
            database = Database.open(_database_path(path), wait)
        except DatabaseDamagedError:
            if not recovers or not _installed(path):
                raise
            database = Database.open(_database_path(path), wait)
        session = Session(Index(database), SegmentFiles(_segments(path)), Pending(), identify)
        store = cls(path, session, durability, reindex, level, wait)
        try:
            if recovers and is_behind(session):
                store.recover()
        except BaseException:
            store.close()
            raise
        return store

    def recover(self) -> None:
        """Index what a crash left, unless a writer is at work or nothing can be written.

        What keeps it from being done is no hindrance to reading, and is raised when writing.
        """
        with (
            suppress(StoreLockedError, StoreIOError, StoreBusyError, SegmentDamagedError),
            _lock(self._path, 0),
        ):
            self._settle()

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """See Store."""
        database = self._lookup.database
        if database.in_transaction:
            yield self
            return
        database.begin_reading()
        try:
            yield self
        finally:
            database.rollback()

    @contextmanager
    def transaction(self, durability: Durability | None = None) -> Iterator[Transaction]:
        """See Store."""
        if self._busy or self._lookup.database.in_transaction:
            message = "a transaction is begun inside another, or inside a snapshot"
            raise TransactionStateError(message)
        with _lock(self._path, self._wait):
            self._settle()
            transaction = self._begin(durability or self._durability)
            self._busy, self._open = True, transaction
            try:
                yield transaction
                transaction.commit()
            except BaseException:
                if transaction.rollback():
                    self._given_up = self._lookup.position()[0]
                raise
            finally:
                self._busy, self._open = False, None

    def joining(self) -> AbstractContextManager[Transaction]:
        """See Store."""
        return self.transaction() if self._open is None else nullcontext(self._open)

    def close(self) -> None:
        """See Store."""
        self._files.forget()
        self._lookup.database.close()

    def position(self) -> tuple[int, int]:
        """Return the segment that is written to and where its index ends; (0, 0) if none."""
        return self._lookup.position()

    def objects_at(self, segment: int, offset: int) -> list[tuple[int, int, bytes]]:
        """Return (kind, number, id) of the objects in the frame at a place.

        For naming what a damaged frame held. Cost: reads the whole index of objects.
        """
        return self._lookup.objects_at(segment, offset)

    def located_many(self, kind: int, numbers: Sequence[int]) -> Iterable[Located]:
        """Return the number, id and place of those that exist of some, at most a query's."""
        return self._lookup.located_many(kind, numbers).values()

    def gaps(self) -> list[int]:
        """Return the kinds of objects that lack numbers, which nobody may walk through then."""
        return self._lookup.gaps()

    def is_gone(self, kind: int, object_id: bytes) -> bool:
        """Tell whether an object was removed."""
        return self._lookup.is_gone(kind, object_id)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers away for the length of a `with` block.

        Raises:
            StoreLockedError: another process is writing.
        """
        if self._busy or self._lookup.database.in_transaction:
            message = "the segments are written anew inside a transaction or a snapshot"
            raise TransactionStateError(message)
        with _lock(self._path, self._wait):
            self._settle()
            self._busy = True
            try:
                yield
            finally:
                self._busy = False

    def repack(self, wanted: Wanted) -> int:
        """Write segments anew inside `writing`; return how many objects were moved.

        Readers go on. Cost and errors: see `repacking.repack`.
        """
        from oxy.store.repacking import repack

        self._require_lock()
        return repack(self._session, wanted)

    def finish_segment(self, rows: Callable[[IndexWriter], None]) -> None:
        """Let what comes next begin a segment, and change rows with it, inside `writing`."""
        from oxy.store.repacking import finish

        self._require_lock()
        finish(self._session, rows)

    def loose(self) -> int:
        """Return how many bytes of frames are in the segment that is written to."""
        return max(self._lookup.position()[1] - HEADER_SIZE, 0)

    def _require_lock(self) -> None:
        if not self._busy:
            message = "the segments are written anew without the lock"
            raise TransactionStateError(message)

    def tail(self, most: int) -> int | None:
        """Return the segment from which on few bytes are worth to be written anew, if any."""
        from oxy.store.repacking import tail

        return tail(self._session, most)

    def compact_database(self) -> None:
        """Write the database anew without its gaps, inside `writing`.

        Raises:
            StoreBusyError: readers kept it for too long; it is as it was.
        """
        self._require_lock()
        self._lookup.database.compact()

    def check_database(self) -> list[str]:
        """Return what SQLite finds wrong, and ends that are. Cost: reads the whole database."""
        from oxy.store.ends import wrong_end

        wrong = wrong_end(self._session)
        return [*self._lookup.database.sound(), *([wrong] if wrong else [])]

    def _settle(self) -> None:
        if is_behind(self._session):
            from oxy.store.recovery import recover

            recover(self._session, self._reindex, self._durability)

    def _begin(self, durability: Durability) -> FileTransaction:
        from oxy.store.sealing import Sealer, helpers
        from oxy.store.transaction import FileTransaction
        from oxy.store.writer import SegmentWriter

        self._lookup.database.begin(durability)
        try:
            position = self._lookup.position()
        except BaseException:
            self._lookup.database.rollback()
            raise
        fresh = position[0] != 0 and position[0] == self._given_up
        writer = SegmentWriter(self._files, position, fresh=fresh)
        sealer = Sealer(self._pack, self._level, helpers())
        return FileTransaction(self._session, writer, durability, sealer)

    def _pack(self) -> Packer:
        from oxy.store.frame import packer

        if self._packer is None:
            self._packer = packer(self._level)
        return self._packer


def rebuild(
    path: bytes, identify: Identify, reindex: Reindex, *, wait: float = LOCK_WAIT
) -> list[Damage]:
    """Make the whole database anew from the segments; return what is damaged in them.

    Cost: reads every segment once.

    Raises:
        StoreLockedError: another process is writing.
    """
    from oxy.store.recovery import rebuild_database

    with _lock(path, wait):
        return rebuild_database(_segments(path), _database_path(path), identify, reindex, wait)


def scan_store(path: bytes, identify: Identify | None = None) -> Iterator[Found | Damage]:
    """Yield every object and every damage that the segments hold, without the database.

    Cost: reads every segment once; memory for one frame.
    """
    from oxy.store.scan import Sealed, scan

    files = SegmentFiles(_segments(path))
    try:
        for item in scan(files, identify):
            if not isinstance(item, Sealed):
                yield item
    finally:
        files.forget()


def _installed(path: bytes) -> bool:
    """Put a database in its place that was made whole before a crash, if there is one."""
    from oxy.store.recovery import finish_install, is_unfinished

    if not is_unfinished(_database_path(path)):
        return False
    with suppress(StoreLockedError, StoreIOError), _lock(path, 0):
        return finish_install(_database_path(path))
    return False


def _segments(path: bytes) -> bytes:
    return os.path.join(path, b"segments")


def _database_path(path: bytes) -> bytes:
    return os.path.join(path, DATABASE)


def _lock(path: bytes, wait: float) -> WriterLock:
    from oxy.store.lock import WriterLock

    return WriterLock(os.path.join(path, b"lock"), wait)
