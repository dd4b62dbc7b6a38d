"""Segments are written anew beside readers (ST29 to ST31, ST62 to ST64)."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.store.errors import ObjectGoneError, TransactionStateError
from oxy.store.file import FileStore, rebuild
from oxy.store.index import Index, Located
from oxy.store.limits import PIECE_SIZE
from oxy.store.protocol import BLOB, CHANGE, IndexWriter
from oxy.store.repacking import Wanted
from tests.builders.exchange import Silent

LARGE = os.urandom(PIECE_SIZE) + b"end"


def unknown(_kind: int, _payload: bytes) -> bytes | None:
    return None


def name_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def no_rows(_writer: IndexWriter) -> None:
    """Change nothing."""


def payload_of(number: int) -> bytes:
    return b"change %d\n" % number * 20


def wanted(first: int = 1, gone: frozenset[int] = frozenset()) -> Wanted:
    return Wanted(first, {CHANGE: gone} if gone else {}, no_rows, Silent())


def repacked(store: FileStore, first: int = 1, gone: frozenset[int] = frozenset()) -> int:
    with store.writing():
        return store.repack(wanted(first, gone))


def added(store: FileStore, *numbers: int) -> None:
    for number in numbers:
        with store.transaction() as transaction:
            transaction.append(CHANGE, name_of(number), payload_of(number))


def segments(path: Path) -> list[str]:
    return sorted(os.listdir(path / "segments"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FileStore]:
    store = FileStore.create(bytes(tmp_path), unknown)
    added(store, *range(1, 21))
    with store.transaction() as transaction:
        transaction.append(BLOB, name_of(1), LARGE)
    yield store
    store.close()


def contents(store: FileStore) -> list[bytes]:
    gone = store.all_gone(CHANGE)
    there = [at for at in range(1, store.count(CHANGE) + 1) if at not in gone]
    return [*store.read_many(CHANGE, there), b"".join(store.chunks(BLOB, 1))]


def test_all_is_there_in_fewer_bytes(store: FileStore, tmp_path: Path) -> None:
    before = contents(store)
    size = (tmp_path / "segments/000001.oxs").stat().st_size
    assert repacked(store) == 21
    assert segments(tmp_path) == ["000002.oxs", "000003.oxs"]
    assert contents(store) == before
    assert (tmp_path / "segments/000002.oxs").stat().st_size < size - 19 * 40


def test_what_comes_next_lies_behind_and_is_found_by_a_rebuild(
    store: FileStore, tmp_path: Path
) -> None:
    repacked(store)
    added(store, 21)
    before = contents(store)
    store.close()
    assert rebuild(bytes(tmp_path), unknown, lambda *_: None) == []
    again = FileStore.open(bytes(tmp_path), unknown)
    assert contents(again) == before
    again.close()


def test_a_reader_with_open_segments_goes_on(store: FileStore, tmp_path: Path) -> None:
    reader = FileStore.open(bytes(tmp_path), unknown)
    chunks = reader.chunks(BLOB, 1)
    assert next(chunks) == LARGE[:PIECE_SIZE]
    many = reader.read_many(CHANGE, range(1, 21))
    assert next(many) == payload_of(1)
    repacked(store)
    repacked(store)
    assert [*chunks] == [b"end"]
    assert [*many] == [payload_of(number) for number in range(2, 21)]
    reader.close()


def test_who_looked_before_something_was_moved_looks_again(
    store: FileStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {kind: next(iter(store.located_many(kind, [1]))) for kind in (CHANGE, BLOB)}
    repacked(store)
    real = Index.located

    def late(index: Index, kind: int, number: int) -> Located | None:
        return old.pop(kind, None) or real(index, kind, number)

    monkeypatch.setattr(Index, "located", late)
    reader = FileStore.open(bytes(tmp_path), unknown)
    assert reader.read(CHANGE, 1) == payload_of(1)
    assert b"".join(reader.chunks(BLOB, 1)) == LARGE
    assert old == {}
    reader.close()


def test_what_is_gone_keeps_its_number_and_its_id(store: FileStore) -> None:
    repacked(store, gone=frozenset({7, 20}))
    assert store.count(CHANGE) == 20
    assert store.all_gone(CHANGE) == [7, 20]
    assert store.id_of(CHANGE, 7) == name_of(7)
    assert list(store.ids_of(CHANGE, (6, 7))) == [name_of(6), name_of(7)]
    assert store.number_of(CHANGE, name_of(7)) is None
    with pytest.raises(ObjectGoneError, match="nothing reached it"):
        store.read(CHANGE, 7)
    added(store, 7)
    assert store.number_of(CHANGE, name_of(7)) == 21
    assert store.read(CHANGE, 21) == payload_of(7)


def test_only_the_tail_is_written_anew_where_it_is_small(
    store: FileStore, tmp_path: Path
) -> None:
    repacked(store)
    added(store, *range(21, 31))
    assert store.tail(1 << 16) == 3
    assert repacked(store, 3) == 10
    assert segments(tmp_path) == ["000002.oxs", "000004.oxs", "000005.oxs"]
    before = contents(store)
    store.close()
    assert rebuild(bytes(tmp_path), unknown, lambda *_: None) == []
    again = FileStore.open(bytes(tmp_path), unknown)
    assert contents(again) == before
    again.close()


def test_a_tail_grows_until_it_is_not_much_smaller_than_what_is_before(
    store: FileStore,
) -> None:
    repacked(store)
    added(store, *range(21, 400))
    assert store.tail(1 << 30) == 3
    assert store.tail(100) is None


def test_a_segment_that_is_missing_though_nothing_replaces_it_is_named(
    store: FileStore, tmp_path: Path
) -> None:
    repacked(store)
    store.close()
    (tmp_path / "segments/000002.oxs").unlink()
    damaged = rebuild(bytes(tmp_path), unknown, lambda *_: None)
    assert {each.segment for each in damaged} >= {2}


def test_nothing_is_written_anew_without_the_lock(store: FileStore) -> None:
    with pytest.raises(TransactionStateError):
        store.repack(wanted())
    with store.transaction(), pytest.raises(TransactionStateError), store.writing():
        pass
