"""Caches beside the store: checkpoints and trees (spec: checkpoints, CP6).

One SQLite file that may be deleted, damaged or locked at any time: then nothing is found in it,
and what it held is worked out again. Nothing is ever synced. Every row carries a checksum.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from oxy.typed import Final

from xxhash import xxh3_64_digest

from oxy.store.database import REFUSED

GRAPH: Final = 1
TREE: Final = 2
ROOT: Final = 3
SECRET: Final = 4
EXPORTED: Final = 5
"""What a bridge made of states, by their names."""
LOOKED: Final = 6
UNREACHED: Final = 8
"""Since when nothing reaches some objects."""
COMMITS: Final = 7
"""What state a commit of Git stands for, by its id."""

_SUM: Final = 8
_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS cache ("
    "tab INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (tab, key)"
    ") WITHOUT ROWID"
)


_PAGE: Final = 256

_TRIES: Final = 2
"""After so many failures the file is left alone for the rest of the process."""


class Cache:
    """Rows that may vanish."""

    __slots__ = ("_database", "_path", "_tries")

    def __init__(self, path: bytes) -> None:
        self._path = path
        self._database: sqlite3.Connection | None = None
        self._tries = _TRIES

    def get(self, table: int, key: bytes) -> bytes | None:
        """Return a row that is there and whole."""
        if not self._tries:
            return None
        try:
            found = self._open().execute(
                "SELECT value FROM cache WHERE tab = ? AND key = ?", (table, key)
            )
            row: tuple[object] | None = found.fetchone()
        except (*REFUSED, OSError):
            self._give_up()
            return None
        return None if row is None else _unsealed(table, key, row[0])

    def keys(self, table: int) -> list[bytes]:
        """Return the keys of a table, in order."""
        if not self._tries:
            return []
        try:
            found = self._open().execute(
                "SELECT key FROM cache WHERE tab = ? ORDER BY key", (table,)
            )
            held: list[tuple[object]] = found.fetchall()
        except (*REFUSED, OSError):
            self._give_up()
            return []
        return [key for (key,) in held if isinstance(key, bytes)]

    def rows(self, table: int) -> Iterator[tuple[bytes, bytes]]:
        """Yield the rows of a table that are whole, in order of their keys, some at a time."""
        begin = b""
        while self._tries:
            before = begin
            try:
                found = self._open().execute(
                    "SELECT key, value FROM cache WHERE tab = ? AND key >= ? "
                    "ORDER BY key LIMIT ?",
                    (table, begin, _PAGE),
                )
                held: list[tuple[object, object]] = found.fetchall()
            except (*REFUSED, OSError):
                self._give_up()
                return
            for key, row in held:
                # A damaged file may give keys that do not ascend, again and again.
                if isinstance(key, bytes) and key >= begin:
                    begin = key + b"\0"
                    value = _unsealed(table, key, row)
                    if value is not None:
                        yield key, value
            if len(held) < _PAGE or begin == before:
                return

    def put(
        self, table: int, rows: Iterable[tuple[bytes, bytes]], gone: Iterable[bytes] = ()
    ) -> None:
        """Write rows, and remove those of other keys, if that is possible just now."""
        sealed = [(table, key, _sum(table, key, value) + value) for key, value in rows]
        if not sealed or not self._tries:
            return
        try:
            database = self._open()
            with database:
                database.executemany("INSERT OR REPLACE INTO cache VALUES (?, ?, ?)", sealed)
                for key in gone:
                    database.execute(
                        "DELETE FROM cache WHERE tab = ? AND key = ?", (table, key)
                    )
        except (*REFUSED, OSError):
            self._give_up()

    def remove(self, table: int, keys: Iterable[bytes]) -> None:
        """Remove rows, if that is possible just now."""
        gone = [(table, key) for key in keys]
        if not gone or not self._tries:
            return
        try:
            database = self._open()
            with database:
                database.executemany("DELETE FROM cache WHERE tab = ? AND key = ?", gone)
        except (sqlite3.Error, OSError):
            self._give_up()

    def compact(self) -> None:
        """Write the file anew without its gaps, if that is possible just now."""
        if not self._tries or not os.path.exists(self._path):
            return
        # What cannot be compacted stays as it is.
        with suppress(sqlite3.Error, OSError):
            self._open().execute("VACUUM")

    def close(self) -> None:
        """Close the file."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            self._database = sqlite3.connect(os.fsdecode(self._path), timeout=1)
            self._database.execute("PRAGMA trusted_schema = OFF")
            self._database.execute("PRAGMA journal_mode = TRUNCATE")
            self._database.execute("PRAGMA synchronous = OFF")
            self._database.execute(_SCHEMA)
        return self._database

    def _give_up(self) -> None:
        """Forget a file that cannot be used; one that is damaged is removed."""
        self.close()
        self._tries -= 1
        try:
            with open(self._path, "rb") as file:
                is_damaged = file.read(16) not in (b"", b"SQLite format 3\0")
        except OSError:
            return
        if is_damaged or self._is_malformed():
            with suppress(OSError):
                os.unlink(self._path)

    def _is_malformed(self) -> bool:
        try:
            database = sqlite3.connect(os.fsdecode(self._path), timeout=0)
        except sqlite3.Error:
            return False
        try:
            found = database.execute("PRAGMA quick_check(1)").fetchone()
            database.execute("SELECT tab, key, value FROM cache LIMIT 1")
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_ERROR
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return True
        finally:
            database.close()
        return bool(found and found[0] != "ok")


def _sum(table: int, key: bytes, value: bytes) -> bytes:
    return xxh3_64_digest(b"%d %d " % (table, len(key)) + key + value)


def _unsealed(table: int, key: bytes, row: object) -> bytes | None:
    """Return what a row holds if it is whole and stands where it was written."""
    if not isinstance(row, bytes):
        return None
    value = row[_SUM:]
    return value if _sum(table, key, value) == row[:_SUM] else None
