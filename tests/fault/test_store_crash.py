"""A process that dies at any of its steps leaves the store as it was or as it is after.

A child dies at the n-th step of an action, for every n; the steps are the calls that change
files and the statements given to SQLite, before and after each. Then the store is opened again.
"""

import shutil
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from blake3 import blake3

from oxy.errors import OxyError
from oxy.store.errors import DatabaseDamagedError
from oxy.store.file import FileStore, rebuild, scan_store
from oxy.store.protocol import CHANGE, OPERATION, IndexWriter
from oxy.store.scan import Damage
from tests.builders import dying

CALLS = ("open", "close", "pwrite", "fsync", "unlink", "truncate", "rename")


def identify(_kind: int, payload: bytes) -> bytes:
    return blake3(payload).digest()


def reindex(
    writer: IndexWriter, kind: int, number: int, object_id: bytes, _payload: bytes | None
) -> None:
    writer.put(kind, object_id, b"%d" % number)


def record(store: FileStore, *payloads: bytes) -> None:
    """Append changes and last an operation, with the rows that reindex derives."""
    with store.transaction() as transaction:
        for payload in payloads:
            number = transaction.append(CHANGE, identify(CHANGE, payload), payload)
            reindex(transaction, CHANGE, number, identify(CHANGE, payload), None)
        last = b"operation of " + payloads[-1]
        number = transaction.append(OPERATION, identify(OPERATION, last), last)
        reindex(transaction, OPERATION, number, identify(OPERATION, last), None)


def opened(path: Path) -> FileStore:
    return FileStore.open(bytes(path), identify, reindex=reindex)


def checked(path: Path) -> FileStore:
    return FileStore.open(bytes(path), identify, durability="fast", reindex=reindex)


def dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path / "index.db")
    lines = list(connection.iterdump())
    connection.close()
    return lines


def dies_at(step: int, action: Callable[[], None]) -> bool:
    """Run the action in a child that dies at a step; return False if it had fewer steps."""
    return dying.dies_at(step, action, CALLS)


def works_on(path: Path) -> None:
    """Check that the segments are sound, the index says what they hold, and writing goes on."""
    checked(path).close()
    assert [
        item for item in scan_store(bytes(path), identify) if isinstance(item, Damage)
    ] == []
    indexed = dump(path)
    rebuild(bytes(path), identify, reindex)
    assert dump(path) == indexed
    store = checked(path)
    record(store, b"the next one")
    assert store.read(CHANGE, store.count(CHANGE)) == b"the next one"
    store.close()


def every_death(template: Path, work: Path, action: Callable[[], None]) -> int:
    """Let the action die at each of its steps on a copy; return how many it has."""
    for step in count(1):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(template, work)
        if not dies_at(step, action):
            return step - 1
        works_on(work)
    return 0


@pytest.fixture
def template(tmp_path: Path) -> Path:
    store = FileStore.create(bytes(tmp_path / "template"), identify)
    record(store, b"a", b"b")
    store.close()
    return tmp_path / "template"


def test_a_commit_is_there_or_not(template: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    seen: set[tuple[int, int]] = set()
    for step in count(1):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(template, work)
        if not dies_at(step, lambda: record(opened(work), b"c", b"d")):
            break
        store = checked(work)
        seen.add((store.count(CHANGE), store.count(OPERATION)))
        store.close()
        works_on(work)
    assert step > 20
    assert seen == {(2, 1), (4, 2)}


def test_a_bulk_that_dies_leaves_whole_frames(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.store.transaction.FRAME_TARGET", 50)
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 400)
    work = tmp_path / "work"
    contents = [b"%d" % number for number in range(8)]
    assert every_death(template, work, lambda: record(opened(work), *contents)) > 60


def test_a_rollback_that_dies_is_finished_by_the_next(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.store.transaction.FRAME_TARGET", 50)
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 400)
    work = tmp_path / "work"

    def rolled_back() -> None:
        store = opened(work)
        with pytest.raises(ZeroDivisionError), store.transaction() as transaction:  # noqa: PT012 -- the block is the case
            for number in range(8, -1, -1):
                payload = b"%d" % (8 // number)
                transaction.append(CHANGE, identify(CHANGE, payload * number), payload * number)
        store.close()

    assert every_death(template, work, rolled_back) > 30


def test_recovery_may_die_again_and_again(template: Path, tmp_path: Path) -> None:
    work, behind = tmp_path / "work", tmp_path / "behind"
    shutil.copytree(template, behind)
    store = opened(behind)
    record(store, b"c")
    record(store, b"d")
    store.close()
    shutil.copy(template / "index.db", behind / "index.db")
    with (behind / "segments" / "000001.oxs").open("ab") as file:
        file.write(b"torn")
    assert every_death(behind, work, lambda: opened(work).close()) > 10
    shutil.copytree(behind, tmp_path / "again")
    store = opened(tmp_path / "again")
    assert store.count(OPERATION) == 3
    store.close()


def interrupted_in_sqlite(template: Path, work: Path) -> None:
    """Leave a database half-written, with its journal, as a kill inside SQLite does."""
    store = checked(template)
    with store.transaction() as transaction:
        for number in range(3000):
            transaction.put(5, b"%d" % number, b"before" * 10)
    with pytest.MonkeyPatch.context() as patch:
        # So SQLite writes early.
        patch.setattr("oxy.store.database.DATABASE_CACHE", 20_480)
        with pytest.raises(ZeroDivisionError), store.transaction() as transaction:  # noqa: PT012 -- the block is the case
            for number in range(3000):
                transaction.put(5, b"%d" % number, b"after" * number)
            assert list(transaction.rows(5, b"2999")) == [(b"2999", b"after" * 2999)]
            shutil.copytree(template, work)
            raise ZeroDivisionError
    store.close()


def test_a_commit_that_died_inside_sqlite_is_taken_back(template: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    interrupted_in_sqlite(template, work)
    store = checked(work)
    assert {value for _, value in store.rows(5)} == {b"before" * 10}
    assert store.check_database() == []
    store.close()


@pytest.mark.parametrize("stale", [None, b"", b"stale" * 1000])
def test_a_journal_that_is_lost_is_noticed_and_the_database_rebuilt(
    template: Path, tmp_path: Path, stale: bytes | None
) -> None:
    work = tmp_path / "work"
    interrupted_in_sqlite(template, work)
    (work / "index.db-journal").unlink()
    if stale is not None:
        (work / "index.db-journal").write_bytes(stale)
    with pytest.raises(DatabaseDamagedError):
        checked_deeply(work)
    rebuild(bytes(work), identify, reindex)
    works_on(work)


def checked_deeply(path: Path) -> None:
    store = checked(path)
    try:
        for finding in store.check_database():
            raise DatabaseDamagedError(bytes(path), finding)
    finally:
        store.close()


def test_a_rebuild_that_dies_is_done_again(template: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    whole = dump(template)

    def rebuilt() -> None:
        rebuild(bytes(work), identify, reindex)

    for step in count(1):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(template, work)
        died = dies_at(step, rebuilt)
        try:
            opened(work).close()
        except OxyError:
            rebuild(bytes(work), identify, reindex)
        assert dump(work) == whole
        if not died:
            break
    assert step > 20


def test_a_creation_that_dies_is_done_again(tmp_path: Path) -> None:
    work = tmp_path / "work"
    for step in count(1):
        shutil.rmtree(work, ignore_errors=True)
        if not dies_at(step, lambda: FileStore.create(bytes(work), identify).close()):
            break
        if not (work / "index.db").exists():
            FileStore.create(bytes(work), identify).close()
        works_on(work)
    assert step > 20
