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
    rewrite_text,
)


def _tenfold(ref: int) -> int:
    return 10 * ref


def _mirrored(ref: int) -> int:
    return 9 - ref


def _same(ref: int) -> int:
    return ref


def test_every_reference_of_an_edit_is_rewritten() -> None:
    edit = TextEdit(
        1,
        (Insert(1, Point(1, 2, OUT), Point(2, 3, IN)), Insert(2, None, None)),
        (Hunk((Lines(3, 4, 5),), 0),),
        (Restore(Lines(4, 5, 6), (1, 2)),),
        (Order(1, 2, 3, 4, 1),),
        (Unorder(5, 6),),
        (Settle(Lines(1, 2, 3), 4, 5), Settle(Lines(1, 2, 3), 6, None)),
        (Lines(7, 8, 9),),
    )
    assert rewrite_text(edit, _tenfold) == TextEdit(
        1,
        (Insert(1, Point(10, 2, OUT), Point(20, 3, IN)), Insert(2, None, None)),
        (Hunk((Lines(30, 4, 5),), 0),),
        (Restore(Lines(40, 5, 6), (10, 20)),),
        (Order(10, 2, 30, 4, 1),),
        (Unorder(50, 6),),
        (Settle(Lines(10, 2, 3), 40, 50), Settle(Lines(10, 2, 3), 60, None)),
        (Lines(70, 8, 9),),
    )


def test_sets_ascend_by_the_references_that_they_get() -> None:
    one, two = Lines(1, 0, 1), Lines(2, 0, 1)
    edit = TextEdit(
        hunks=(Hunk((one,), None), Hunk((two,), None)),
        restores=(Restore(one, (3, 4)), Restore(two, (3,))),
        unorders=(Unorder(1, 0), Unorder(1, 1), Unorder(2, 0)),
        settles=(Settle(one, 1, None), Settle(one, 1, 2), Settle(one, 2, None)),
        keeps=(one, two),
    )
    eight, seven = Lines(8, 0, 1), Lines(7, 0, 1)
    assert rewrite_text(edit, _mirrored) == TextEdit(
        hunks=(Hunk((seven,), None), Hunk((eight,), None)),
        restores=(Restore(seven, (6,)), Restore(eight, (5, 6))),
        unorders=(Unorder(7, 0), Unorder(8, 0), Unorder(8, 1)),
        settles=(Settle(eight, 7, None), Settle(eight, 8, None), Settle(eight, 8, 7)),
        keeps=(seven, eight),
    )


def test_ranges_that_touch_or_overlap_become_one() -> None:
    ranges = (Lines(1, 4, 2), Lines(1, 0, 3), Lines(1, 2, 2), Lines(2, 6, 1), Lines(1, 7, 1))
    joined = (Lines(1, 0, 6), Lines(1, 7, 1), Lines(2, 6, 1))
    edit = TextEdit(
        restores=tuple(Restore(lines, (3, 4)) for lines in ranges),
        settles=tuple(Settle(lines, 3, 0) for lines in ranges),
        keeps=ranges,
    )
    assert rewrite_text(edit, _same) == TextEdit(
        restores=tuple(Restore(lines, (3, 4)) for lines in joined),
        settles=tuple(Settle(lines, 3, 0) for lines in joined),
        keeps=joined,
    )


def test_ranges_that_say_different_things_stay_apart() -> None:
    edit = TextEdit(
        restores=(Restore(Lines(1, 0, 1), (3,)), Restore(Lines(1, 1, 1), (4,))),
        settles=(
            Settle(Lines(1, 0, 1), 3, None),
            Settle(Lines(1, 1, 1), 3, 0),
            Settle(Lines(1, 2, 1), 4, 0),
        ),
    )
    assert rewrite_text(edit, _same) == edit


def test_the_ranges_of_a_hunk_keep_the_order_of_the_text() -> None:
    hunk = Hunk((Lines(2, 5, 1), Lines(2, 6, 2), Lines(1, 0, 1), Lines(2, 0, 5)), 0)
    edit = rewrite_text(TextEdit(hunks=(hunk,)), _same)
    assert edit.hunks == (Hunk((Lines(2, 5, 3), Lines(1, 0, 1), Lines(2, 0, 5)), 0),)


def test_blocks_and_orders_keep_their_positions() -> None:
    inserts = (Insert(2, Point(2, 0, TEXT), Point(2, 0, OUT)), Insert(1, None, Point(1, 0, IN)))
    orders = (Order(2, 0, 1, 0, 0), Order(1, 0, 0, 0, 0))
    edit = rewrite_text(TextEdit(3, inserts, orders=orders), _same)
    assert (edit.inserts, edit.orders) == (inserts, orders)
