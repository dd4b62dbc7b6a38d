import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from blake3 import blake3

from oxy.errors import CorruptionError
from oxy.store.errors import (
    DatabaseDamagedError,
    ObjectDamagedError,
    SegmentDamagedError,
    StoreExistsError,
    StoreIOError,
    TransactionStateError,
)
from oxy.store.file import FileStore
from oxy.store.limits import PIECE_SIZE
from oxy.store.protocol import BLOB, CHANGE


def identify(_kind: int, payload: bytes) -> bytes:
    return blake3(payload).digest()


def record(store: FileStore, *payloads: bytes) -> None:
    with store.transaction() as transaction:
        for payload in payloads:
            transaction.append(CHANGE, identify(CHANGE, payload), payload)
            transaction.put(1, payload, b"row of " + payload)


@pytest.fixture
def path(tmp_path: Path) -> bytes:
    store = FileStore.create(bytes(tmp_path / ".oxy"), identify)
    record(store, b"a", b"b")
    record(store, b"c")
    store.close()
    return bytes(tmp_path / ".oxy")


def test_a_store_opens_again_with_everything(path: bytes) -> None:
    store = FileStore.open(path, identify)
    assert list(store.read_many(CHANGE, [1, 2, 3])) == [b"a", b"b", b"c"]
    assert [key for key, _ in store.rows(1)] == [b"a", b"b", b"c"]
    store.close()


def test_a_store_is_not_created_over_another(path: bytes) -> None:
    with pytest.raises(StoreExistsError):
        FileStore.create(path, identify)
    os.unlink(path + b"/index.db")
    with pytest.raises(StoreExistsError):
        FileStore.create(path, identify)


def test_the_files_are_the_ones_that_are_documented(path: bytes) -> None:
    assert sorted(os.listdir(path)) == [b"index.db", b"index.db-journal", b"lock", b"segments"]
    assert os.listdir(path + b"/segments") == [b"000001.oxs"]


def test_a_missing_database_is_named(path: bytes) -> None:
    os.unlink(path + b"/index.db")
    with pytest.raises(DatabaseDamagedError):
        FileStore.open(path, identify)


def test_an_entry_that_points_at_another_frame_is_found(path: bytes) -> None:
    connection = sqlite3.connect(path + b"/index.db")
    connection.execute(
        "UPDATE objects SET (segment, offset, slot, size) = "
        "(SELECT segment, offset, slot, size FROM objects WHERE number = 3) WHERE number = 1"
    )
    connection.commit()
    connection.close()
    store = FileStore.open(path, identify)
    with pytest.raises(ObjectDamagedError, match="points at something else") as caught:
        store.read(CHANGE, 1)
    assert caught.value.object_id == identify(CHANGE, b"a")
    assert store.read(CHANGE, 3) == b"c"
    store.close()


@pytest.mark.parametrize(
    "change",
    [
        "segment = 9",
        "segment = -1",
        "offset = -1",
        "offset = 1 << 40",
        "slot = -1",
        "slot = -9",
        "size = 2",
        "size = 1 << 50",
        "id = x'00'",
    ],
)
def test_an_entry_that_points_nowhere_is_found(path: bytes, change: str) -> None:
    connection = sqlite3.connect(path + b"/index.db")
    connection.execute("UPDATE objects SET " + change + " WHERE number = 2")  # noqa: S608 -- the cases above
    connection.commit()
    connection.close()
    store = FileStore.open(path, identify)
    with pytest.raises(CorruptionError):
        store.read(CHANGE, 2)
    with pytest.raises(CorruptionError):
        list(store.chunks(CHANGE, 2))
    assert store.read(CHANGE, 1) == b"a"
    store.close()


def test_a_segment_shorter_than_its_index_is_read_but_not_written(path: bytes) -> None:
    segment = path + b"/segments/000001.oxs"
    whole = os.path.getsize(segment)
    os.truncate(segment, whole - 1)
    store = FileStore.open(path, identify)
    assert store.read(CHANGE, 1) == b"a"
    with pytest.raises(ObjectDamagedError):
        store.read(CHANGE, 3)
    with pytest.raises(SegmentDamagedError):
        record(store, b"d")
    store.close()
    assert os.path.getsize(segment) == whole - 1


