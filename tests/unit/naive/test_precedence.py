"""The closure of edges between points."""

from tests.naive.change import LineId, Place, Point
from tests.naive.precedence import Precedence

A, B, C = (LineId(b"change", number) for number in range(3))


def follows(upper: LineId, lower: LineId) -> tuple[Point, Point]:
    return Point(upper, Place.OUT), Point(lower, Place.IN)


def test_order_passes_through_a_line() -> None:
    order = Precedence([A, B, C], [follows(A, B), follows(B, C)])
    assert order.strictly(A, C)
    assert not order.before(C, A)
    assert order.sort([C, A, B]) == [A, B, C]


def test_a_line_inside_another_follows_its_text_and_ends_before_it() -> None:
    inner = [
        (Point(A, Place.TEXT), Point(B, Place.IN)),
        (Point(B, Place.OUT), Point(A, Place.OUT)),
    ]
    order = Precedence([A, B, C], [*inner, follows(A, C)])
    assert order.inside(B, A)
    assert not order.inside(A, B)
    assert order.sort([C, B, A]) == [A, B, C]


def test_lines_on_a_cycle_are_before_and_after_each_other() -> None:
    order = Precedence([A, B, C], [follows(A, B), follows(B, A)])
    assert order.before(A, B)
    assert order.before(B, A)
    assert not order.decided(A, B)
    assert not order.decided(A, C)


def test_a_line_on_a_cycle_with_lines_that_are_not_sorted_does_not_precede_itself() -> None:
    order = Precedence([A, B, C], [follows(B, C), follows(C, B), follows(B, A)])
    assert order.sort([A, B]) == [B, A]
