"""What the edit of one text must satisfy: blocks, hunks, ranges (spec: model, graph). Pure.

A set of lines has one way to be written: ranges ascend, and those that touch are one. Whether
the lines are there, and whether a block's two points are ordered, only the graph can tell.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from oxy.codec.limits import LINES
from oxy.model.operation import (
    IN,
    OUT,
    SELF,
    TEXT,
    Hunk,
    Insert,
    Lines,
    Order,
    Point,
    Restore,
    Settle,
    TextEdit,
)


def check_text(text: TextEdit, strong: int, every: int) -> str | None:
    """Return the rule that an edit breaks, or None.

    References up to strong are dependencies, those up to every include what is named weakly.
    Cost: one pass, and a sort of the deleted ranges.
    """
    broken = _check_blocks(text, strong) or _check_hunks(text, strong)
    if broken is None and text.restores:
        broken = _check_restores(text.restores, strong, every)
    if broken is None and (text.orders or text.unorders):
        broken = _check_orders(text, strong, every)
    if broken is None and text.settles:
        broken = _check_settles(text, every)
    if broken is None and not _is_set(text.keeps, every, text.lines):
        broken = "kept lines are not ascending ranges of what is listed"
    return broken


def named_by_text(text: TextEdit) -> Iterator[int]:
    """Yield every reference of an edit, some more than once."""
    points = chain.from_iterable((insert.left, insert.right) for insert in text.inserts)
    ranges = chain.from_iterable(hunk.lines for hunk in text.hunks)
    for named in chain(filter(None, points), ranges, text.keeps, text.unorders):
        yield named[0]
    for restore in text.restores:
        yield restore.lines.change
        yield from restore.deletions
    for order in text.orders:
        yield order.a_change
        yield order.b_change
    for settle in text.settles:
        yield from (settle.lines.change, settle.deletion, settle.keeper or SELF)


def _is_range(lines: Lines, known: int, own: int) -> bool:
    change, start, size = lines
    limit = own if change == SELF else LINES
    return SELF <= change <= known and start >= 0 and size >= 1 and start + size <= limit


def _is_old_range(lines: Lines, strong: int) -> bool:
    return lines.change != SELF and _is_range(lines, strong, 0)


def _apart(a: Lines, b: Lines) -> bool:
    """Tell whether b follows a and does not touch it."""
    return a.change < b.change or (a.change == b.change and a.start + a.size < b.start)


def _is_set(ranges: tuple[Lines, ...], known: int, own: int) -> bool:
    return all(_is_range(lines, known, own) for lines in ranges) and all(
        _apart(a, b) for a, b in pairwise(ranges)
    )


def _is_point(point: Point, strong: int) -> bool:
    return SELF < point.change <= strong and 0 <= point.line < LINES


def _is_in_place(insert: Insert) -> bool:
    """Tell whether a block lies where replacements do: between a line's text and its out."""
    left, right = insert.left, insert.right
    if left is None or right is None or (left.side, right.side) != (TEXT, OUT):
        return False
    return left[:2] == right[:2]


def _lies_well(insert: Insert, strong: int) -> bool:
    left, right = insert.left, insert.right
    if left is not None and not (_is_point(left, strong) and left.side in (TEXT, OUT)):
        return False
    if right is None:
        return True
    if not _is_point(right, strong):
        return False
    apart = left is None or left[:2] != right[:2]
    return _is_in_place(insert) or (right.side == IN and apart)


def _check_blocks(text: TextEdit, strong: int) -> str | None:
    total = 0
    for insert in text.inserts:
        if insert.size < 1:
            return "a block is empty"
        if not _lies_well(insert, strong):
            return "a block lies neither between two lines of dependencies nor in place of one"
        total += insert.size
    if total != text.lines or total > LINES:
        return "blocks do not hold the lines that the edit says"
    return None


def _check_hunks(text: TextEdit, strong: int) -> str | None:
    blocks = 0
    for lines, block in text.hunks:
        if not lines or not all(_is_old_range(part, strong) for part in lines):
            return "a hunk deletes nothing, or what is not of a dependency"
        if any(map(_adjoin, lines, lines[1:])):
            return "ranges of a hunk that adjoin are not one"
        if block is not None:
            blocks += 1
            if not _is_in_place_of(lines[-1], block, text.inserts):
                return "the block of a hunk is not in place of its last line"
    if blocks != sum(map(_is_in_place, text.inserts)):
        return "a block in place of a line is not that of one hunk"
    return _check_overlap(text.hunks) if text.hunks else None


