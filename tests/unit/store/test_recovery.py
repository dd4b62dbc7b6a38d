import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from blake3 import blake3

from oxy.store.errors import DatabaseDamagedError
from oxy.store.file import FileStore, rebuild
from oxy.store.limits import PIECE_SIZE
from oxy.store.lock import WriterLock
from oxy.store.protocol import BLOB, CHANGE, OPERATION, IndexWriter


def identify(_kind: int, payload: bytes) -> bytes:
    return blake3(payload).digest()


def reindex(
    writer: IndexWriter, kind: int, number: int, object_id: bytes, payload: bytes | None
) -> None:
    """Keep the size and the first bytes of each object under its id."""
    first = next(writer.chunks(kind, number), b"") if payload is None else payload
    writer.put(kind, object_id, b"%d %s" % (writer.size(kind, number), first[:8]))


def record(store: FileStore, *payloads: bytes) -> None:
    """Append payloads with the rows that reindex derives, each as two kinds."""
    with store.transaction() as transaction:
        for payload in payloads:
            for kind in (BLOB, CHANGE):
                object_id = identify(kind, payload)
                number = transaction.append(kind, object_id, payload)
                reindex(transaction, kind, number, object_id, payload)


def opened(path: Path) -> FileStore:
    return FileStore.open(bytes(path), identify, durability="fast", reindex=reindex)


def dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path / "index.db")
    lines = list(connection.iterdump())
    connection.close()
    return lines


def contents(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in (path / "segments").iterdir()}


def copied(source: Path, target: Path) -> Path:
    shutil.copytree(source, target)
    return target


@pytest.fixture
def path(tmp_path: Path) -> Path:
    store = FileStore.create(bytes(tmp_path / "store"), identify, durability="fast")
    record(store, b"a", b"b" * 1000)
    record(store, b"c" * (PIECE_SIZE + 5), b"d")
    store.close()
    return tmp_path / "store"


def test_a_rebuilt_database_equals_the_original(path: Path) -> None:
    before = dump(path)
    (path / "index.db").unlink()
    assert rebuild(bytes(path), identify, reindex) == []
    assert dump(path) == before
    assert sorted(os.listdir(path)) == ["index.db", "lock", "segments"]


@pytest.mark.parametrize("content", [b"", b"malformed", bytes(4096)])
def test_a_database_that_is_unusable_is_rebuilt(path: Path, content: bytes) -> None:
    before = dump(path)
    (path / "index.db").write_bytes(content)
    (path / "index.db-journal").write_bytes(b"stale")
    (path / "index.db.new").write_bytes(b"left by a crash")
    rebuild(bytes(path), identify, reindex)
    assert dump(path) == before


def test_rebuilding_over_many_segments_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 300)
    store = FileStore.create(bytes(tmp_path), identify, durability="fast")
    for number in range(20):
        record(store, b"%d" % number)
    store.close()
    before = dump(tmp_path)
    assert rebuild(bytes(tmp_path), identify, reindex) == []
    assert dump(tmp_path) == before
    assert len(os.listdir(tmp_path / "segments")) > 5


def test_rebuilding_skips_and_returns_what_is_damaged(path: Path) -> None:
    segment = path / "segments" / "000001.oxs"
    data = bytearray(segment.read_bytes())
    data[100] ^= 1
    segment.write_bytes(data)
    damaged = rebuild(bytes(path), identify, reindex)
    assert [(item.segment, item.offset) for item in damaged] == [(1, 32)]
    store = opened(path)
    assert store.count(CHANGE) == 2
    record(store, b"e")
    assert list(store.read_many(CHANGE, [2, 3])) == [b"d", b"e"]
    store.close()


def test_what_was_synced_but_not_indexed_is_indexed(path: Path, tmp_path: Path) -> None:
    behind = copied(path, tmp_path / "behind")
    store = opened(path)
    record(store, b"e")
    record(store, b"f" * (PIECE_SIZE + 9), b"g")
    store.close()
    shutil.rmtree(behind / "segments")
    shutil.copytree(path / "segments", behind / "segments")
    opened(behind).close()
    assert dump(behind) == dump(path)
    assert copied(path, tmp_path / "again").is_dir()
    opened(behind).close()
    assert dump(behind) == dump(path)


def test_a_new_segment_that_is_not_indexed_is_indexed(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = copied(path, tmp_path / "behind")
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 300)
    store = opened(path)
    for payload in (b"e", b"f", b"g"):
        record(store, payload)
    assert store.position()[0] > 2
    store.close()
    shutil.rmtree(behind / "segments")
    shutil.copytree(path / "segments", behind / "segments")
    opened(behind).close()
    assert dump(behind) == dump(path)


