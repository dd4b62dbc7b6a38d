"""Where what old changes made is among the new ones: lines, nodes, writes (spec: S12).

Without knowledge of what a text holds. A change that is not rewritten is its own image.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from oxy.graph.deed import (
    EDGE,
    Block,
    Cancel,
    Deed,
    Deletion,
    Precedence,
    Span,
    Verdict,
)
from oxy.graph.weave import SHIFT
from oxy.repo.rewriting.parts import Key, Wrote


class LostLineError(Exception):
    """A line of an old change has no image; whoever asks works it out from the text."""


class Images:
    """The images of what is rewritten, as far as that is recorded."""

    __slots__ = ("_lines", "_nodes", "_stands", "_writers", "rewritten")

    def __init__(self, rewritten: Iterable[int]) -> None:
        self.rewritten = frozenset(rewritten)
        """The changes that are rewritten."""
        self._stands: dict[tuple[int, Key], int] = {}
        self._writers: dict[tuple[int, Key, int], int] = {}
        self._nodes: dict[int, int] = {}
        self._lines: dict[tuple[int, int], list[tuple[int, int, int]]] = {}

    def stand(self, old: int, key: Key, new: int) -> None:
        """Note which change does now what an old one did to a node."""
        self._stands[old, key] = new

    def change(self, old: int, key: Key) -> int | None:
        """Return what stands for a change where a node is concerned, if it is recorded."""
        return self._stands.get((old, key)) if old in self.rewritten else old

    def share(self, old: int, key: Key, registers: Iterable[int], new: int) -> None:
        """Note which change does now what an old one wrote to some registers of a node."""
        for register in registers:
            self._writers[old, key, register] = new

    def make(self, node: int, new: int) -> None:
        """Note the image of a node that a rewritten change created."""
        self._nodes[node] = new

    def node(self, node: int, creator: int) -> int | None:
        """Return the image of a node, given who created it."""
        return self._nodes.get(node) if creator in self.rewritten else node

    def place(self, node: int, old: int, lines: Iterable[tuple[int, int]]) -> None:
        """Note where lines of a change are that are not simply those of its image.

        Args:
            node: the text.
            old: the change.
            lines: (old line, new line) of each that is there still.
        """
        ranges: list[tuple[int, int, int]] = []
        for line, new in sorted(lines):
            if ranges:
                start, size, at = ranges[-1]
                if start + size == line and at + size == new:
                    ranges[-1] = start, size + 1, at
                    continue
            ranges.append((line, 1, new))
        self._lines[node, old] = ranges

    def unstand(self, old: int, key: Key) -> None:
        """Note that after all nothing does what an old change did to a node."""
        self._stands.pop((old, key), None)

    def renumber(self, given: int, number: int) -> None:
        """Put another number in place of one that was given to a change too early."""
        for where, new in self._stands.items():
            if new == given:
                self._stands[where] = number
        for place, new in self._writers.items():
            if new == given:
                self._writers[place] = number
        step = (number - given) << SHIFT
        for ranges in self._lines.values():
            ranges[:] = [
                (start, size, at + step if at >> SHIFT == given else at)
                for start, size, at in ranges
            ]

    def is_placed(self, node: int, old: int) -> bool:
        """Tell whether lines of a change were noted by `place`."""
        return (node, old) in self._lines

    def span(self, node: int, span: Span) -> list[Span]:
        """Return the images of lines, in their order.

        Raises:
            LostLineError: one of them has none.
        """
        found = self.parts(node, span)
        if sum(size for _, size in found) != span.size:
            raise LostLineError
        return found

    def parts(self, node: int, span: Span) -> list[Span]:
        """Return the images of those of some lines that have one."""
        old = span.start >> SHIFT
        if old not in self.rewritten:
            return [span]
        ranges = self._lines.get((node, old))
        if ranges is not None:
            return list(_clipped(ranges, span))
        new = self._stands.get((old, node))
        return [] if new is None else [Span(span.start + ((new - old) << SHIFT), span.size)]

    def line(self, node: int, line: int) -> int:
        """Return the image of one line.

        Raises:
            LostLineError: it has none.
        """
        return self.span(node, Span(line, 1))[0].start

    def spans(self, node: int, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return the images of lines, in their order.

        Raises:
            LostLineError: one of them has none.
        """
        return tuple(part for span in spans for part in self.span(node, span))

    def write(self, key: Key, wrote: Wrote) -> Wrote:
        """Return a register write, what it replaces being images."""
        found = (
            self._writers.get((old, key, wrote.register)) or self.change(old, key)
            for old in wrote.replaces
        )
        return wrote._replace(replaces=tuple(sorted({new for new in found if new})))


