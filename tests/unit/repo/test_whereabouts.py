import pytest

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.whereabouts import changes_of, nodes_ever_at
from tests.builders.history import History, Made


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def touched(history: History, path: bytes, *heads: int) -> list[int]:
    """Return the changes that touch what is or was at a path."""
    repository = history.repository
    name = repository.states.join(tuple(Name((head,)) for head in heads))
    nodes = nodes_ever_at(repository, name, path)
    return list(changes_of(repository, nodes, repository.states.members(name)))


def test_a_file_is_followed_to_the_names_that_it_had(history: History) -> None:
    first = history.commit({b"f": b"1\n", b"other": b"x\n"})
    moved = history.commit({b"g": Made(b"1\n", moved_from=b"f")}, first)
    beside = history.commit({b"other": b"y\n"}, moved)
    last = history.commit({b"g": b"2\n"}, beside)
    assert touched(history, b"g", last) == [first, moved, last]
    assert touched(history, b"f", last) == [first, moved, last]
    assert touched(history, b"other", last) == [first, beside]


def test_a_file_is_followed_past_its_deletion_and_one_that_took_its_place(
    history: History,
) -> None:
    first = history.commit({b"f": b"1\n"})
    gone = history.commit({b"f": None}, first)
    assert touched(history, b"f", gone) == [first, gone]
    again = history.commit({b"f": b"new\n"}, gone)
    assert touched(history, b"f", again) == [first, gone, again]


def test_a_path_that_was_left_elsewhere_is_not_one_of_the_state(history: History) -> None:
    base = history.commit({b"f": b"1\n"})
    there = history.commit({b"g": Made(b"1\n", moved_from=b"f")}, base)
    history.commit({b"h": Made(b"1\n", moved_from=b"g")}, there)
    here = history.commit({b"f": b"2\n"}, base)
    assert touched(history, b"g", here) == []
    assert touched(history, b"f", here) == [base, here]


def test_a_directory_has_what_is_and_what_was_below_it(history: History) -> None:
    first = history.commit({b"d/f": b"1\n", b"d/g": b"1\n", b"dd": b"1\n"})
    out = history.commit({b"top": Made(b"1\n", moved_from=b"d/f")}, first)
    edit = history.commit({b"top": b"2\n"}, out)
    beside = history.commit({b"dd": b"2\n"}, edit)
    last = history.commit({b"d/g": b"2\n"}, beside)
    assert touched(history, b"d", last) == [first, out, edit, last]
    assert touched(history, b"", last) == [first, out, edit, beside, last]


def test_many_nodes_are_looked_for_in_the_changes(history: History) -> None:
    files = {b"d/%02d" % number: b"%d\n" % number for number in range(40)}
    first = history.commit({**files, b"e": b"1\n"})
    beside = history.commit({b"e": b"2\n"}, first)
    last = history.commit({b"d/07": b"x\n"}, beside)
    assert touched(history, b"d", last) == [first, last]


def test_nothing_was_ever_at_a_path_that_nobody_had(history: History) -> None:
    change = history.commit({b"f": b"1\n"})
    assert touched(history, b"none", change) == []
