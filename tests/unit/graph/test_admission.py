import pytest
from pyroaring import BitMap

from oxy.graph import admission
from oxy.graph.admission import Needs, RefusedEditError, admit
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


class Counted(dict[int, Deed]):
    """What changes did, and how often somebody asked."""

    asked = 0

    def __getitem__(self, change: int) -> Deed:
        """Return what a change did."""
        self.asked += 1
        return super().__getitem__(change)


def test_what_the_latest_changes_need_is_not_looked_for_again() -> None:
    graph, needs, deeds = TextGraph(), Needs(), Counted()
    graph.deeds = deeds
    for change in range(1, 300):
        deed = Deed((1, change - 1) if change > 1 else ())
        found = needs.of(7, graph, deed)
        assert found == BitMap(range(1, change))
        needs.note(7, change, found)
        deeds[change] = deed
        graph.touched.add(change)
    assert deeds.asked == 0
    assert Needs().of(7, graph, Deed((299,))) == BitMap(range(1, 300))
    assert needs.of(7, graph, Deed((150, 40))) == BitMap(range(1, 151))
    assert needs.of(8, graph, Deed((3,))) == BitMap([1, 2, 3])
    assert needs.of(7, graph, Deed((400,))) == BitMap()


def test_what_is_forgotten_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "REMEMBERED", 2)
    graph, needs = TextGraph(), Needs()
    for change in range(1, 50):
        graph.deeds[change] = Deed((change - 1,) if change > 1 else ())
        graph.touched.add(change)
        needs.note(7, change, needs.of(7, graph, graph.deeds[change]))
    assert needs.of(7, graph, Deed((20,))) == BitMap(range(1, 21))