def _clipped(ranges: list[tuple[int, int, int]], span: Span) -> Iterator[Span]:
    end = span.start + span.size
    place = max(bisect_right(ranges, (span.start, 0, 0)) - 1, 0)
    for start, size, new in ranges[place:]:
        if start >= end:
            return
        first, last = max(start, span.start), min(start + size, end)
        if first < last:
            yield Span(new + first - start, last - first)


class Renaming:
    """A deed said of the images of what it names.

    `is_exact` turns False where something that it says weakly had no image and was left out.
    """

    __slots__ = ("_images", "_new", "_node", "_old", "is_exact")

    def __init__(self, images: Images, node: int, old: int, new: int) -> None:
        """Take the node, and the change's own number, old and new."""
        self._images = images
        self._node = node
        self._old = old
        self._new = new
        self.is_exact = True

    def renamed(self, deed: Deed) -> Deed:
        """Return the deed.

        Raises:
            LostLineError: a line that it cannot do without has no image.
        """
        blocks = [self._block(block) for block in deed.blocks]
        new = dict(zip(deed.blocks, blocks, strict=True))
        spans = self._images.spans
        node = self._node
        return Deed(
            (),
            tuple(blocks),
            tuple(
                Deletion(spans(node, d.spans), d.block and new[d.block]) for d in deed.deletions
            ),
            tuple(self._cancels(deed.cancels)),
            tuple(
                Precedence(self._line(a), self._line(b), inside) for a, b, inside in deed.orders
            ),
            tuple(self._unorders(deed.unorders)),
            tuple(self._verdicts(deed.verdicts)),
            tuple(self._weak(deed.keeps)),
        )

    def _line(self, line: int) -> int:
        return self._images.line(self._node, line)

    def _block(self, block: Block) -> Block:
        own = (self._new - self._old) << SHIFT
        return Block(
            block.start + own, block.size, self._point(block.left), self._point(block.right)
        )

    def _point(self, edge: int) -> int:
        return edge if edge == EDGE else self._line(edge >> 2) << 2 | edge & 3

    def _change(self, old: int) -> int | None:
        found = self._images.change(old, self._node)
        self.is_exact = self.is_exact and found is not None
        return found

    def _weak(self, spans: Iterable[Span]) -> Iterator[Span]:
        for span in spans:
            found = self._images.parts(self._node, span)
            self.is_exact = self.is_exact and sum(size for _, size in found) == span.size
            yield from found

    def _cancels(self, cancels: Iterable[Cancel]) -> Iterator[Cancel]:
        for span, deletions in cancels:
            found = [self._change(old) for old in deletions]
            named = tuple(sorted({new for new in found if new}))
            for part in self._images.span(self._node, span) if named else ():
                yield Cancel(part, named)

    def _unorders(self, unorders: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        for old, place in unorders:
            if self._images.is_placed(self._node, old):
                # Its orders were found anew, and perhaps there are none.
                self.is_exact = False
                continue
            new = self._change(old)
            if new is not None:
                yield new, place

    def _verdicts(self, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
        for span, deletion, keeper in verdicts:
            against = self._change(deletion)
            kept = self._change(keeper) if keeper else 0
            if against is not None and kept is not None:
                for part in self._weak((span,)):
                    yield Verdict(part, against, kept)
