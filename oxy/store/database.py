"""The SQLite database as a file that is trusted in nothing (spec: store, ST20, ST21).

The journal is a rollback journal in PERSIST mode: a commit overwrites its header in place, so
no directory and no length changes, and readers need no shared-memory file, so that reading
works on a read-only file system. A journal over its size limit is cut back. `safe` commits with
synchronous=EXTRA, `fast` with OFF.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from oxy.typed import TYPE_CHECKING, Final, TypeAlias

from oxy.store.errors import (
    DatabaseDamagedError,
    FormatTooNewError,
    FormatTooOldError,
    StoreBusyError,
    StoreIOError,
)
from oxy.store.limits import DATABASE_CACHE, DATABASE_CACHE_READING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oxy.store.protocol import Durability

VERSION: Final = 2
_APPLICATION: Final = 0x6F787969
_JOURNAL_LIMIT: Final = 1024 * 1024
_VERSION_AT: Final = 60
"""Where SQLite keeps the user version in a file."""

SCHEMA: Final = {
    "objects": (
        "CREATE TABLE objects (kind INTEGER NOT NULL, number INTEGER NOT NULL, "
        "id BLOB NOT NULL, segment INTEGER NOT NULL, offset INTEGER NOT NULL, "
        "slot INTEGER NOT NULL, size INTEGER NOT NULL, "
        "PRIMARY KEY (kind, number)) STRICT, WITHOUT ROWID"
    ),
    "objects_by_id": "CREATE UNIQUE INDEX objects_by_id ON objects (kind, id)",
    "rows": (
        "CREATE TABLE rows (tab INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, "
        "PRIMARY KEY (tab, key)) STRICT, WITHOUT ROWID"
    ),
    "gone": (
        "CREATE TABLE gone (kind INTEGER NOT NULL, number INTEGER NOT NULL, "
        "id BLOB NOT NULL, PRIMARY KEY (kind, number)) STRICT, WITHOUT ROWID"
    ),
    "segments": (
        "CREATE TABLE segments (number INTEGER NOT NULL, ends INTEGER NOT NULL, "
        "PRIMARY KEY (number)) STRICT, WITHOUT ROWID"
    ),
}

REFUSED: Final = (sqlite3.Error, UnicodeDecodeError)
"""What `sqlite3` raises: the second where words of a damaged file are no UTF-8."""

Value: TypeAlias = int | bytes | str
Row: TypeAlias = tuple[Value, ...]

_SYNCHRONOUS: Final[dict[Durability, str]] = {"safe": "EXTRA", "fast": "OFF"}


class Database:
    """One connection, whose failures are oxy's errors and whose schema is exactly ours.

    Raises:
        DatabaseDamagedError: in any method: the file is not a sound database of ours.
        StoreBusyError: in any method: others kept it locked for too long.
        StoreIOError: in any method: the system refused; a failed commit may have happened.
    """

    __slots__ = ("_connection", "_durability", "path")

    def __init__(self, path: bytes, wait: float) -> None:
        self.path = path
        self._durability: Durability | None = None
        try:
            # A URI, because a plain name would create the file where it is missing.
            self._connection = sqlite3.connect(
                "file:" + "".join(f"%{byte:02x}" for byte in path) + "?mode=rw",
                timeout=wait,
                isolation_level=None,
                # A server goes on in whichever thread is free: in one at a time.
                check_same_thread=False,
                uri=True,
            )
        except REFUSED as error:
            raise self._translated(error) from error

    @classmethod
    def open(cls, path: bytes, wait: float) -> Database:
        """Open an existing database; nothing in it can act, and it must be exactly ours.

        Raises:
            FormatTooNewError: it is of a later format.
            FormatTooOldError: it is of an earlier one.
        """
        _require_file(path)
        database = cls(path, wait)
        try:
            database._prepare()
            database._verify()
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def create(cls, path: bytes, wait: float) -> Database:
        """Make an empty database of ours in a new file, not synced."""
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666))
        except OSError as error:
            raise StoreIOError.of(path, "create", error) from error
        database = cls(path, wait)
        try:
            database._prepare()
            database.begin("fast")
            for statement in SCHEMA.values():
                database.run(statement)
            database.run(f"PRAGMA application_id={_APPLICATION}")
            database.run(f"PRAGMA user_version={VERSION}")
            database.commit()
        except BaseException:
            database.close()
            raise
        return database

    def all(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        """Return every row that the statement answers; no lock is held afterwards."""
        try:
            answer: list[Row] = self._connection.execute(statement, values).fetchall()
        except REFUSED as error:
            raise self._translated(error) from error
        return answer

    def one(self, statement: str, values: Sequence[Value] = ()) -> Row | None:
        """Return the only row that the statement answers, or None."""
        answer = self.all(statement, values)
        return answer[0] if answer else None

    def run(self, statement: str, values: Sequence[Value] = ()) -> None:
        """Execute a statement that answers nothing."""
        try:
            self._connection.execute(statement, values)
        except REFUSED as error:
            raise self._translated(error) from error

    def many(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        """Execute a statement once for every row of values."""
        try:
            self._connection.executemany(statement, rows)
        except REFUSED as error:
            raise self._translated(error) from error

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction, of writing or of reading, is open."""
        return self._connection.in_transaction

    def begin_reading(self) -> None:
        """Begin a transaction that sees one commit; others' commits wait until it ends."""
        self.run("BEGIN DEFERRED")

    def begin(self, durability: Durability) -> None:
        """Begin a transaction that writes; readers go on until it commits."""
        if durability != self._durability:
            self.run(f"PRAGMA synchronous={_SYNCHRONOUS[durability]}")
            self._durability = durability
        self._hold(DATABASE_CACHE)
        self.run("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Make the transaction visible, and durable as it was begun."""
        self.run("COMMIT")
        self._hold(DATABASE_CACHE_READING)

    def rollback(self) -> bool:
        """Take the transaction back; return False if SQLite had ended it on its own."""
        if not self._connection.in_transaction:
            return False
        self.run("ROLLBACK")
        self._hold(DATABASE_CACHE_READING)
        return True

    def _hold(self, size: int) -> None:
        """Let so many bytes of the file be held in memory; what is beyond is let go of."""
        self.run(f"PRAGMA cache_size=-{size // 1024}")

    def compact(self) -> None:
        """Write the file anew without its gaps, and cut the journal back.

        Readers wait while it is put back. Not inside a transaction.
        """
        self.run("PRAGMA synchronous=EXTRA")
        self._durability = "safe"
        self.run("PRAGMA journal_size_limit=0")
        self.run("PRAGMA temp_store=FILE")
        try:
            self.run("VACUUM")
        finally:
            self.run("PRAGMA temp_store=MEMORY")
            self.run(f"PRAGMA journal_size_limit={_JOURNAL_LIMIT}")

    def bytes_free(self) -> int:
        """Return how many bytes of the file hold nothing."""
        return self._pragma("freelist_count") * self._pragma("page_size")

    def sound(self) -> list[str]:
        """Return at most 100 findings of SQLite's integrity check. Cost: reads everything."""
        answers = [str(row[0]) for row in self.all("PRAGMA integrity_check(100)")]
        return [] if answers == ["ok"] else answers

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _prepare(self) -> None:
        self.run("PRAGMA trusted_schema=OFF")
        self.run("PRAGMA cell_size_check=ON")
        self._hold(DATABASE_CACHE_READING)
        self.run("PRAGMA temp_store=MEMORY")
        self.run("PRAGMA journal_mode=PERSIST")
        self.run(f"PRAGMA journal_size_limit={_JOURNAL_LIMIT}")

    def _verify(self) -> None:
        application = self._pragma("application_id")
        version = self._pragma("user_version")
        if application != _APPLICATION:
            raise DatabaseDamagedError(self.path, "it is no database of oxy")
        if version > VERSION:
            raise FormatTooNewError(os.fsdecode(self.path), version, VERSION)
        held = self.all("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        ours: set[Row] = set(SCHEMA.items())
        if 0 < version < VERSION:
            raise FormatTooOldError(os.fsdecode(self.path), version, VERSION)
        if len(held) != len(ours) or set(held) != ours or version != VERSION:
            raise DatabaseDamagedError(self.path, "its schema is not exactly oxy's")

    def _pragma(self, name: str) -> int:
        row = self.one(f"PRAGMA {name}")
        return row[0] if row is not None and isinstance(row[0], int) else 0

    def _translated(self, error: Exception) -> Exception:
        code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            return StoreBusyError(self.path)
        if code in _SYSTEM:
            return StoreIOError(self.path, "use", 0, str(error))
        return DatabaseDamagedError(self.path, str(error))


_SYSTEM: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_INTERRUPT,
    }
)


def version_of(path: bytes) -> int:
    """Return the format version that a database states, whatever it is like; 0 if none."""
    with suppress(OSError), open(path, "rb") as file:
        return int.from_bytes(file.read(_VERSION_AT + 4)[_VERSION_AT:], "big")
    return 0


def _require_file(path: bytes) -> None:
    import stat

    try:
        status = os.stat(path, follow_symlinks=False)
    except FileNotFoundError as error:
        raise DatabaseDamagedError(path, "it is missing") from error
    except OSError as error:
        raise StoreIOError.of(path, "examine", error) from error
    if not stat.S_ISREG(status.st_mode):
        raise DatabaseDamagedError(path, "it is no regular file")
    if status.st_size == 0:
        raise DatabaseDamagedError(path, "it is empty")
