from pathlib import Path

import pytest

from oxy.model.digest import change_id
from oxy.model.operation import KIND_BINARY
from oxy.repo.operations import OperationError
from oxy.repo.place import CONTROL
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.reindexing import Reindexer
from oxy.repo.repository import Repository, identify
from oxy.repo.states import Name, NoStateError
from oxy.repo.tables import LINK, REF
from oxy.store.file import rebuild
from oxy.store.memory import MemoryStore
from oxy.store.protocol import BLOB, CHANGE, OPERATION, Reader
from tests.builders.scribe import File, Scribe

MAIN = Ref(BOOKMARK, b"main")
MANY = 1200


def _rows(reader: Reader) -> list[list[tuple[bytes, bytes]]]:
    return [list(reader.rows(table)) for table in range(1, REF + 2)]


def _remade(root: bytes) -> Repository:
    """Return the repository with its database made anew."""
    assert rebuild(root + b"/" + CONTROL, identify, Reindexer()) == []
    return Repository.at(root)


@pytest.mark.parametrize("kept", ["index", "segments"])
def test_a_change_and_a_blob_over_a_mebibyte_are_indexed_again(
    tmp_path: Path, kept: str
) -> None:
    repository = Repository.create(bytes(tmp_path), "fast")
    scribe = Scribe(repository)
    files = {b"d/%d" % at: File(b"%d\n" % at * 250) for at in range(MANY)}
    large = {b"bin": File(bytes(3 << 20), KIND_BINARY), b"text": File(b"x\n" * (1 << 20))}
    scribe.commit(Name(), {**files, **large})
    scribe.commit(Name((1,)), {b"d/7": File(b"new\n")})
    assert repository.store.size(CHANGE, 1) > 1 << 20
    before = _rows(repository.store)
    repository.close()
    again = _remade(bytes(tmp_path)) if kept == "segments" else Repository.at(bytes(tmp_path))
    assert _rows(again.store) == before
    assert again.refs.get(MAIN) == Target(Name((2,)))
    assert Scribe(again).text(b"text", Name((2,))) == b"x\n" * (1 << 20)
    again.close()


def test_changes_past_the_indexed_end_are_indexed_at_the_next_opening(tmp_path: Path) -> None:
    repository = Repository.create(bytes(tmp_path), "fast")
    scribe = Scribe(repository)
    scribe.commit(Name(), {b"f": File(b"a\n")})
    index = tmp_path / ".oxy" / "index.db"
    old = index.read_bytes()
    scribe.commit(Name((1,)), {b"f": File(b"a\nb\n"), b"g": File(b"c\n")})
    after = _rows(repository.store)
    repository.close()
    index.write_bytes(old)
    again = Repository.at(bytes(tmp_path))
    assert _rows(again.store) == after
    assert again.refs.get(MAIN) == Target(Name((2,)))
    again.close()


def _copied(source: Reader, without: int) -> MemoryStore:
    """Return a store of the same objects without one change, indexed as they come."""
    store, reindexer = MemoryStore(), Reindexer()
    with store.transaction() as transaction:
        for kind in (CHANGE, OPERATION):
            for number in range(1, source.count(kind) + 1):
                if (kind, number) != (CHANGE, without):
                    payload = source.read(kind, number)
                    given = transaction.append(kind, source.id_of(kind, number), payload)
                    reindexer(transaction, kind, given, b"", payload)
    return store


def test_what_needs_a_lost_change_gets_no_rows_and_hides_nothing_else() -> None:
    scribe = Scribe(Repository.in_memory())
    scribe.commit(Name(), {b"f": File(b"a\n")})
    scribe.commit(Name((1,)), {b"f": File(b"b\n")})
    scribe.commit(Name((2,)), {b"f": File(b"c\n")})
    scribe.commit(Name((1,)), {b"g": File(b"d\n")})
    store = _copied(scribe.repository.store, without=2)
    again = Repository(b"/dev/null", store)
    assert [int.from_bytes(row, "big") for row, _ in store.rows(LINK)] == [1, 3]
    with pytest.raises(NoStateError):
        again.states.of_change(2)
    assert Scribe(again).paths(Name((3,))) == {b"f": 1, b"g": 2}
    assert again.refs.get(MAIN) == Target(Name((3,)))


def test_what_is_no_change_gets_no_rows() -> None:
    store = MemoryStore()
    with store.transaction() as transaction:
        number = transaction.append(CHANGE, change_id(b"", b""), b"no change")
        Reindexer()(transaction, CHANGE, number, b"", b"no change")
        Reindexer()(transaction, OPERATION, 1, b"", b"no record")
        with pytest.raises(OperationError):
            Reindexer().index(transaction, OPERATION, 1, b"no record")
    assert _rows(store) == [[]] * 9


def test_a_blob_is_not_read() -> None:
    store = MemoryStore()
    with store.transaction() as transaction:
        Reindexer()(transaction, BLOB, 1, b"", None)
    assert _rows(store) == [[]] * 9
