"""Changes of the naive model as edits of the fast graph, and the graph's deeds as changes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

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
from tests.naive import change as naive

INDEX = (1 << SHIFT) - 1

Translation: TypeAlias = tuple[TextEdit, list[naive.Key]]
"""An edit, and the keys that its references stand for."""


def lines_in(spans: Iterable[Span]) -> Iterator[int]:
    """Yield every line of spans."""
    for start, size in spans:
        yield from range(start, start + size)


def edit_of_change(change: naive.NaiveChange) -> Translation:
    """Return a change as an edit, and the keys that its references stand for."""
    keys = [change.key]

    def ref(key: naive.Key) -> int:
        if key not in keys:
            keys.append(key)
        return keys.index(key)

    def lines(line: naive.LineId) -> Lines:
        return Lines(ref(line.change), line.number, 1)

    def point(where: naive.Point | None) -> Point | None:
        return where and Point(ref(where.line.change), where.line.number, int(where.place))

    deletions: dict[naive.LineId, list[int]] = {}
    for line, deletion in change.restores:
        deletions.setdefault(line, []).append(ref(deletion))
    edit = TextEdit(
        len(change.texts),
        tuple(Insert(i.size, point(i.left), point(i.right)) for i in change.inserts),
        tuple(Hunk(tuple(map(lines, hunk.lines)), hunk.block) for hunk in change.hunks),
        tuple(Restore(lines(line), tuple(named)) for line, named in deletions.items()),
        tuple(
            Order(ref(a.change), a.number, ref(b.change), b.number, int(inside))
            for a, b, inside in change.orders
        ),
        tuple(Unorder(ref(key), number) for key, number in change.unorders),
        tuple(
            Settle(lines(line), ref(deletion), None if keeper is None else ref(keeper))
            for line, deletion, keeper in change.settles
        ),
        tuple(map(lines, change.keeps)),
    )
    return rewrite_text(edit, lambda number: number), keys


def change_of_deed(
    deed: Deed,
    key_of: Callable[[int], naive.Key],
    texts: Sequence[str],
    context: frozenset[naive.Key],
    own: naive.Key,
) -> naive.NaiveChange:
    """Return what a deed does as a change of the naive model."""

    def line(number: int) -> naive.LineId:
        return naive.LineId(key_of(number >> SHIFT), number & INDEX)

    def point(edge: int) -> naive.Point | None:
        return None if edge == EDGE else naive.Point(line(edge >> 2), naive.Place(edge & 3))

    def insert(block: Block) -> naive.Insert:
        return naive.Insert(block.size, point(block.left), point(block.right))

    places = {block: place for place, block in enumerate(deed.blocks)}
    return naive.NaiveChange(
        own,
        tuple(texts),
        tuple(map(insert, deed.blocks)),
        tuple(
            naive.Hunk(
                tuple(map(line, lines_in(spans))), None if block is None else places[block]
            )
            for spans, block in deed.deletions
        ),
        tuple(
            naive.Restore(line(number), key_of(deletion))
            for span, deletions in deed.cancels
            for number in lines_in([span])
            for deletion in deletions
        ),
        tuple(naive.Order(line(a), line(b), bool(inside)) for a, b, inside in deed.orders),
        tuple(naive.Unorder(key_of(number), place) for number, place in deed.unorders),
        tuple(
            naive.Pair(line(number), key_of(deletion), key_of(keeper) if keeper else None)
            for span, deletion, keeper in deed.verdicts
            for number in lines_in([span])
        ),
        tuple(map(line, lines_in(deed.keeps))),
        frozenset(map(key_of, deed.needs)),
        context,
    )
