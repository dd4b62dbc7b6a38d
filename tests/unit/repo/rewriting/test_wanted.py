from oxy.graph.deed import Span
from oxy.repo.rewriting.wanted import Hunk, Want, hunks, lines_of, without_twins


def wants(*positions: int) -> list[Want]:
    return [Want(at, 100 + place) for place, at in enumerate(positions)]


def test_spans_are_told_line_by_line() -> None:
    assert lines_of([Span(5, 2), Span(1, 1)]) == [5, 6, 1]


def test_what_is_there_already_needs_nothing() -> None:
    assert hunks(3, wants(0, 1, 2)) == []


def test_lines_that_go_and_come_are_one_hunk() -> None:
    assert hunks(4, wants(0, -1, -1, 3)) == [Hunk(1, 2, 1, 2)]


def test_lines_at_both_ends_go_and_come() -> None:
    assert hunks(3, wants(-1, 1)) == [Hunk(0, 1, 0, 1), Hunk(2, 1, 2, 0)]
    assert hunks(0, wants(-1)) == [Hunk(0, 0, 0, 1)]


def test_another_order_of_what_is_there_is_no_edit() -> None:
    assert hunks(2, wants(1, 0)) is None


def test_lines_made_anew_with_the_same_bytes_stay() -> None:
    now, then = [b"x", b"a", b"b", b"z"], [b"x", b"a", b"new", b"z"]
    found, stay = without_twins([Hunk(1, 2, 1, 2)], now.__getitem__, then.__getitem__)
    assert found == [Hunk(2, 1, 2, 1)]
    assert stay == {1: 1}


def test_an_edit_that_changes_nothing_vanishes() -> None:
    same = [b"a", b"b"]
    found, stay = without_twins([Hunk(0, 2, 0, 2)], same.__getitem__, same.__getitem__)
    assert found == []
    assert stay == {0: 0, 1: 1}


def test_the_end_of_what_was_dropped_stays_where_it_comes_again() -> None:
    now, then = [b"a", b"b", b"c"], [b"new", b"c"]
    found, stay = without_twins([Hunk(0, 3, 0, 2)], now.__getitem__, then.__getitem__)
    assert found == [Hunk(0, 2, 0, 1)]
    assert stay == {1: 2}
