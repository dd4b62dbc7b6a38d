"""What blame looks past."""

import pytest

from oxy.actions.blame import blame
from oxy.actions.past import Past
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History

SPACES = Past(whitespace=True)


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def told(history: History, past: Past, *heads: int) -> str:
    """Return the change of each line, as one digit each."""
    repository = history.repository
    lines = blame(repository, Name(heads), b"f", past)
    return "".join(str(repository.store.number_of(1, line.change)) for line in lines)


def test_lines_that_only_moved_to_the_right_are_those_that_they_were(history: History) -> None:
    first = history.commit({b"f": b"a\nb\nc\n"})
    second = history.commit({b"f": b"a\n\tif x:\n\tb\n\tc\n"}, first)
    assert told(history, Past(), second) == "1222"
    assert told(history, SPACES, second) == "1211"
    third = history.commit({b"f": b"a\nif x:\n    b\n    C\n"}, second)
    assert told(history, SPACES, third) == "1213"


def test_a_blank_line_among_others_goes_back_as_they_do(history: History) -> None:
    first = history.commit({b"f": b"a\n\nb\n"})
    second = history.commit({b"f": b" a\n  \n b\n"}, first)
    assert told(history, SPACES, second) == "111"


def test_what_is_new_has_nothing_behind_it(history: History) -> None:
    first = history.commit({b"f": b"a\nb\n"})
    second = history.commit({b"f": b"a\nx\nb\n"}, first)
    assert told(history, SPACES, second) == "121"
    assert told(history, Past(frozenset({second})), second) == "121"


def test_the_lines_of_a_change_looked_past_go_to_what_they_replaced(history: History) -> None:
    first = history.commit({b"f": b"a\nb\nc\n"})
    second = history.commit({b"f": b"a\nB\nc\n"}, first)
    third = history.commit({b"f": b"X\nY\nZ\nW\n"}, second)
    assert told(history, Past(), third) == "3333"
    assert told(history, Past(frozenset({third})), third) == "1211"
    assert told(history, Past(frozenset({second, third})), third) == "1111"
    assert told(history, Past(frozenset({second})), third) == "3333"


def test_lines_alike_but_for_whitespace_go_together_before_others(history: History) -> None:
    first = history.commit({b"f": b"a\n"})
    second = history.commit({b"f": b"a\nb\n"}, first)
    third = history.commit({b"f": b"new\n  b\n"}, second)
    assert told(history, Past(frozenset({third})), third) == "12"


def test_of_fewer_old_lines_the_last_stands_behind_those_that_follow(history: History) -> None:
    first = history.commit({b"f": b"a\nc\n"})
    second = history.commit({b"f": b"a\nb\nc\n"}, first)
    third = history.commit({b"f": b"X\nY\nZ\nW\nc\n"}, second)
    assert told(history, Past(frozenset({third})), third) == "12221"


def test_a_side_of_a_conflict_goes_back_too(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    left = history.commit({b"f": b"a\n b\nc\n"}, base)
    right = history.commit({b"f": b"a\nR\nc\n"}, base)
    assert sorted(told(history, SPACES, left, right)) == sorted("1131")
