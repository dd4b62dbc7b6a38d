"""What nothing reaches goes after a while, and what stays is as it was (ST29, ST30, ST61)."""

from pathlib import Path

import pytest

from oxy.model.digest import blob_id
from oxy.repo.collecting.run import Collected, Terms, collect, collect_some, plan, sizes
from oxy.repo.fsck import fsck, rebuild
from oxy.repo.headers import headers_of
from oxy.repo.packs import SPAN
from oxy.repo.refs import BOOKMARK, Ref
from oxy.repo.repository import Repository, opened
from oxy.repo.tables import HEADER, HEADERS, key
from oxy.store.errors import ObjectGoneError
from oxy.store.file import FileStore
from oxy.store.protocol import BLOB, CHANGE, OPERATION
from oxy.sync.waiting import note_waiting, waiting
from tests.builders.exchange import Silent
from tests.builders.history import START, History

DAY = 86_400_000_000
NOW = START + 1000 * DAY
LONG = 10_000 * DAY
BIG = b"a line of text that is in a blob\n" * 200


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(Repository.create(bytes(tmp_path), "fast"))


def collected(
    history: History, *, days: int = 0, grace: int = 14, log: int = LONG
) -> Collected:
    terms = Terms(NOW + days * DAY, grace * DAY, log)
    return collect(history.repository, terms, Silent())


def sound(repository: Repository) -> bool:
    return list(fsck(repository, Silent())) == []


def test_headers_are_read_from_rows_of_many(history: History) -> None:
    count = SPAN + 10
    for number in range(count):
        history.commit({b"f": b"%d\n" % number}, *([number] if number else []))
    store = history.repository.store
    before = list(headers_of(store, range(1, count + 1)))
    collected(history)
    assert store.row(HEADER, key(1)) is None
    assert store.row(HEADERS, key(0)) is not None
    assert store.row(HEADER, key(count)) is not None
    assert list(headers_of(store, range(1, count + 1))) == before
    assert sound(history.repository)


def test_what_nothing_reaches_goes_after_its_grace(history: History) -> None:
    base = history.commit({b"f": b"1\n"})
    lost = history.commit({b"f": b"2\n", b"new": BIG}, base, bookmark=None)
    store = history.repository.store
    first = collected(history)
    assert (first.removed.changes, first.removed.blobs, first.waiting) == (0, 0, 2)
    assert collected(history, days=13).removed.changes == 0
    assert store.read(CHANGE, lost)
    last = collected(history, days=14)
    assert (last.removed.changes, last.removed.blobs, last.waiting) == (1, 1, 0)
    with pytest.raises(ObjectGoneError):
        store.read(CHANGE, lost)
    assert store.all_gone(BLOB) == [1]
    assert sound(history.repository)


def test_what_was_removed_can_come_again(history: History) -> None:
    base = history.commit({b"f": b"1\n"})
    lost = history.commit({b"f": b"2\n", b"new": BIG}, base, bookmark=None)
    name = history.id(lost)
    assert collected(history, grace=0).removed.changes == 1
    again = history.commit({b"f": b"2\n", b"new": BIG}, base, hours=2, bookmark=b"main")
    assert history.id(again) == name
    assert again > lost
    assert sound(history.repository)
    history.repository.close()
    assert rebuild(history.repository.root) == []
    with opened(history.repository.root) as repository:
        assert repository.store.number_of(CHANGE, name) == lost
        assert sound(repository)


def test_the_log_lets_go_of_old_operations_and_names_stay(history: History) -> None:
    changes = [history.commit({b"f": b"1\n"})]
    for number in range(2, 5):
        changes.append(history.commit({b"f": b"%d\n" % number}, changes[-1]))
    repository = history.repository
    held = repository.refs.get(Ref(BOOKMARK, b"main"))
    gone, _ = plan(repository, Terms(NOW, 0, 0))
    assert len(gone[OPERATION]) == repository.store.count(OPERATION) - 1
    assert collected(history, log=0).removed.operations == len(gone[OPERATION])
    assert repository.refs.get(Ref(BOOKMARK, b"main")) == held
    assert sound(repository)
    repository.close()
    assert rebuild(repository.root) == []
    with opened(repository.root) as again:
        assert again.refs.get(Ref(BOOKMARK, b"main")) == held


def test_a_little_is_packed_only_where_it_is_much(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        history.commit({b"f": b"%d\n" % number}, *([number] if number else []))
    assert collect_some(history.repository, Silent()) == 0
    monkeypatch.setattr("oxy.repo.collecting.run.TAIL", 1)
    before = sizes(history.repository).segments
    assert collect_some(history.repository, Silent()) >= 5
    assert sizes(history.repository).segments < before
    assert sound(history.repository)


def test_more_than_a_little_is_left_and_what_follows_is_apart(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.commit({b"f": b"1\n"})
    monkeypatch.setattr("oxy.repo.collecting.run.TAIL", 1)
    monkeypatch.setattr("oxy.repo.collecting.run.TAIL_BYTES", 10)
    assert collect_some(history.repository, Silent()) == 0
    history.commit({b"f": b"2\n"}, 1)
    store = history.repository.store
    assert isinstance(store, FileStore)
    monkeypatch.setattr("oxy.repo.collecting.run.TAIL_BYTES", store.loose())
    assert collect_some(history.repository, Silent()) == 2
    assert sound(history.repository)


def test_a_blob_that_waited_too_long_is_not_told_of(history: History) -> None:
    history.commit({b"f": b"1\n"})
    store = history.repository.store
    with store.transaction() as transaction:
        transaction.append(BLOB, blob_id(BIG), BIG)
        note_waiting(transaction, 1)
    assert list(waiting(store)) == [blob_id(BIG)]
    assert collected(history, grace=0).removed.blobs == 1
    assert list(waiting(store)) == []
