import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from oxy.repo.cache import GRAPH, ROOT, TREE, Cache

ROWS = [(b"%d" % number, bytes([number]) * 2000) for number in range(200)]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "checkpoints.db"


def _filled(place: Path) -> Cache:
    cache = Cache(bytes(place))
    cache.put(TREE, ROWS)
    return cache


def _answers(place: Path) -> list[bytes | None]:
    """Return what a fresh process finds, having written nothing."""
    cache = Cache(bytes(place))
    found = [cache.get(TREE, key) for key, _ in ROWS]
    cache.close()
    return found


def _works_again(place: Path) -> bool:
    """Tell whether rows can be written and read, at the second try at the latest."""
    cache = Cache(bytes(place))
    cache.put(TREE, ROWS[:1])
    cache.put(TREE, ROWS[:1])
    found = cache.get(TREE, ROWS[0][0])
    cache.close()
    return found == ROWS[0][1]


def test_rows_are_found_by_the_next_process(place: Path) -> None:
    _filled(place).close()
    assert _answers(place) == [value for _, value in ROWS]


def test_tables_are_apart(place: Path) -> None:
    cache = _filled(place)
    cache.put(GRAPH, [(ROWS[0][0], b"other")])
    assert cache.get(GRAPH, ROWS[0][0]) == b"other"
    assert cache.get(TREE, ROWS[0][0]) == ROWS[0][1]
    assert cache.get(ROOT, ROWS[0][0]) is None
    cache.close()


def test_a_row_is_replaced(place: Path) -> None:
    cache = _filled(place)
    cache.put(TREE, [(ROWS[0][0], b"")])
    assert cache.get(TREE, ROWS[0][0]) == b""
    cache.close()


def test_nothing_is_found_in_a_cache_that_was_never_written(place: Path) -> None:
    assert set(_answers(place)) == {None}


def test_a_deleted_file_is_made_again(place: Path) -> None:
    _filled(place).close()
    place.unlink()
    assert set(_answers(place)) == {None}
    assert _works_again(place)


def test_a_file_deleted_under_an_open_cache_breaks_nothing(place: Path) -> None:
    cache = _filled(place)
    place.unlink()
    cache.put(TREE, [(b"new", b"row")])
    assert cache.get(TREE, ROWS[0][0]) in (None, ROWS[0][1])
    cache.close()


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _one_byte(data: bytes) -> bytes:
    return data[:1]


def _zeros(data: bytes) -> bytes:
    return bytes(len(data))


def _flipped(data: bytes) -> bytes:
    return bytes(byte ^ 0x5A for byte in data)


def _flipped_pages(data: bytes) -> bytes:
    return data[:100] + bytes(byte ^ 0x5A for byte in data[100:])


def _text(_: bytes) -> bytes:
    return b"no database at all\n" * 1000


def _empty(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize(
    "spoil", [_cut, _one_byte, _zeros, _flipped, _flipped_pages, _text, _empty]
)
def test_a_damaged_file_finds_nothing_wrong_and_works_again(
    place: Path, spoil: Callable[[bytes], bytes]
) -> None:
    _filled(place).close()
    place.write_bytes(spoil(place.read_bytes()))
    wanted = dict(ROWS)
    for (key, _), found in zip(ROWS, _answers(place), strict=True):
        assert found in (None, wanted[key])
    assert _works_again(place)


def test_any_byte_that_flips_gives_the_right_row_or_none(place: Path) -> None:
    _filled(place).close()
    whole = place.read_bytes()
    for at in range(0, len(whole), len(whole) // 60):
        place.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        for (_, value), found in zip(ROWS, _answers(place), strict=True):
            assert found in (None, value)


def _change(place: Path, statement: str) -> None:
    database = sqlite3.connect(place)
    database.execute(statement)
    database.commit()
    database.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE cache SET value = substr(value, 1, 20)",
        "UPDATE cache SET value = x'00'",
        "UPDATE cache SET value = 'text'",
        "UPDATE cache SET value = 7",
        "UPDATE cache SET tab = tab + 1000",
        "DELETE FROM cache",
    ],
)
def test_a_row_that_is_not_what_was_written_is_not_found(place: Path, statement: str) -> None:
    _filled(place).close()
    _change(place, statement)
    assert set(_answers(place)) == {None}


def test_a_row_that_stands_at_another_key_is_not_found(place: Path) -> None:
    _filled(place).close()
    _change(place, "UPDATE cache SET key = key || x'00'")
    cache = Cache(bytes(place))
    assert cache.get(TREE, ROWS[0][0] + b"\0") is None
    cache.close()


@pytest.mark.parametrize(
    "statement", ["DROP TABLE cache", "ALTER TABLE cache RENAME COLUMN value TO other"]
)
def test_another_table_is_made_anew(place: Path, statement: str) -> None:
    _filled(place).close()
    _change(place, statement)
    assert set(_answers(place)) == {None}
    assert _works_again(place)


def test_a_locked_file_is_left_alone_after_two_tries(place: Path) -> None:
    _filled(place).close()
    holder = sqlite3.connect(place, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert set(_answers(place)) == {None}
    holder.close()
    assert _answers(place) == [value for _, value in ROWS]


def test_a_place_where_nothing_can_be_made_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert set(_answers(tmp_path / "file" / "cache" / "checkpoints.db")) == {None}
    assert not _works_again(tmp_path / "file" / "cache" / "checkpoints.db")


def test_a_directory_in_the_place_of_the_file_finds_nothing(place: Path) -> None:
    place.mkdir(parents=True)
    assert set(_answers(place)) == {None}
    assert place.is_dir()


@contextmanager
def _as_nobody() -> Iterator[None]:
    """Go without the rights of the super-user, who may write anything."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    yield
    os.seteuid(user)


def test_a_read_only_directory_is_read_and_not_written() -> None:
    with TemporaryDirectory() as directory:
        place = Path(directory) / "checkpoints.db"
        _filled(place).close()
        whole = place.read_bytes()
        place.chmod(0o444)
        Path(directory).chmod(0o555)
        with _as_nobody():
            assert _answers(place) == [value for _, value in ROWS]
            cache = Cache(bytes(place))
            cache.put(TREE, [(b"new", b"row")])
            assert cache.get(TREE, b"new") is None
            assert cache.get(TREE, ROWS[0][0]) == ROWS[0][1]
            cache.close()
        Path(directory).chmod(0o755)
        assert place.read_bytes() == whole


def test_a_read_only_directory_without_a_cache_finds_nothing() -> None:
    with TemporaryDirectory() as directory:
        Path(directory).chmod(0o555)
        with _as_nobody():
            assert set(_answers(Path(directory) / "cache" / "checkpoints.db")) == {None}
        Path(directory).chmod(0o755)
