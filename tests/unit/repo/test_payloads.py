import pytest

from oxy.repo.payloads import Payloads
from oxy.store.memory import MemoryStore
from oxy.store.protocol import CHANGE


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    with made.transaction() as transaction:
        for number in range(1, 5):
            transaction.append(CHANGE, bytes([number]) * 32, b"%d" % number * number)
    return made


def test_a_payload_is_read_once(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    payloads = Payloads(store)
    payloads.load([3, 1, 3])
    monkeypatch.setattr("oxy.repo.payloads.LARGE", 0)
    payloads.load([1, 2, 3])
    assert [payloads.of(number) for number in (1, 2, 3)] == [b"1", None, b"333"]


def test_one_that_is_large_is_not_kept(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.repo.payloads.LARGE", 3)
    payloads = Payloads(store)
    assert [payloads.of(number) for number in (1, 2, 3, 4, 3)] == [
        b"1",
        b"22",
        None,
        None,
        None,
    ]


def test_the_ones_used_longest_ago_go_first(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.repo.payloads.CACHED", 6)
    payloads = Payloads(store)
    payloads.load([1, 2, 3])
    assert payloads.of(1) == b"1"
    payloads.load([4])
    monkeypatch.setattr("oxy.repo.payloads.LARGE", 0)
    assert [payloads.of(number) for number in (1, 4, 2, 3)] == [b"1", b"4444", None, None]


def test_what_is_forgotten_is_read_again(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    payloads = Payloads(store)
    payloads.load([1])
    payloads.forget()
    monkeypatch.setattr("oxy.repo.payloads.LARGE", 0)
    assert payloads.of(1) is None
