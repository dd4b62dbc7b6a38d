from oxy.graph.deed import (
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
from oxy.model.operation import (
    OUT,
    TEXT,
    Hunk,
    Insert,
    Lines,
    Order,
    Point,
    Restore,
    Settle,
    TextEdit,
    Unorder,
)


def line(change: int, index: int = 0) -> int:
    return change << 32 | index


def test_binding_turns_references_into_numbers_and_lines() -> None:
    edit = TextEdit(
        3,
        (Insert(1, Point(1, 4, OUT), None), Insert(2, Point(1, 5, TEXT), Point(1, 5, OUT))),
        (Hunk((Lines(1, 5, 1),), 1),),
        (Restore(Lines(1, 6, 2), (2,)),),
        (Order(0, 0, 1, 9, 1),),
        (Unorder(2, 3),),
        (Settle(Lines(1, 4, 1), 2, None), Settle(Lines(1, 4, 1), 0, 2)),
        (Lines(2, 0, 1),),
    )
    blocks = (
        Block(line(7), 1, point(line(3, 4), OUT), EDGE),
        Block(line(7, 1), 2, point(line(3, 5), TEXT), point(line(3, 5), OUT)),
    )
    assert bind(edit, (7, 3, 5), (3,)) == Deed(
        (3,),
        blocks,
        (Deletion((Span(line(3, 5), 1),), blocks[1]),),
        (Cancel(Span(line(3, 6), 2), (5,)),),
        (Precedence(line(7), line(3, 9), 1),),
        ((5, 3),),
        (Verdict(Span(line(3, 4), 1), 5, 0), Verdict(Span(line(3, 4), 1), 7, 5)),
        (Span(line(5), 1),),
    )


def test_what_names_an_absent_change_weakly_has_no_effect() -> None:
    edit = TextEdit(
        0,
        restores=(Restore(Lines(1, 6, 2), (2,)),),
        unorders=(Unorder(2, 3),),
        settles=(Settle(Lines(1, 4, 1), 2, None), Settle(Lines(1, 4, 1), 1, 2)),
        keeps=(Lines(2, 0, 1),),
    )
    bound = bind(edit, (7, 3, 0), (3,))
    assert bound == Deed((3,), cancels=(Cancel(Span(line(3, 6), 2), ()),))
