import hashlib
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.log import log
from oxy.model.change import Header
from oxy.repo.origin import COMMIT, MESSAGE, git_commit
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def order(history: History, *heads: int) -> list[int]:
    name = history.repository.states.join(tuple(Name((head,)) for head in heads))
    return [entry.change for entry in log(history.repository, name)]


def test_a_change_comes_after_those_that_know_it_whatever_its_time(history: History) -> None:
    first = history.commit({b"f": b"1\n"}, hours=9)
    second = history.commit({b"f": b"2\n"}, first, hours=1)
    third = history.commit({b"f": b"3\n"}, second, hours=5)
    assert order(history, third) == [third, second, first]


def test_independent_changes_come_by_time_and_not_by_arrival(history: History) -> None:
    base = history.commit({b"f": b"1\n"}, hours=0)
    late = history.commit({b"a": b"1\n"}, base, hours=8)
    early = history.commit({b"b": b"1\n"}, base, hours=2)
    middle = history.commit({b"c": b"1\n"}, base, hours=5)
    merge = history.commit({}, early, late, middle, hours=9)
    assert order(history, merge) == [merge, late, middle, early, base]


def test_of_two_at_one_time_the_smaller_id_comes_first(history: History) -> None:
    base = history.commit({b"f": b"1\n"}, hours=0)
    sides = [history.commit({b"f": b"%d\n" % n}, base, hours=3) for n in range(2, 7)]
    wanted = sorted(sides, key=history.id)
    assert order(history, *sides) == [*wanted, base]


def test_a_limit_ends_the_log(history: History) -> None:
    first = history.commit({b"f": b"1\n"})
    second = history.commit({b"f": b"2\n"}, first)
    entries = list(log(history.repository, Name((second,)), 1))
    assert [entry.change for entry in entries] == [second]


def test_the_log_of_the_empty_state_is_empty(history: History) -> None:
    assert order(history) == []


def test_what_is_absent_from_a_state_is_not_in_its_log(history: History) -> None:
    first = history.commit({b"f": b"1\n"})
    second = history.commit({b"g": b"1\n"}, first)
    third = history.commit({b"h": b"1\n"}, second)
    entries = list(log(history.repository, Name((third,), (second,))))
    assert [entry.change for entry in entries] == [third]
    assert entries[0].parents == ()


def test_the_first_entries_of_a_long_history_need_few_headers(history: History) -> None:
    change = history.commit({b"f": b"0\n"})
    for n in range(1, 300):
        change = history.commit({b"f": b"%d\n" % n}, change)
    read: list[int] = []
    repository = Counting(history.repository, read)
    assert [e.change for e in log(repository, Name((change,)), 10)] == list(
        range(change, change - 10, -1)
    )
    assert len(read) <= 32


class Counting(Repository):
    """A repository that notes which headers are read."""

    __slots__ = ("_read",)

    def __init__(self, other: Repository, read: list[int]) -> None:
        super().__init__(other.root, other.store)
        self._read = read

    def headers(self, changes: list[int]) -> Iterator[tuple[int, Header]]:
        self._read += changes
        return super().headers(changes)


@given(
    st.lists(
        st.tuples(st.lists(st.integers(0, 30), max_size=3), st.integers(0, 6)), max_size=25
    )
)
def test_the_order_is_that_of_a_sort_that_reads_everything(
    shape: Sequence[tuple[list[int], int]],
) -> None:
    history = History(Repository.in_memory())
    changes = [history.commit({b"f": b"0\n"}, hours=3)]
    parents: dict[int, set[int]] = {changes[0]: set()}
    for number, (picks, hours) in enumerate(shape):
        heads = sorted({changes[pick % len(changes)] for pick in picks})
        name = history.repository.states.join(tuple(Name((head,)) for head in heads))
        change = history.commit({b"g%d" % number: b"1\n"}, *name.heads, hours=hours)
        parents[change] = set(name.heads)
        changes.append(change)
    state = history.repository.states.join(tuple(Name((c,)) for c in changes))
    times = dict(history.repository.headers(changes))
    left, wanted = set(changes), []
    while left:
        known = {parent for change in left for parent in parents[change]}
        best = min(left - known, key=lambda c: (-times[c].time.microseconds, history.id(c)))
        wanted.append(best)
        left.remove(best)
    assert [entry.change for entry in log(history.repository, state)] == wanted


def test_the_git_id_is_that_of_the_raw_commit(history: History) -> None:
    raw = b"tree x\nauthor y\n\n"
    change = history.commit({b"f": b"1\n"}, message=b"hi\n", extra=((COMMIT, raw),))
    wanted = hashlib.sha1(b"commit 20\0" + raw + b"hi\n", usedforsecurity=False).digest()
    assert git_commit(history.repository.header(change)) == wanted


def test_a_raw_message_counts_for_the_git_id(history: History) -> None:
    extra = ((COMMIT, b"tree x\n\n"), (MESSAGE, b"\xe9"))
    change = history.commit({b"f": b"1\n"}, message=b"\xc3\xa9", extra=extra)
    wanted = hashlib.sha1(b"commit 9\0tree x\n\n\xe9", usedforsecurity=False).digest()
    assert git_commit(history.repository.header(change)) == wanted


def test_a_change_that_no_bridge_made_has_no_git_id(history: History) -> None:
    change = history.commit({b"f": b"1\n"}, extra=((b"note:x", b"y"),))
    assert git_commit(history.repository.header(change)) is None
