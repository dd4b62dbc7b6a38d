"""Caches beside the store: checkpoints and trees (spec: checkpoints, CP1 to CP6).

One SQLite file that may be deleted, damaged or locked at any time: then nothing is found in it,
and what it held is worked out again. Nothing is ever synced. Every row carries a checksum.
"""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from xxhash import xxh3_64_digest

GRAPH: Final = 1
TREE: Final = 2
ROOT: Final = 3
SECRET: Final = 4

_SUM: Final = 8
_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS cache ("
    "tab INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (tab, key)"
    ") WITHOUT ROWID"
)


class Cache:
    """Rows that may vanish."""

    __slots__ = ("_database", "_path")

    def __init__(self, path: bytes) -> None:
        self._path = path
        self._database: sqlite3.Connection | None = None

    def get(self, table: int, key: bytes) -> bytes | None:
        """Return a row that is there and whole."""
        try:
            found = self._open().execute(
                "SELECT value FROM cache WHERE tab = ? AND key = ?", (table, key)
            )
            row: tuple[bytes] | None = found.fetchone()
        except (sqlite3.Error, OSError):
            self._give_up()
            return None
        if row is None or xxh3_64_digest(row[0][_SUM:]) != row[0][:_SUM]:
            return None
        return row[0][_SUM:]

    def put(self, table: int, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Write rows if that is possible just now."""
        sealed = [(table, key, xxh3_64_digest(value) + value) for key, value in rows]
        try:
            database = self._open()
            with database:
                database.executemany("INSERT OR REPLACE INTO cache VALUES (?, ?, ?)", sealed)
        except (sqlite3.Error, OSError):
            self._give_up()

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
        except sqlite3.DatabaseError as error:
            return not isinstance(error, sqlite3.OperationalError)
        finally:
            database.close()
        return bool(found and found[0] != "ok")
