from oxy.graph.lineset import LineSet
from oxy.graph.text import Span


def test_clipping_keeps_what_is_in_the_set_in_the_order_given() -> None:
    members = LineSet([Span(20, 5), Span(10, 3)])
    assert members.clip([Span(22, 10), Span(8, 4)]) == (Span(22, 3), Span(10, 2))


def test_what_lies_outside_the_set_is_left_over() -> None:
    members = LineSet([Span(12, 2), Span(16, 1)])
    assert members.without([Span(10, 10)]) == (Span(10, 2), Span(14, 2), Span(17, 3))


def test_lines_of_another_change_are_other_lines() -> None:
    members = LineSet([Span(1 << 32, 5)])
    assert members.clip([Span(2 << 32, 5)]) == ()
    assert members.without([Span(2 << 32, 5)]) == (Span(2 << 32, 5),)


def test_an_empty_set_holds_nothing() -> None:
    assert LineSet([]).clip([Span(1, 3)]) == ()
    assert LineSet([]).without([Span(1, 3)]) == (Span(1, 3),)


def test_lines_can_be_added() -> None:
    members = LineSet([Span(20, 5)])
    members.update([Span(10, 3), Span(2 << 32, 1)])
    assert members.clip([Span(8, 20)]) == (Span(10, 3), Span(20, 5))
    assert list(members.parts(Span(11, 10))) == [
        (Span(11, 2), Span(10, 3)),
        (Span(20, 1), Span(20, 5)),
    ]
