import pytest

from oxy.graph.admission import RefusedEditError, admit
from oxy.graph.text import (
    EDGE,
    Block,
    Cancel,
    Deed,
    Deletion,
    Precedence,
    Span,
    TextGraph,
    point,
)
from oxy.model.operation import IN, OUT, TEXT
from tests.graphs.consistency import assert_consistent, canonical


def line(change: int, index: int = 0) -> int:
    return change << 32 | index


def base() -> TextGraph:
    """Return the text a b c of change 1, with x of change 2 and y of 3 between a and b."""
    graph = TextGraph()
    graph.apply(1, Deed((), (Block(line(1), 3, EDGE, EDGE),)))
    for change in (2, 3):
        between = Block(line(change), 1, point(line(1), OUT), point(line(1, 1), IN))
        graph.apply(change, Deed((1,), (between,)))
    return graph


def between(left: int, right: int) -> tuple[Block, ...]:
    return (Block(line(4), 1, left, right),)


A, B, C, X, Y = line(1), line(1, 1), line(1, 2), line(2), line(3)


@pytest.mark.parametrize(
    "deed",
    [
        Deed((1,), between(point(A, OUT), point(C, IN))),
        Deed((1,), between(point(A, TEXT), point(A, OUT))),
        Deed((1,), between(EDGE, point(C, IN))),
        Deed((1,), between(point(B, OUT), EDGE)),
        Deed((2,), between(point(X, OUT), point(B, IN))),
        Deed((1,), (), (Deletion((Span(A, 3),), None),)),
        Deed((2, 3), orders=(Precedence(X, Y, 0),)),
        Deed((2, 3), orders=(Precedence(Y, X, 1),)),
    ],
)
def test_what_follows_the_rules_is_admitted_and_not_applied(deed: Deed) -> None:
    graph = base()
    before = canonical(graph)
    admit(graph, 4, deed)
    assert canonical(graph) == before
    assert_consistent(graph)


@pytest.mark.parametrize(
    ("deed", "rule"),
    [
        (Deed((1,), between(point(X, OUT), point(B, IN))), "without need"),
        (Deed((1,), (), (Deletion((Span(X, 1),), None),)), "without need"),
        (Deed((1,), between(point(C, OUT), point(B, IN))), "without an order"),
        (Deed((2, 3), between(point(X, OUT), point(Y, IN))), "without an order"),
        (Deed((1,), between(point(A, TEXT), point(B, OUT))), "without an order"),
        (Deed((1,), between(point(A, IN), point(B, IN))), "without an order"),
        (Deed((1,), between(point(A, OUT), point(B, TEXT))), "without an order"),
        (Deed((1,), between(point(line(1, 9), OUT), EDGE)), "not in the text"),
        (Deed((1,), (), (Deletion((Span(C, 2),), None),)), "not in the text"),
        (Deed((1,), cancels=(Cancel(Span(C, 2), (2,)),)), "not in the text"),
        (Deed((1,), orders=(Precedence(B, A, 0),)), "contradict"),
        (
            Deed((2, 3), orders=(Precedence(X, Y, 0), Precedence(Y, X, 0))),
            "contradict",
        ),
    ],
)
def test_what_breaks_a_rule_is_refused_and_leaves_no_trace(deed: Deed, rule: str) -> None:
    graph = base()
    before = canonical(graph)
    with pytest.raises(RefusedEditError, match=rule) as caught:
        admit(graph, 4, deed)
    assert caught.value.change == 4
    assert canonical(graph) == before
    assert_consistent(graph)


def test_what_lies_inside_a_line_cannot_be_put_after_its_out() -> None:
    graph = base()
    graph.apply(4, Deed((1,), (Block(line(4), 1, point(B, TEXT), point(B, OUT)),)))
    admit(graph, 5, Deed((1, 4), orders=(Precedence(B, line(4), 1),)))
    with pytest.raises(RefusedEditError, match="contradict"):
        admit(graph, 5, Deed((1, 4), orders=(Precedence(B, line(4), 0),)))


def test_an_order_through_a_line_of_a_change_that_is_not_needed_does_not_count() -> None:
    graph = base()
    graph.apply(4, Deed((2,), (Block(line(4), 1, point(X, OUT), point(B, IN)),)))
    with pytest.raises(RefusedEditError, match="without need"):
        admit(graph, 5, Deed((2,), (Block(line(5), 1, point(X, OUT), point(line(4), IN)),)))