def _check_overlap(hunks: tuple[Hunk, ...]) -> str | None:
    ranges = sorted(chain.from_iterable(hunk.lines for hunk in hunks))
    if any(a.change == b.change and a.start + a.size > b.start for a, b in pairwise(ranges)):
        return "a line is deleted twice"
    if any(a.lines > b.lines for a, b in pairwise(hunks)):
        return "hunks are not ascending by their first lines"
    return None


def _adjoin(a: Lines, b: Lines) -> bool:
    return a.change == b.change and a.start + a.size == b.start


def _is_in_place_of(lines: Lines, block: int, inserts: tuple[Insert, ...]) -> bool:
    """Tell whether a block lies in place of the last of lines."""
    if not 0 <= block < len(inserts):
        return False
    last = (lines.change, lines.start + lines.size - 1, TEXT)
    return _is_in_place(inserts[block]) and inserts[block].left == last


def _check_refs(refs: Iterable[int], low: int, every: int) -> bool:
    return all(low <= ref <= every for ref in refs)


def _check_restores(restores: tuple[Restore, ...], strong: int, every: int) -> str | None:
    for lines, deletions in restores:
        if not _is_old_range(lines, strong):
            return "a restore names lines that are not of a dependency"
        if not deletions or any(a >= b for a, b in pairwise(deletions)):
            return "the deletions that a restore names are none, or not ascending"
        if not _check_refs(deletions, 1, every):
            return "a restore names a deletion that is not listed"
    for a, b in pairwise(restores):
        touches = a.lines._replace(size=a.lines.size - 1)
        differ = a.deletions != b.deletions
        if not _apart(touches if differ else a.lines, b.lines):
            return "restored ranges are not ascending, or touch with the same deletions"
    return None


def _check_orders(text: TextEdit, strong: int, every: int) -> str | None:
    for order in text.orders:
        a = Lines(order.a_change, order.a_index, 1)
        b = Lines(order.b_change, order.b_index, 1)
        if not (_is_range(a, strong, text.lines) and _is_range(b, strong, text.lines)):
            return "an order names a line that is not of a dependency"
        if order.inside not in (0, 1):
            return "an order is inside or it is not"
    if _has_cycle(text.orders):
        return "orders contradict each other, or one stands twice"
    if any(a >= b for a, b in pairwise(text.unorders)):
        return "orders that no longer count are not ascending"
    if any(not (1 <= u.change <= every and 0 <= u.position <= LINES) for u in text.unorders):
        return "an order that no longer counts is not listed"
    return None


def _has_cycle(orders: tuple[Order, ...]) -> bool:
    """Tell whether the orders of one change name a pair twice or go round."""
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    waits: dict[tuple[int, int], int] = {}
    pairs = {(order[:2], order[2:4]) for order in orders}
    for a, b in pairs:
        after.setdefault(a, []).append(b)
        waits[b] = waits.get(b, 0) + 1
    ready = [a for a in after if a not in waits]
    while ready:
        for b in after.get(ready.pop(), ()):
            waits[b] -= 1
            if not waits[b]:
                del waits[b]
                ready.append(b)
    return bool(waits) or len(pairs) != len(orders)


def _settle_key(settle: Settle) -> tuple[int, int]:
    return settle.deletion, -1 if settle.keeper is None else settle.keeper


def _check_settles(text: TextEdit, every: int) -> str | None:
    for settle in text.settles:
        if not _is_range(settle.lines, every, text.lines):
            return "a settle names lines that are not listed"
        keeper = SELF if settle.keeper is None else settle.keeper
        if not _check_refs((settle.deletion, keeper), SELF, every):
            return "a settle names a change that is not listed"
    for a, b in pairwise(text.settles):
        first, second = _settle_key(a), _settle_key(b)
        if first > second or (first == second and not _apart(a.lines, b.lines)):
            return "settled ranges are not ascending by deletion, keeper and line, or touch"
    return None
