import pytest

from oxy.repo.headers import MOST, header_row, headers_of
from oxy.repo.repository import Repository
from oxy.repo.tables import HEADER, key
from oxy.store.protocol import CHANGE
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    found = History(Repository.in_memory())
    for number in range(3):
        found.commit({b"f": b"%d\n" % number}, *([number] if number else []))
    return found


def test_headers_are_read_without_their_changes(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = list(headers_of(history.repository.store, [1, 2, 3]))
    assert [name for _, name, _ in wanted] == [history.id(n) for n in (1, 2, 3)]
    for name in ("read", "read_many", "read_starts", "read_part", "chunks"):
        monkeypatch.setattr(type(history.repository.store), name, None, raising=False)
    assert list(headers_of(history.repository.store, [1, 2, 3])) == wanted


@pytest.mark.parametrize("row", [None, b"", b"\0" * 40])
def test_a_row_that_the_id_does_not_prove_is_not_taken(
    history: History, row: bytes | None
) -> None:
    store = history.repository.store
    wanted = list(headers_of(store, [2]))
    with store.transaction() as transaction:
        if row is None:
            transaction.delete(HEADER, key(2))
        else:
            transaction.put(HEADER, key(2), row)
    assert list(headers_of(store, [2])) == wanted


def test_a_large_header_has_no_row(history: History) -> None:
    payload = history.repository.store.read(CHANGE, 1)
    assert header_row(payload) is not None
    assert header_row((MOST + 1).to_bytes(4, "big") + bytes(MOST + 1)) is None
