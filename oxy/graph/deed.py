"""What one change did to a text, in lines and change numbers (spec: graph, G5 to G12). Pure.

A line is one integer, `change << 32 | index`; a point is `line << 2 | side`.
"""

from collections.abc import Sequence
from oxy.typed import Final, NamedTuple

from oxy.graph.weave import SHIFT
from oxy.model.operation import Insert, Lines, Point, TextEdit

EDGE: Final = -1
"""In place of a point: START on a left side, END on a right side."""


class Span(NamedTuple):
    """Consecutive lines of one change, from a first line on."""

    start: int
    size: int


class Block(NamedTuple):
    """A block of inserted lines and the points that it lies between, packed by `point`."""

    start: int
    size: int
    left: int
    right: int


class Deletion(NamedTuple):
    """Lines deleted as one stretch, and the block that took their place."""

    spans: tuple[Span, ...]
    block: Block | None


class Cancel(NamedTuple):
    """Lines for which the named deletions no longer count."""

    span: Span
    deletions: tuple[int, ...]


class Precedence(NamedTuple):
    """Line a comes before line b; with inside, b is between the text and the out of a."""

    a: int
    b: int
    inside: int


class Verdict(NamedTuple):
    """Pairs (keeper 0) or triples that are as meant: lines, deletion, keeper."""

    span: Span
    deletion: int
    keeper: int


def point(line: int, side: int) -> int:
    """Pack one of the three points of a line into an integer."""
    return line << 2 | side


class Deed(NamedTuple):
    """All that one change did to the text, in terms of lines and change numbers."""

    needs: tuple[int, ...] = ()
    blocks: tuple[Block, ...] = ()
    deletions: tuple[Deletion, ...] = ()
    cancels: tuple[Cancel, ...] = ()
    orders: tuple[Precedence, ...] = ()
    unorders: tuple[tuple[int, int], ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    keeps: tuple[Span, ...] = ()


class _Binder:
    """Turns references into numbers and lines; a change that is absent has the number 0."""

    __slots__ = ("numbers",)

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = numbers

    def span(self, lines: Lines) -> Span:
        return Span(self.numbers[lines.change] << SHIFT | lines.start, lines.size)

    def point(self, where: Point | None) -> int:
        if where is None:
            return EDGE
        return (self.numbers[where.change] << SHIFT | where.line) << 2 | where.side

    def blocks(self, inserts: Sequence[Insert]) -> tuple[Block, ...]:
        start = self.numbers[0] << SHIFT
        blocks = []
        for size, left, right in inserts:
            blocks.append(Block(start, size, self.point(left), self.point(right)))
            start += size
        return tuple(blocks)

    def verdicts(self, edit: TextEdit) -> tuple[Verdict, ...]:
        number = self.numbers
        named = (
            (
                lines,
                number[deletion],
                0 if keeper is None else number[keeper],
                keeper is None or number[keeper],
            )
            for lines, deletion, keeper in edit.settles
        )
        return tuple(
            Verdict(self.span(lines), deletion, keeper)
            for lines, deletion, keeper, present in named
            if number[lines.change] and deletion and present
        )

    def cancels(self, edit: TextEdit) -> tuple[Cancel, ...]:
        number = self.numbers
        return tuple(
            Cancel(self.span(lines), tuple(number[d] for d in deletions if number[d]))
            for lines, deletions in edit.restores
        )

    def orders(self, edit: TextEdit) -> tuple[Precedence, ...]:
        number = self.numbers
        return tuple(
            Precedence(number[a] << SHIFT | i, number[b] << SHIFT | j, inside)
            for a, i, b, j, inside in edit.orders
        )


def bind(edit: TextEdit, numbers: Sequence[int], needs: tuple[int, ...]) -> Deed:
    """Return what an edit does, in lines and numbers.

    Args:
        edit: the edit, with references.
        numbers: the change number of each reference; 0 for one that is absent, which is named
            weakly and then has no effect.
        needs: the numbers of the change's dependencies that touch this text.
    """
    binder = _Binder(numbers)
    blocks = binder.blocks(edit.inserts)
    if not (edit.restores or edit.orders or edit.unorders or edit.settles or edit.keeps):
        return Deed(needs, blocks, _deletions(edit, binder, blocks))
    return Deed(
        needs,
        blocks,
        _deletions(edit, binder, blocks),
        binder.cancels(edit),
        binder.orders(edit),
        tuple((numbers[c], position) for c, position in edit.unorders if numbers[c]),
        binder.verdicts(edit),
        tuple(binder.span(lines) for lines in edit.keeps if numbers[lines.change]),
    )


def _deletions(
    edit: TextEdit, binder: _Binder, blocks: tuple[Block, ...]
) -> tuple[Deletion, ...]:
    return tuple(
        Deletion(tuple(map(binder.span, lines)), None if block is None else blocks[block])
        for lines, block in edit.hunks
    )
