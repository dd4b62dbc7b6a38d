import pytest
from pyroaring import BitMap

from oxy.actions.deps import LEANS, MADE, Reason, dependencies, dependents
from oxy.repo.repository import Repository
from tests.builders.history import History, Made


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def told(history: History, change: int) -> dict[int, tuple[Reason, ...]]:
    return {d.entry.change: d.reasons for d in dependencies(history.repository, change)}


def test_lines_are_told_with_their_numbers_before_the_change(history: History) -> None:
    base = history.commit({b"f": b"1\n2\n3\n4\n5\n"})
    edit = history.commit({b"f": b"0\n1\n2\n4\n5\n"}, base)
    last = history.commit({b"f": b"0\n1\nx\n4\ny\n5\n"}, edit)
    assert told(history, edit) == {
        base: (
            Reason(b"f", "deletes", 3, 1, b"3"),
            Reason(b"f", "adds lines before", 1, 1, b"1"),
        )
    }
    assert told(history, last) == {
        base: (
            Reason(b"f", "deletes", 3, 1, b"2"),
            Reason(b"f", "adds lines after", 4, 1, b"4"),
            Reason(b"f", "adds lines before", 5, 1, b"5"),
        )
    }


def test_stretches_are_told_once(history: History) -> None:
    base = history.commit({b"f": b"1\n2\n3\n4\n"})
    edit = history.commit({b"f": b"1\n"}, base)
    assert told(history, edit) == {base: (Reason(b"f", "deletes", 2, 3, b"2"),)}


def test_values_and_files_are_told(history: History) -> None:
    base = history.commit({b"f": b"1\n"})
    moved = history.commit({b"g": Made(b"1\n", moved_from=b"f")}, base)
    mode = history.commit({b"g": Made(b"1\n", mode=1)}, moved)
    assert told(history, moved) == {base: (Reason(b"f", "writes anew its place"),)}
    assert told(history, mode) == {base: (Reason(b"g", MADE),)}


def test_lines_ordered_and_kept_from_a_conflict_are_told(history: History) -> None:
    base = history.commit({b"f": b"a\nb\n"})
    one = history.commit({b"f": b"a\nx\nb\n"}, base)
    other = history.commit({b"f": b"a\ny\nb\n"}, base, author=b"Bob <b@x>")
    both = history.commit({b"f": b"a\nx\nz\ny\nb\n"}, one, other)
    found = told(history, both)
    assert {reason.text for change in (one, other) for reason in found[change]} == {b"x", b"y"}


def test_a_twin_that_is_kept_in_place_of_another_is_leant_on(history: History) -> None:
    base = history.commit({b"f": b"a\nb\n"})
    one = history.commit({b"f": b"a\nx\nb\n"}, base)
    other = history.commit({b"f": b"a\nx\nb\n"}, base, author=b"Bob <b@x>")
    edit = history.commit({b"f": b"a\nx\nB\n"}, one, other)
    found = told(history, edit)
    assert {one, other} <= found.keys()
    assert Reason(b"f", LEANS) in (*found[one], *found[other])


def test_what_depends_is_told_for_the_state_that_is_asked(history: History) -> None:
    base = history.commit({b"f": b"1\n2\n"})
    edit = history.commit({b"f": b"1\ntwo\n"}, base)
    apart = history.commit({b"g": b"g\n"}, edit)
    found = list(dependents(history.repository, base, BitMap([base, edit, apart])))
    assert [(each.entry.change, each.reasons) for each in found] == [
        (edit, (Reason(b"f", "deletes", 2, 1, b"2"),))
    ]
    assert not list(dependents(history.repository, base, BitMap([base, apart])))
