import pytest

from oxy.codec.edits import check_text, named_by_text
from oxy.codec.limits import LINES
from oxy.model.operation import (
    IN,
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

STRONG = 2
EVERY = 4


def _insert(left: Point | None, right: Point | None) -> TextEdit:
    return TextEdit(1, (Insert(1, left, right),))


def _hunks(*hunks: tuple[Lines, ...]) -> TextEdit:
    return TextEdit(hunks=tuple(Hunk(lines, None) for lines in hunks))


def _replacing(at: Lines, *blocks: int, line: int = 5) -> TextEdit:
    """Return hunks of at, each with one of blocks, and a block in place of line of change 1."""
    block = Insert(1, Point(1, line, TEXT), Point(1, line, OUT))
    return TextEdit(1, (block,), tuple(Hunk((at,), place) for place in blocks))


def _restores(*restores: Restore) -> TextEdit:
    return TextEdit(restores=restores)


def _orders(*orders: Order, lines: int = 0) -> TextEdit:
    return TextEdit(lines, (Insert(lines, None, None),) if lines else (), orders=orders)


def _settles(*settles: Settle) -> TextEdit:
    return TextEdit(settles=settles)


BLOCKS_RULE = "blocks do not hold the lines that the edit says"
LIES_RULE = "a block lies neither between two lines of dependencies nor in place of one"
DELETES_RULE = "a hunk deletes nothing, or what is not of a dependency"
TWICE_RULE = "a line is deleted twice"
IN_PLACE_RULE = "the block of a hunk is not in place of its last line"
HOST_RULE = "a block in place of a line is not that of one hunk"
RESTORED_RULE = "a restore names lines that are not of a dependency"
DELETIONS_RULE = "the deletions that a restore names are none, or not ascending"
LISTED_RULE = "a restore names a deletion that is not listed"
APART_RULE = "restored ranges are not ascending, or touch with the same deletions"
LINE_RULE = "an order names a line that is not of a dependency"
INSIDE_RULE = "an order is inside or it is not"
CYCLE_RULE = "orders contradict each other, or one stands twice"
UNORDERS_RULE = "orders that no longer count are not ascending"
UNORDER_RULE = "an order that no longer counts is not listed"
SETTLED_RULE = "a settle names lines that are not listed"
NAMED_RULE = "a settle names a change that is not listed"
VERDICT_RULE = "settled ranges are not ascending by deletion, keeper and line, or touch"
KEPT_RULE = "kept lines are not ascending ranges of what is listed"

AB = Order(1, 0, 1, 1, 0)
BC = Order(1, 1, 1, 2, 0)
CA = Order(1, 2, 1, 0, 0)
TEN = Lines(1, 0, 10)

BROKEN = {
    "an empty block": (TextEdit(0, (Insert(0, None, None),)), "a block is empty"),
    "a block of less than nothing": (
        TextEdit(0, (Insert(-1, None, None),)),
        "a block is empty",
    ),
    "lines without block": (TextEdit(1), BLOCKS_RULE),
    "blocks over the limit": (
        TextEdit(LINES + 1, (Insert(LINES + 1, None, None),)),
        BLOCKS_RULE,
    ),
    "a point of the change itself": (_insert(Point(0, 0, OUT), None), LIES_RULE),
    "a point of a weak change": (_insert(Point(3, 0, OUT), None), LIES_RULE),
    "a point of the line after the last": (_insert(Point(1, LINES, OUT), None), LIES_RULE),
    "a point of the line before the first": (_insert(Point(1, -1, OUT), None), LIES_RULE),
    "a block after an in": (_insert(Point(1, 0, IN), None), LIES_RULE),
    "a block after no point of three": (_insert(Point(1, 0, 3), None), LIES_RULE),
    "a block before a text": (_insert(None, Point(1, 0, TEXT)), LIES_RULE),
    "a block before an out": (_insert(None, Point(1, 0, OUT)), LIES_RULE),
    "a right point of a weak change": (_insert(None, Point(4, 0, IN)), LIES_RULE),
    "a block before the line it follows": (
        _insert(Point(1, 0, OUT), Point(1, 0, IN)),
        LIES_RULE,
    ),
    "a block inside two lines": (_insert(Point(1, 0, TEXT), Point(1, 1, OUT)), LIES_RULE),
    "a block from an out to an out": (_insert(Point(1, 0, OUT), Point(1, 0, OUT)), LIES_RULE),
    "an empty hunk": (_hunks(()), DELETES_RULE),
    "a hunk of the change's own lines": (
        _insert(None, None)._replace(hunks=(Hunk((Lines(0, 0, 1),), None),)),
        DELETES_RULE,
    ),
    "a hunk of weak lines": (_hunks((Lines(3, 0, 1),)), DELETES_RULE),
    "a hunk of an empty range": (_hunks((Lines(1, 0, 0),)), DELETES_RULE),
    "a hunk from below": (_hunks((Lines(1, -1, 2),)), DELETES_RULE),
    "a hunk to beyond": (_hunks((Lines(1, LINES, 1),)), DELETES_RULE),
    "a hunk in two that are one": (
        _hunks((Lines(1, 0, 2), Lines(1, 2, 1))),
        "ranges of a hunk that adjoin are not one",
    ),
    "a line twice in a hunk": (_hunks((Lines(1, 2, 2), Lines(1, 0, 3))), TWICE_RULE),
    "a line in two hunks": (_hunks((TEN,), (Lines(1, 9, 1),)), TWICE_RULE),
    "a hunk twice": (_hunks((TEN,), (TEN,)), TWICE_RULE),
    "hunks descend": (
        _hunks((Lines(2, 0, 1),), (TEN,)),
        "hunks are not ascending by their first lines",
    ),
    "a hunk of no block": (_replacing(Lines(1, 5, 1), 1), IN_PLACE_RULE),
    "a hunk of a block before the first": (_replacing(Lines(1, 5, 1), -1), IN_PLACE_RULE),
    "a block in place of the first line": (_replacing(Lines(1, 5, 2), 0), IN_PLACE_RULE),
    "a hunk of a block that lies between": (
        _insert(Point(1, 5, OUT), None)._replace(hunks=(Hunk((Lines(1, 5, 1),), 0),)),
        IN_PLACE_RULE,
    ),
    "a block in place of a line that stays": (_replacing(Lines(1, 5, 1)), HOST_RULE),
    "a block of two hunks": (_replacing(Lines(1, 5, 1), 0, 0), HOST_RULE),
    "restored lines of the change itself": (
        _insert(None, None)._replace(restores=(Restore(Lines(0, 0, 1), (1,)),)),
        RESTORED_RULE,
    ),
    "restored lines of a weak change": (
        _restores(Restore(Lines(3, 0, 1), (1,))),
        RESTORED_RULE,
    ),
    "a restore of nothing": (_restores(Restore(Lines(1, 0, 0), (1,))), RESTORED_RULE),
    "a restore from no deletion": (_restores(Restore(TEN, ())), DELETIONS_RULE),
    "deletions descend": (_restores(Restore(TEN, (2, 1))), DELETIONS_RULE),
    "a deletion twice": (_restores(Restore(TEN, (2, 2))), DELETIONS_RULE),
    "a restore from its own deletion": (_restores(Restore(TEN, (0,))), LISTED_RULE),
    "a restore from an unlisted deletion": (_restores(Restore(TEN, (5,))), LISTED_RULE),
    "restores descend": (
        _restores(Restore(Lines(2, 0, 1), (1,)), Restore(TEN, (1,))),
        APART_RULE,
    ),
    "restores that are one": (
        _restores(Restore(TEN, (1,)), Restore(Lines(1, 10, 1), (1,))),
        APART_RULE,
    ),
    "a line restored twice": (
        _restores(Restore(TEN, (1,)), Restore(Lines(1, 9, 1), (2,))),
        APART_RULE,
    ),
    "an order of a weak line": (_orders(Order(3, 0, 1, 0, 0)), LINE_RULE),
    "an order before a weak line": (_orders(Order(1, 0, 3, 0, 0)), LINE_RULE),
    "an order of an own line that is not there": (
        _orders(Order(0, 2, 1, 0, 0), lines=2),
        LINE_RULE,
    ),
    "an order of a line below zero": (_orders(Order(1, -1, 1, 0, 0)), LINE_RULE),
    "an order half inside": (_orders(AB._replace(inside=2)), INSIDE_RULE),
    "a line before itself": (_orders(Order(1, 3, 1, 3, 0)), CYCLE_RULE),
    "two orders against each other": (_orders(AB, Order(1, 1, 1, 0, 1)), CYCLE_RULE),
    "three orders that go round": (_orders(AB, BC, CA), CYCLE_RULE),
    "an order twice": (_orders(AB, AB), CYCLE_RULE),
    "an order both inside and not": (_orders(AB, AB._replace(inside=1)), CYCLE_RULE),
    "unorders descend": (TextEdit(unorders=(Unorder(2, 0), Unorder(1, 0))), UNORDERS_RULE),
    "an unorder twice": (TextEdit(unorders=(Unorder(1, 0), Unorder(1, 0))), UNORDERS_RULE),
    "an unorder of its own": (TextEdit(unorders=(Unorder(0, 0),)), UNORDER_RULE),
    "an unorder of an unlisted change": (TextEdit(unorders=(Unorder(5, 0),)), UNORDER_RULE),
    "an unorder below zero": (TextEdit(unorders=(Unorder(1, -1),)), UNORDER_RULE),
    "an unorder beyond 32 bits": (TextEdit(unorders=(Unorder(1, LINES + 1),)), UNORDER_RULE),
    "a settle of unlisted lines": (_settles(Settle(Lines(5, 0, 1), 1, None)), SETTLED_RULE),
    "a settle of own lines not there": (
        _settles(Settle(Lines(0, 0, 1), 1, None)),
        SETTLED_RULE,
    ),
    "a settle of an unlisted deletion": (_settles(Settle(TEN, 5, None)), NAMED_RULE),
    "a settle of a deletion below zero": (_settles(Settle(TEN, -1, None)), NAMED_RULE),
    "a settle of an unlisted keeper": (_settles(Settle(TEN, 1, 5)), NAMED_RULE),
    "settles descend by deletion": (
        _settles(Settle(TEN, 2, None), Settle(TEN, 1, None)),
        VERDICT_RULE,
    ),
    "settles descend by keeper": (
        _settles(Settle(TEN, 2, 0), Settle(TEN, 2, None)),
        VERDICT_RULE,
    ),
    "settles descend by line": (
        _settles(Settle(Lines(2, 0, 1), 2, 1), Settle(TEN, 2, 1)),
        VERDICT_RULE,
    ),
    "settles that are one": (
        _settles(Settle(TEN, 2, 1), Settle(Lines(1, 10, 2), 2, 1)),
        VERDICT_RULE,
    ),
    "keeps descend": (TextEdit(keeps=(Lines(2, 0, 1), TEN)), KEPT_RULE),
    "keeps that are one": (TextEdit(keeps=(TEN, Lines(1, 10, 1))), KEPT_RULE),
    "keeps that overlap": (TextEdit(keeps=(TEN, Lines(1, 5, 10))), KEPT_RULE),
    "a keep of unlisted lines": (TextEdit(keeps=(Lines(5, 0, 1),)), KEPT_RULE),
    "a keep of nothing": (TextEdit(keeps=(Lines(1, 0, 0),)), KEPT_RULE),
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_edit_breaks_its_rule(case: str) -> None:
    edit, rule = BROKEN[case]
    assert check_text(edit, STRONG, EVERY) == rule


WELL = {
    "a block in an empty text": _insert(None, None),
    "a block between lines": _insert(Point(1, 0, OUT), Point(2, 0, IN)),
    "a block after a line that hosts the next": _insert(Point(1, 0, TEXT), Point(2, 0, IN)),
    "a block in place of a line": _replacing(Lines(1, 4, 2), 0),
    "a hunk that goes back in its change": _hunks((Lines(1, 5, 2), Lines(1, 0, 5))),
    "two hunks side by side": _hunks((Lines(1, 0, 5),), (Lines(1, 5, 2),)),
    "the last line that may be": _hunks((Lines(1, LINES - 1, 1),)),
    "restores that touch with other deletions": _restores(
        Restore(TEN, (1,)), Restore(Lines(1, 10, 1), (1, 4))
    ),
    "orders in a chain": _orders(AB, BC, Order(1, 0, 1, 2, 1)),
    "settles of one line in two pairs": _settles(
        Settle(TEN, 1, None), Settle(TEN, 1, 0), Settle(TEN, 1, 3), Settle(TEN, 2, None)
    ),
    "a settle by the change's own deletion": _settles(Settle(Lines(3, 0, 1), 0, None)),
    "keeps of weak lines": TextEdit(keeps=(TEN, Lines(1, 11, 1), Lines(4, 0, 1))),
}


@pytest.mark.parametrize("case", WELL)
def test_an_edit_in_shape_passes(case: str) -> None:
    assert check_text(WELL[case], STRONG, EVERY) is None


NAMING = {
    "a left point": _insert(Point(7, 0, OUT), None),
    "a right point": _insert(None, Point(7, 0, IN)),
    "a hunk": _hunks((Lines(7, 0, 1),)),
    "restored lines": _restores(Restore(Lines(7, 0, 1), ())),
    "a restored deletion": _restores(Restore(Lines(0, 0, 1), (7,))),
    "the first of an order": _orders(Order(7, 0, 0, 0, 0)),
    "the second of an order": _orders(Order(0, 0, 7, 0, 0)),
    "an unorder": TextEdit(unorders=(Unorder(7, 0),)),
    "settled lines": _settles(Settle(Lines(7, 0, 1), 0, None)),
    "a settled deletion": _settles(Settle(Lines(0, 0, 1), 7, None)),
    "a settled keeper": _settles(Settle(Lines(0, 0, 1), 0, 7)),
    "a keep": TextEdit(keeps=(Lines(7, 0, 1),)),
}


@pytest.mark.parametrize("case", NAMING)
def test_every_reference_is_named(case: str) -> None:
    assert set(named_by_text(NAMING[case])) - {0} == {7}
