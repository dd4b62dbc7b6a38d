"""Where an edit that fits in several places is put (spec: diff). Pure.

A block of added or dropped lines can slide by a line when the line that it leaves equals the
line that it takes in. Blocks that touch become one; a block that can stand beside a block of
the other side stands there, as one replacement; the rest is put where indentation and blank
lines make the best border.
"""

from collections.abc import Container, Sequence
from oxy.typed import NamedTuple

from oxy.diff.border import best_end
from oxy.diff.window import Window


class Block(NamedTuple):
    """Consecutive lines that one side does not share with the other, by line number."""

    start: int
    end: int


def slide(
    old: Window, new: Window, dropped: list[Block], added: list[Block]
) -> tuple[list[Block], list[Block]]:
    """Return the blocks of both sides in their final places.

    Cost: proportional to the blocks and to how far they can slide.
    """
    dropped = _Slider(old, dropped, places(added)).settle()
    added = _Slider(new, added, places(dropped)).settle()
    return dropped, added


def places(blocks: Sequence[Block]) -> dict[int, Block]:
    """Return blocks by how many unchanged lines stand before them: the place on both sides."""
    found: dict[int, Block] = {}
    changed = 0
    for block in blocks:
        found[block.start - changed] = block
        changed += block.end - block.start
    return found


class _Slider:
    """The blocks of one side, settled from the first to the last."""

    __slots__ = ("_changed", "_facing", "_next", "_pending", "_settled", "_window")

    def __init__(self, window: Window, blocks: Sequence[Block], facing: Container[int]) -> None:
        self._window = window
        self._pending = blocks
        self._facing = facing
        self._next = 0
        self._settled: list[Block] = []
        self._changed = 0

    def settle(self) -> list[Block]:
        """Settle every block and return them."""
        while self._next < len(self._pending):
            block = self._pending[self._next]
            self._next += 1
            block = self._place(block)
            self._settled.append(block)
            self._changed += block.end - block.start
        return self._settled

    def _place(self, block: Block) -> Block:
        while True:
            highest = self._highest(block)
            lowest, beside = self._lowest(highest)
            if lowest.end - lowest.start == block.end - block.start:
                break
            block = lowest
        if lowest.end == highest.end:
            return lowest
        size = lowest.end - lowest.start
        end = best_end(self._window, lowest, highest.end) if beside is None else beside
        return Block(end - size, end)

    def _highest(self, block: Block) -> Block:
        line, settled = self._window.line, self._settled
        start, end = block
        while start and line(start - 1) == line(end - 1):
            start -= 1
            end -= 1
            if settled and settled[-1].end == start:
                merged = settled.pop()
                start = merged.start
                self._changed -= merged.end - merged.start
        return Block(start, end)

    def _lowest(self, block: Block) -> tuple[Block, int | None]:
        """Return the lowest place, and the end of the lowest one beside a facing block."""
        line, pending, facing = self._window.line, self._pending, self._facing
        start, end = block
        changed = self._changed
        beside = end if start - changed in facing else None
        while (below := line(end)) is not None and line(start) == below:
            start += 1
            end += 1
            if self._next < len(pending) and pending[self._next].start == end:
                end = pending[self._next].end
                self._next += 1
            if start - changed in facing:
                beside = end
        return Block(start, end), beside
