from oxy.graph.naming import edit_of, strong, weak
from oxy.graph.text import (
    EDGE,
    Block,
    Cancel,
    Deed,
    Deletion,
    Precedence,
    Span,
    Verdict,
    bind,
    point,
)
from oxy.model.operation import OUT, TEXT


def line(change: int, index: int = 0) -> int:
    return change << 32 | index


BLOCKS = (
    Block(line(9), 1, point(line(2, 3), OUT), EDGE),
    Block(line(9, 1), 2, point(line(3, 1), TEXT), point(line(3, 1), OUT)),
)
DEED = Deed(
    (2, 3, 4, 5),
    BLOCKS,
    (Deletion((Span(line(4), 2), Span(line(3, 1), 1)), BLOCKS[1]),),
    (Cancel(Span(line(4, 7), 1), (6,)),),
    (Precedence(line(9), line(5), 1),),
    ((7, 2),),
    (Verdict(Span(line(8), 1), 6, 0), Verdict(Span(line(4), 1), 9, 7)),
    (Span(line(8, 4), 1),),
)


def test_lines_that_an_edit_cannot_do_without_are_named_strongly() -> None:
    assert strong(DEED) == {2, 3, 4, 5, 9}
    assert strong(Deed((6,))) == {6}


def test_what_is_settled_cancelled_or_kept_is_named_weakly() -> None:
    assert weak(DEED) == {4, 6, 7, 8, 9}
    assert weak(Deed((), BLOCKS)) == set()


def test_binding_an_edit_gives_the_deed_it_came_from() -> None:
    numbers = [9, 2, 3, 4, 5, 6, 7, 8]
    edit = edit_of(DEED, numbers.index)
    assert edit.lines == 3
    bound = bind(edit, numbers, DEED.needs)
    assert bound._replace(verdicts=()) == DEED._replace(verdicts=())
    assert set(bound.verdicts) == set(DEED.verdicts)
