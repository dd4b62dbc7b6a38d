"""From what a change does in this repository to what it says everywhere (spec: model). Pure.

A deed names changes by number. What is stored names them by reference: the change itself, its
dependencies, and what it names weakly, which is a dependency of nothing.
"""

from collections.abc import Callable
from itertools import chain

from oxy.graph.text import EDGE, Block, Deed, Span
from oxy.graph.weave import SHIFT
from oxy.model.operation import (
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

_INDEX = (1 << SHIFT) - 1


def strong(deed: Deed) -> set[int]:
    """Return the changes that a deed depends on, itself among them where it names itself.

    They are those of the lines that it cannot do without, and the needs that it states.
    """
    points = chain.from_iterable((block.left, block.right) for block in deed.blocks)
    named = {edge >> SHIFT + 2 for edge in points if edge != EDGE}
    named.update(deed.needs)
    named.update(
        span.start >> SHIFT for span in chain.from_iterable(d.spans for d in deed.deletions)
    )
    if deed.cancels or deed.orders:
        named.update(cancel.span.start >> SHIFT for cancel in deed.cancels)
        for a, b, _ in deed.orders:
            named |= {a >> SHIFT, b >> SHIFT}
    return named


def weak(deed: Deed) -> set[int]:
    """Return the changes that a deed names without depending on them."""
    named: set[int] = set()
    for cancel in deed.cancels:
        named.update(cancel.deletions)
    named.update(change for change, _ in deed.unorders)
    for span, deletion, keeper in deed.verdicts:
        named |= {span.start >> SHIFT, deletion} | ({keeper} if keeper else set())
    named.update(span.start >> SHIFT for span in deed.keeps)
    return named


def edit_of(deed: Deed, ref: Callable[[int], int]) -> TextEdit:
    """Return the edit that says everywhere what a deed does.

    Args:
        deed: the deed.
        ref: the reference of a change number.
    """
    if not (deed.cancels or deed.orders or deed.unorders or deed.verdicts or deed.keeps):
        return _plain_edit(deed, ref)
    places = {block: place for place, block in enumerate(deed.blocks)}
    edit = TextEdit(
        sum(block.size for block in deed.blocks),
        tuple(map(_insert, deed.blocks)),
        tuple(
            Hunk(tuple(map(_lines, spans)), None if block is None else places[block])
            for spans, block in deed.deletions
        ),
        tuple(Restore(_lines(span), deletions) for span, deletions in deed.cancels),
        tuple(
            Order(a >> SHIFT, a & _INDEX, b >> SHIFT, b & _INDEX, inside)
            for a, b, inside in deed.orders
        ),
        tuple(Unorder(change, place) for change, place in deed.unorders),
        tuple(
            Settle(_lines(span), deletion, keeper or None)
            for span, deletion, keeper in deed.verdicts
        ),
        tuple(map(_lines, deed.keeps)),
    )
    return rewrite_text(edit, ref)


def _plain_edit(deed: Deed, ref: Callable[[int], int]) -> TextEdit:
    """Return the edit of a deed that only inserts and deletes, in its one form.

    Most deeds of most histories are such; they are spared being named twice.
    """
    places = {block: place for place, block in enumerate(deed.blocks)}
    hunks = [
        Hunk(_stretch(spans, ref), None if block is None else places[block])
        for spans, block in deed.deletions
    ]
    hunks.sort(key=_first_lines)
    return TextEdit(
        sum(block.size for block in deed.blocks),
        tuple(
            Insert(size, _named_point(left, ref), _named_point(right, ref))
            for _, size, left, right in deed.blocks
        ),
        tuple(hunks),
    )


def _first_lines(hunk: Hunk) -> tuple[Lines, ...]:
    return hunk.lines


def _named_point(edge: int, ref: Callable[[int], int]) -> Point | None:
    if edge == EDGE:
        return None
    line = edge >> 2
    return Point(ref(line >> SHIFT), line & _INDEX, edge & 3)


def _stretch(spans: tuple[Span, ...], ref: Callable[[int], int]) -> tuple[Lines, ...]:
    """Return the lines of a hunk in their order, neighbours that continue each other as one."""
    joined: list[Lines] = []
    end = -1
    for start, size in spans:
        if start == end:
            last = joined[-1]
            joined[-1] = Lines(last.change, last.start, last.size + size)
        else:
            joined.append(Lines(ref(start >> SHIFT), start & _INDEX, size))
        end = start + size
    return tuple(joined)


def _insert(block: Block) -> Insert:
    return Insert(block.size, _point(block.left), _point(block.right))


def _point(edge: int) -> Point | None:
    if edge == EDGE:
        return None
    line = edge >> 2
    return Point(line >> SHIFT, line & _INDEX, edge & 3)


def _lines(span: Span) -> Lines:
    return Lines(span.start >> SHIFT, span.start & _INDEX, span.size)