@pytest.mark.parametrize("content", [b"", b"x" * 20, b"x" * 200])
def test_a_torn_new_segment_is_removed(path: Path, content: bytes) -> None:
    before = dump(path)
    (path / "segments" / "000002.oxs").write_bytes(content)
    store = opened(path)
    assert os.listdir(path / "segments") == ["000001.oxs"]
    store.close()
    assert dump(path) == before


def test_a_torn_tail_is_overwritten_wherever_it_is_torn(path: Path, tmp_path: Path) -> None:
    behind = (path / "index.db").read_bytes()
    start = (path / "segments" / "000001.oxs").stat().st_size
    store = opened(path)
    record(store, b"first")
    middle = store.position()[1]
    record(store, b"second")
    end = store.position()[1]
    store.close()
    whole = (path / "segments" / "000001.oxs").read_bytes()
    torn = tmp_path / "torn"
    (torn / "segments").mkdir(parents=True)
    for cut in range(start, end + 1):
        (torn / "index.db").write_bytes(behind)
        (torn / "segments" / "000001.oxs").write_bytes(whole[:cut])
        store = opened(torn)
        kept = (cut >= middle) + (cut >= end)
        assert store.count(CHANGE) == 4 + kept
        assert store.position()[1] == (start, middle, end)[kept]
        assert (torn / "segments" / "000001.oxs").stat().st_size == store.position()[1]
        record(store, b"next")
        assert store.read(CHANGE, 5 + kept) == b"next"
        store.close()


def test_a_large_object_that_is_cut_short_is_overwritten(path: Path) -> None:
    behind = (path / "index.db").read_bytes()
    store = opened(path)
    record(store, blake3(b"noise").digest(3 * PIECE_SIZE))
    store.close()
    segment = path / "segments" / "000001.oxs"
    os.truncate(segment, segment.stat().st_size - PIECE_SIZE * 4)
    (path / "index.db").write_bytes(behind)
    store = opened(path)
    assert store.count(BLOB) == 4
    record(store, b"next")
    assert store.read(BLOB, 5) == b"next"
    store.close()
    before = dump(path)
    assert rebuild(bytes(path), identify, reindex) == []
    assert dump(path) == before


def test_a_tail_is_left_alone_while_a_writer_is_at_work(path: Path) -> None:
    with WriterLock(bytes(path / "lock"), 0):
        segment = path / "segments" / "000001.oxs"
        with segment.open("ab") as file:
            file.write(b"being written")
        size = segment.stat().st_size
        store = opened(path)
        assert store.count(CHANGE) == 4
        assert segment.stat().st_size == size
    record(store, b"next")
    assert store.read(CHANGE, 5) == b"next"
    store.close()


def test_recovery_that_fails_is_done_the_next_time(path: Path) -> None:
    behind = (path / "index.db").read_bytes()
    store = opened(path)
    record(store, b"e")
    store.close()
    whole = dump(path)
    (path / "index.db").write_bytes(behind)

    def failing(
        writer: IndexWriter, kind: int, number: int, object_id: bytes, payload: bytes | None
    ) -> None:
        reindex(writer, kind, number, object_id, payload)
        if kind == CHANGE:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        FileStore.open(bytes(path), identify, reindex=failing)
    store = opened(path)
    assert store.number_of(OPERATION, bytes(32)) is None
    store.close()
    assert dump(path) == whole


@pytest.mark.parametrize("wrong", [(0, -1), (0, -60), (1, 40), (1, 0)])
def test_a_wrong_end_in_the_index_cuts_nothing_off(
    path: Path, monkeypatch: pytest.MonkeyPatch, wrong: tuple[int, int]
) -> None:
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 300)
    store = opened(path)
    for payload in (b"e", b"f" * 200, b"g"):
        record(store, payload)
    segment, ends = store.position()
    store.close()
    before = contents(path)
    back, further = wrong
    with sqlite3.connect(path / "index.db") as database:
        database.execute("DELETE FROM segments WHERE number = ?", (segment,))
        place = (segment - back, ends + further)
        database.execute("INSERT OR REPLACE INTO segments VALUES (?, ?)", place)
    with pytest.raises(DatabaseDamagedError, match=r"no frame ends|the next says"):
        opened(path)
    assert contents(path) == before
    assert rebuild(bytes(path), identify, reindex) == []
    store = opened(path)
    assert store.check_database() == []
    store.close()


def test_what_lies_behind_a_lost_beginning_is_not_taken_for_a_wrong_end(path: Path) -> None:
    store = opened(path)
    record(store, b"f" * (2 * PIECE_SIZE))
    ends = store.position()[1]
    store.close()
    segment = path / "segments" / "000001.oxs"
    data = bytearray(segment.read_bytes())
    data[data.rindex(b"\xf5OXF\x02") + 50] ^= 1
    segment.write_bytes(data)
    assert len(rebuild(bytes(path), identify, reindex)) == 1
    store = opened(path)
    assert store.position()[1] == ends
    record(store, b"h")
    assert store.check_database() == []
    store.close()
