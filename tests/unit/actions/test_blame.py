import pytest

from oxy.actions.blame import blame
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def told(history: History, *heads: int) -> list[tuple[int, bytes, int]]:
    store = history.repository.store
    return [
        (line.number, line.text, store.number_of(1, line.origin.id) or 0)
        for line in blame(history.repository, Name(heads), b"f")
    ]


def test_each_line_keeps_the_change_that_made_it(history: History) -> None:
    first = history.commit({b"f": b"a\nb\nc\n"})
    second = history.commit({b"f": b"a\nB\nc\nd\n"}, first)
    assert told(history, second) == [
        (1, b"a", first),
        (2, b"B", second),
        (3, b"c", first),
        (4, b"d", second),
    ]


def test_a_merge_that_needs_no_change_is_blamed_through(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    left = history.commit({b"f": b"A\nb\nc\n"}, base)
    right = history.commit({b"f": b"a\nb\nC\n"}, base)
    assert told(history, left, right) == [(1, b"A", left), (2, b"b", base), (3, b"C", right)]


def test_the_sides_of_a_conflict_stand_one_after_the_other(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    left = history.commit({b"f": b"a\nL\nc\n"}, base)
    right = history.commit({b"f": b"a\nR\nc\n"}, base)
    found = [(text, change) for _, text, change in told(history, left, right)]
    assert found[0] == (b"a", base)
    assert sorted(found[1:3]) == [(b"L", left), (b"R", right)]
    assert found[3:] == [(b"c", base)]


def test_an_empty_file_has_no_lines(history: History) -> None:
    assert told(history, history.commit({b"f": b""})) == []


def test_a_last_line_without_lf_is_a_line(history: History) -> None:
    change = history.commit({b"f": b"a\nb"})
    assert told(history, change) == [(1, b"a", change), (2, b"b", change)]
