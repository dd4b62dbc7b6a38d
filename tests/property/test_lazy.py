"""A lazy repository that has brought everything is as a full one (spec: sync, SY87, SY110)."""

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.model.digest import ChangeId
from oxy.model.operation import KIND_BINARY
from oxy.repo.fsck import fsck
from oxy.repo.promised import count, lacked
from oxy.repo.repository import Repository
from oxy.repo.tables import PROMISED, TABLES
from oxy.repo.writing import writing
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.endpoint import Stored, holds_all, holds_none
from oxy.sync.lent import take_lent
from oxy.sync.receiving import receive
from tests.builders.exchange import STAMP, Silent
from tests.builders.history import History, Made

FEWER: Final = settings(max_examples=settings().max_examples // 2)

TEXTS: Final = st.builds(
    lambda line, times: b"%d\n" % line * times, st.integers(10, 14), st.integers(1, 2800)
)
STEPS: Final = st.lists(st.tuples(st.sampled_from([b"a", b"b", b"c"]), TEXTS), max_size=6)


def played(steps: list[tuple[bytes, bytes]]) -> Repository:
    """Return a history in which texts, and a file that is none, are small and large in turn."""
    history = History(Repository.in_memory())
    heads: tuple[int, ...] = ()
    latest: dict[bytes, bytes] = {}
    for path, text in steps:
        if latest.get(path) == text:
            continue
        latest[path] = text
        made = Made(text, kind=KIND_BINARY) if path == b"c" else Made(text)
        heads = (history.commit({path: made}, *heads),)
    return history.repository


def like(source: Repository, *, lazy: bool) -> Repository:
    """Return a repository that received all changes, without blobs if it is lazy."""
    store = source.store
    want = [ChangeId(name) for name in store.ids_of(CHANGE, range(1, store.count(CHANGE) + 1))]
    parts = Stored(source).missing(want, (), holds_all if lazy else holds_none)
    target = Repository.in_memory()
    with writing(target, STAMP) as work:
        receive(target, work.transaction, parts, Silent(), promised=lazy)
    return target


def held(repository: Repository) -> list[object]:
    store = repository.store
    rows = [list(store.rows(table)) for table in TABLES]
    changes = list(store.read_many(CHANGE, range(1, store.count(CHANGE) + 1)))
    blobs = set(store.read_many(BLOB, range(1, store.count(BLOB) + 1)))
    return [rows, changes, blobs]


@FEWER
@given(STEPS, st.data())
def test_what_comes_late_in_any_order_makes_what_comes_at_once(
    steps: list[tuple[bytes, bytes]], data: st.DataObject
) -> None:
    source = played(steps)
    one, other = like(source, lazy=True), like(source, lazy=False)
    wanted = list(lacked(one.store))
    assert count(one.store).blobs == other.store.count(BLOB)
    for ref in data.draw(st.permutations(wanted)):
        with one.store.transaction() as transaction:
            parts = Stored(source).blobs([ref.id])
            assert take_lent(transaction, parts, {ref.id: ref}) is None
    assert list(one.store.rows(PROMISED)) == []
    assert held(one) == held(other)
    assert list(fsck(one, Silent())) == []
