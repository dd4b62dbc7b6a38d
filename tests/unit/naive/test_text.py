"""What the naive model takes in and what it refuses."""

import pytest

from tests.naive.change import Hunk, Insert, LineId, NaiveChange, Order, Place, Point
from tests.naive.edits import Edit
from tests.naive.story import Story
from tests.naive.text import RefusedChangeError


def test_a_change_whose_dependency_is_absent_is_refused() -> None:
    story = Story("ab")
    with pytest.raises(RefusedChangeError, match="depends on absent"):
        story.text.add(NaiveChange(b"new", dependencies=frozenset({b"absent"})))


def test_a_change_that_refers_to_a_line_without_depending_on_it_is_refused() -> None:
    story = Story("ab")
    line = story.line(story.base, "a")
    with pytest.raises(RefusedChangeError, match="without depending"):
        story.text.add(NaiveChange(b"new", hunks=(Hunk((line,), None),)))


def test_a_change_that_refers_to_a_line_that_its_dependency_does_not_hold_is_refused() -> None:
    story = Story("ab")
    (base,) = story.base
    order = Order(LineId(base, 0), LineId(base, 2), inside=False)
    with pytest.raises(RefusedChangeError, match="without depending"):
        story.text.add(NaiveChange(b"new", orders=(order,), dependencies=story.base))


def test_an_insert_between_points_without_an_order_is_refused() -> None:
    story = Story("ab")
    merged = story.fork("axb") | story.fork("ayb")
    left = Point(story.line(merged, "x"), Place.OUT)
    right = Point(story.line(merged, "y"), Place.IN)
    change = NaiveChange(
        b"new", texts=("z",), inserts=(Insert(1, left, right),), dependencies=merged
    )
    with pytest.raises(RefusedChangeError, match="unordered points"):
        story.text.add(change)


def test_an_insert_between_points_in_reverse_is_refused() -> None:
    story = Story("ab")
    left = Point(story.line(story.base, "b"), Place.OUT)
    right = Point(story.line(story.base, "a"), Place.IN)
    change = NaiveChange(
        b"new", texts=("z",), inserts=(Insert(1, left, right),), dependencies=story.base
    )
    with pytest.raises(RefusedChangeError, match="unordered points"):
        story.text.add(change)


def test_edits_that_do_not_make_the_text_are_refused() -> None:
    story = Story("ab")
    with pytest.raises(ValueError, match="do not make the text"):
        story.text.record(story.base, "axb", b"new", [Edit(0, 1, 0, 1)])


def test_given_edits_decide_which_of_two_equal_lines_keeps_its_identity() -> None:
    story = Story("aa")
    (base,) = story.base
    upper = story.text.commit(story.base, "a", b"upper", [Edit(0, 1, 0, 0)])
    lower = story.text.commit(story.base, "a", b"lower", [Edit(1, 1, 1, 0)])
    assert story.line(upper, "a") == LineId(base, 1)
    assert story.line(lower, "a") == LineId(base, 0)


def test_a_replacement_lies_inside_the_last_line_it_replaces() -> None:
    story = Story("abcd")
    change = story.text.record(story.base, "aXd", b"new")
    b, c = (story.line(story.base, letter) for letter in "bc")
    assert change.hunks == (Hunk((b, c), 0),)
    assert change.inserts == (Insert(1, Point(c, Place.TEXT), Point(c, Place.OUT)),)
    assert change.dependencies == change.context == story.base


def test_an_insertion_lies_between_its_neighbours() -> None:
    story = Story("ab")
    change = story.text.record(story.base, "axyb", b"new")
    a, b = (story.line(story.base, letter) for letter in "ab")
    assert change.inserts == (Insert(2, Point(a, Place.OUT), Point(b, Place.IN)),)
    assert change.texts == ("x", "y")


def test_a_resolution_says_what_it_keeps_and_in_which_order() -> None:
    story = Story("ab")
    merged = story.fork("axb") | story.fork("ayb")
    change = story.text.record(merged, "ayxb", b"new", last_first=True)
    x, y = (story.line(merged, letter) for letter in "xy")
    assert change.orders == (Order(y, x, inside=False),)
    assert change.keeps == (y, x)
    assert change.dependencies == {x.change, y.change}
