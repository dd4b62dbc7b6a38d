import sqlite3
from pathlib import Path

import pytest

from oxy.errors import OxyError
from oxy.store.database import Database
from oxy.store.errors import (
    DatabaseDamagedError,
    FormatTooNewError,
    FormatTooOldError,
    StoreBusyError,
    StoreIOError,
)


@pytest.fixture
def path(tmp_path: Path) -> bytes:
    made = bytes(tmp_path / "a%20b?c#d.db")
    Database.create(made, 0).close()
    return made


def planted(path: bytes, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_created_database_opens(path: bytes) -> None:
    database = Database.open(path, 0)
    assert database.all("SELECT * FROM objects") == []
    assert database.sound() == []
    database.close()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM objects; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE more (a)",
        "CREATE INDEX more ON rows (value)",
        "DROP INDEX objects_by_id",
        "DROP TABLE rows",
        "PRAGMA user_version=0",
        "PRAGMA application_id=1",
    ],
)
def test_a_database_that_is_not_exactly_ours_is_refused(path: bytes, statement: str) -> None:
    planted(path, statement)
    with pytest.raises(DatabaseDamagedError) as caught:
        Database.open(path, 0)
    assert caught.value.path == path


def test_a_later_format_is_refused_as_such(path: bytes) -> None:
    planted(path, "PRAGMA user_version=3")
    with pytest.raises(FormatTooNewError):
        Database.open(path, 0)


def test_an_earlier_format_is_refused_as_such(path: bytes) -> None:
    planted(path, "PRAGMA user_version=1")
    with pytest.raises(FormatTooOldError, match="has format version 1"):
        Database.open(path, 0)


def test_a_missing_database_is_named_and_not_made(tmp_path: Path) -> None:
    path = bytes(tmp_path / "index.db")
    with pytest.raises(DatabaseDamagedError, match=r"index\.db is unusable: it is missing"):
        Database.open(path, 0)
    assert not (tmp_path / "index.db").exists()


@pytest.mark.parametrize("content", [b"", b"x", b"no database " * 1000, bytes(8192)])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "index.db").write_bytes(content)
    with pytest.raises(DatabaseDamagedError):
        Database.open(bytes(tmp_path / "index.db"), 0)


def test_a_symlink_is_no_database(tmp_path: Path, path: bytes) -> None:
    (tmp_path / "link").symlink_to(path.decode())
    with pytest.raises(DatabaseDamagedError, match="no regular file"):
        Database.open(bytes(tmp_path / "link"), 0)


def test_a_truncated_database_is_damaged(path: bytes) -> None:
    with open(path, "r+b") as file:
        file.truncate(6000)
    with pytest.raises(DatabaseDamagedError):
        Database.open(path, 0).all("SELECT * FROM rows")


def test_damage_within_is_found_by_the_check(path: bytes) -> None:
    database = Database.open(path, 0)
    database.begin("fast")
    database.many(
        "INSERT INTO rows VALUES (?, ?, ?)", [(1, b"%d" % n, b"v") for n in range(999)]
    )
    database.commit()
    database.close()
    with open(path, "r+b") as file:
        file.seek(-4096, 2)
        file.write(bytes(4096))
    database = Database.open(path, 0)
    with pytest.raises(DatabaseDamagedError):
        raise_first(database.sound(), path)
    database.close()


def raise_first(found: list[str], path: bytes) -> None:
    if found:
        raise DatabaseDamagedError(path, found[0])


def test_a_writer_waits_for_a_reader_no_longer_than_said(path: bytes) -> None:
    reader, writer = Database.open(path, 0), Database.open(path, 0)
    reader.begin_reading()
    reader.all("SELECT * FROM rows")
    writer.begin("fast")
    writer.run("INSERT INTO rows VALUES (1, x'00', x'00')")
    with pytest.raises(StoreBusyError):
        writer.commit()
    assert writer.rollback()
    assert not writer.rollback()
    reader.rollback()
    assert reader.all("SELECT * FROM rows") == []
    reader.close()
    writer.close()


def test_a_file_that_exists_is_not_created_again(path: bytes) -> None:
    with pytest.raises(StoreIOError):
        Database.create(path, 0)


def test_creating_in_a_missing_directory_keeps_the_system_error(tmp_path: Path) -> None:
    with pytest.raises(OxyError, match="cannot create") as caught:
        Database.create(bytes(tmp_path / "none" / "index.db"), 0)
    assert isinstance(caught.value, StoreIOError)
    assert caught.value.errno == 2
