from pathlib import Path

import pytest

from oxy.repo.cache import SECRET, Cache
from oxy.repo.keys import NONE, SIZE, Keys
from oxy.store.memory import MemoryStore
from oxy.store.protocol import CHANGE


def _store() -> MemoryStore:
    store = MemoryStore()
    with store.transaction() as transaction:
        for number in range(3):
            transaction.append(CHANGE, bytes([number]) * 32, b"%d" % number)
    return store


def test_a_key_tells_which_changes_not_in_which_order(tmp_path: Path) -> None:
    keys = Keys(_store(), Cache(bytes(tmp_path / "c.db")))
    one_two = keys.moved(keys.moved(NONE, 1), 2)
    assert keys.moved(keys.moved(NONE, 2), 1) == one_two
    assert len(one_two) == SIZE
    assert len({NONE, keys.moved(NONE, 1), keys.moved(NONE, 2), one_two}) == 4


def test_what_is_taken_out_is_as_if_it_had_never_been_in(tmp_path: Path) -> None:
    keys = Keys(_store(), Cache(bytes(tmp_path / "c.db")))
    both = keys.moved(keys.moved(NONE, 1), 3)
    assert keys.moved(both, -1) == keys.moved(NONE, 3)
    assert keys.moved(keys.moved(both, -1), -3) == NONE


def test_the_secret_stays_while_the_cache_does_and_is_another_without(tmp_path: Path) -> None:
    place = bytes(tmp_path / "c.db")
    first, again = Keys(_store(), Cache(place)), Keys(_store(), Cache(place))
    assert first.secret() == again.secret()
    assert first.fingerprint() == again.fingerprint()
    assert first.of_change(1) == again.of_change(1)
    other = Keys(_store(), Cache(bytes(tmp_path / "other.db")))
    assert other.fingerprint() != first.fingerprint()
    assert other.of_change(1) != first.of_change(1)


def test_a_secret_of_another_size_is_replaced(tmp_path: Path) -> None:
    cache = Cache(bytes(tmp_path / "c.db"))
    cache.put(SECRET, [(b"", b"short")])
    assert len(Keys(_store(), cache).secret()) == 32


def test_without_a_place_for_it_the_secret_lasts_as_long_as_the_process(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    keys = Keys(_store(), Cache(bytes(tmp_path / "file" / "c.db")))
    assert keys.secret() == keys.secret()
    keys.forget()
    assert keys.moved(keys.moved(NONE, 1), -1) == NONE


def test_hashes_worked_out_together_are_those_worked_out_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.repo.keys.CACHED", 2)
    cache = Cache(bytes(tmp_path / "c.db"))
    keys, others = Keys(_store(), cache), Keys(_store(), cache)
    keys.learn([3, 1, 2])
    keys.learn([2, 3])
    assert [keys.of_change(n) for n in (1, 2, 3)] == [others.of_change(n) for n in (1, 2, 3)]
