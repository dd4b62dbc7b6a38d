import pytest
from pyroaring import BitMap

from oxy.graph.text import (
    EDGE,
    Block,
    Cancel,
    Claim,
    Deed,
    Deletion,
    Fate,
    Precedence,
    Span,
    TextGraph,
    Verdict,
    point,
)
from oxy.graph.weave import NoLineError
from oxy.model.operation import (
    IN,
    OUT,
    TEXT,
)
from tests.graphs.consistency import assert_consistent, canonical


def line(change: int, index: int = 0) -> int:
    return change << 32 | index


def three_lines() -> TextGraph:
    graph = TextGraph()
    graph.apply(1, Deed((), (Block(line(1), 3, EDGE, EDGE),)))
    return graph


def deletion_of(index: int, size: int = 1) -> Deed:
    return Deed((1,), deletions=(Deletion((Span(line(1, index), size),), None),))


def replacement_of(change: int, index: int) -> Deed:
    old = line(1, index)
    block = Block(line(change), 1, point(old, TEXT), point(old, OUT))
    return Deed((1,), (block,), (Deletion((Span(old, 1),), block),))


def starts(graph: TextGraph) -> list[int]:
    return [start for start, _, _ in graph.weave.runs()]


def test_a_block_between_two_points_goes_directly_before_the_right_one() -> None:
    graph = three_lines()
    between = Block(line(2), 1, point(line(1), OUT), point(line(1, 2), IN))
    graph.apply(2, Deed((1,), (between,)))
    assert starts(graph) == [line(1), line(1, 1), line(2), line(1, 2)]
    assert_consistent(graph)


def test_a_block_in_place_of_a_line_goes_directly_after_it() -> None:
    graph = three_lines()
    between = Block(line(2), 1, point(line(1), OUT), point(line(1, 1), IN))
    graph.apply(2, Deed((1,), (between,)))
    graph.apply(3, replacement_of(3, 0))
    assert starts(graph) == [line(1), line(3), line(2), line(1, 1)]
    assert_consistent(graph)


def test_a_block_before_the_end_goes_last() -> None:
    graph = three_lines()
    graph.apply(2, Deed((1,), (Block(line(2), 1, point(line(1), OUT), EDGE),)))
    assert starts(graph) == [line(1), line(1, 1), line(2)]
    assert_consistent(graph)


def test_deletions_of_one_line_add_up_and_cancel_apart() -> None:
    graph = three_lines()
    graph.apply(2, deletion_of(1))
    graph.apply(3, deletion_of(0, 2))
    graph.apply(4, Deed((1,), cancels=(Cancel(Span(line(1, 1), 1), (2,)),)))
    fate = graph.weave.fate(line(1, 1))
    assert graph.fates[fate] == Fate((2, 3), ((2, 4),))
    assert graph.is_alive(fate, BitMap([1]))
    assert graph.is_alive(fate, BitMap([1, 2, 4]))
    assert not graph.is_alive(fate, BitMap([1, 2]))
    assert not graph.is_alive(fate, BitMap([1, 2, 3, 4]))
    assert graph.counting(fate, BitMap([1, 2, 3, 4])) == (3,)
    assert_consistent(graph)


def test_a_text_is_disputed_while_two_changes_delete_one_line() -> None:
    graph = three_lines()
    graph.apply(2, deletion_of(1))
    seen = [graph.is_disputed]
    graph.apply(3, deletion_of(0, 3))
    assert graph.doubled == {2, 3}
    seen.append(graph.is_disputed)
    graph.unapply(2)
    seen.append(graph.is_disputed)
    assert seen == [False, True, False]


@pytest.mark.parametrize(
    "deed",
    [
        Deed((1,), cancels=(Cancel(Span(line(1, 1), 1), (2,)),)),
        Deed((1,), orders=(Precedence(line(1), line(1, 2), 0),)),
        Deed((1,), unorders=((2, 0),)),
        Deed((1,), verdicts=(Verdict(Span(line(1), 1), 2, 0),)),
        Deed((1,), keeps=(Span(line(1), 1),)),
    ],
)
def test_a_change_that_says_more_than_edits_disputes_until_it_is_taken_out(deed: Deed) -> None:
    graph = three_lines()
    graph.apply(2, deletion_of(1))
    before = canonical(graph)
    graph.apply(3, deed)
    assert graph.is_disputed
    assert_consistent(graph)
    graph.unapply(3)
    assert canonical(graph) == before


def test_what_a_change_settles_of_a_later_arrival_is_cut_when_that_comes() -> None:
    graph = three_lines()
    graph.apply(2, Deed((1,), verdicts=(Verdict(Span(line(3, 1), 1), 1, 0),)))
    graph.apply(3, Deed((1,), (Block(line(3), 3, point(line(1, 2), OUT), EDGE),)))
    assert graph.claims[3] == [Claim(Span(line(3, 1), 1), 1, 0, 2)]
    assert starts(graph)[-3:] == [line(3), line(3, 1), line(3, 2)]
    assert_consistent(graph)


def test_rebinding_lets_a_deletion_that_came_late_be_cancelled() -> None:
    graph = three_lines()
    graph.apply(2, Deed((1,), cancels=(Cancel(Span(line(1), 1), ()),)))
    graph.apply(3, deletion_of(0))
    fate = graph.weave.fate(line(1))
    assert not graph.is_alive(fate, BitMap([1, 2, 3]))
    graph.rebind(2, Deed((1,), cancels=(Cancel(Span(line(1), 1), (3,)),)))
    assert graph.is_alive(graph.weave.fate(line(1)), BitMap([1, 2, 3]))
    assert_consistent(graph)


def test_a_change_that_names_a_line_that_is_not_there_is_refused() -> None:
    with pytest.raises(NoLineError):
        three_lines().apply(2, deletion_of(2, 2))