def test_what_a_damaged_frame_held_can_be_named(path: bytes) -> None:
    store = FileStore.open(path, identify)
    assert store.objects_at(1, 32) == [
        (CHANGE, 1, identify(CHANGE, b"a")),
        (CHANGE, 2, identify(CHANGE, b"b")),
    ]
    assert store.check_database() == []
    store.close()


def test_an_error_while_reading_names_the_object(
    path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore.open(path, identify)

    def failing(_fd: int, _size: int, _offset: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pread", failing)
        with pytest.raises(StoreIOError, match=identify(CHANGE, b"a").hex()) as caught:
            store.read(CHANGE, 1)
    assert caught.value.errno == errno.EIO
    assert store.read(CHANGE, 1) == b"a"
    store.close()


def test_a_read_only_store_is_read_even_when_it_needs_recovery(
    path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(path + b"/segments/000001.oxs", "ab") as file:
        file.write(b"torn")
    real = os.open

    def refusing(name: bytes, flags: int, mode: int = 0o777) -> int:
        if flags & (os.O_RDWR | os.O_WRONLY):
            raise OSError(errno.EROFS, "Read-only file system")
        return real(name, flags, mode)

    monkeypatch.setattr(os, "open", refusing)
    store = FileStore.open(path, identify)
    assert store.read(CHANGE, 3) == b"c"
    with pytest.raises(StoreIOError) as caught:
        record(store, b"d")
    assert caught.value.errno == errno.EROFS
    store.close()


def test_two_open_stores_see_each_others_commits(path: bytes) -> None:
    first, second = FileStore.open(path, identify), FileStore.open(path, identify)
    record(first, b"d")
    assert second.read(CHANGE, 4) == b"d"
    record(second, b"e")
    record(first, b"f")
    assert [first.read(CHANGE, number) for number in (4, 5, 6)] == [b"d", b"e", b"f"]
    with pytest.raises(RuntimeError), second.transaction() as transaction:  # noqa: PT012 -- the block is the case
        transaction.append(CHANGE, identify(CHANGE, b"g"), b"g")
        assert first.count(CHANGE) == 6
        raise RuntimeError
    record(first, b"h")
    assert second.read(CHANGE, 7) == b"h"
    first.close()
    second.close()


def test_a_snapshot_keeps_to_one_commit(path: bytes) -> None:
    reader, writer = FileStore.open(path, identify), FileStore.open(path, identify, wait=0)
    with reader.snapshot() as seen:
        assert seen.count(CHANGE) == 3
        with pytest.raises(TransactionStateError), reader.transaction():
            pytest.fail("it began")
    record(writer, b"d")
    assert reader.count(CHANGE) == 4
    reader.close()
    writer.close()


def test_a_moved_store_is_the_same_store(path: bytes, tmp_path: Path) -> None:
    moved = bytes(tmp_path / "caf\u00e9 100%?#")
    shutil.move(path.decode(), os.fsdecode(moved))
    store = FileStore.open(moved, identify)
    record(store, b"d")
    assert store.read(CHANGE, 4) == b"d"
    store.close()


def test_a_large_object_spans_segments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 2 * PIECE_SIZE)
    content = blake3(b"noise").digest(5 * PIECE_SIZE + 1)
    store = FileStore.create(bytes(tmp_path), identify)
    with store.transaction() as transaction:
        transaction.append(BLOB, identify(BLOB, content), content)
    assert store.position()[0] > 3
    assert store.read(BLOB, 1) == content
    store.close()


READ_ROWS = """
import sys
from oxy.store.file import FileStore
store = FileStore.open(sys.argv[1].encode(), lambda kind, payload: None)
assert store.row(1, b"a") == b"row of a"
assert store.number_of(1, bytes(32)) is None
assert [key for key, _ in store.rows(1)] == [b"a", b"b", b"c"]
slow = {"zstandard", "blake3", "pathlib", "dataclasses", "tempfile", "subprocess", "json"}
print(sorted(slow & set(sys.modules)))
"""


def test_reading_rows_loads_no_compressor(path: bytes) -> None:
    command = [sys.executable, "-c", READ_ROWS, path.decode()]
    answer = subprocess.run(command, capture_output=True, check=True)
    assert answer.stdout == b"[]\n"
