"""Where new lines go: the result in order, and the points of each block (spec: graph, G5, G6).

Pure.
"""

from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.graph.draft import Draft, Piece
from oxy.graph.holding import Held
from oxy.graph.recorded import Source
from oxy.graph.text import EDGE, Block, Span, point
from oxy.graph.weave import SHIFT
from oxy.model.operation import IN, OUT, TEXT


class Layout(NamedTuple):
    """The result in order: spans, blocks among them, and where new lines come from.

    `holes` are the conflicts that are left alone, each with the spans that come before it.
    """

    out: tuple[Span, ...]
    blocks: tuple[Block, ...]
    sources: tuple[Source, ...]
    holes: tuple[tuple[int, Held], ...] = ()


def lay_out(draft: Draft, pieces: Sequence[Piece]) -> Layout:
    """Give new lines their identity, and each stretch of them its two points."""
    there = _Standing(pieces)
    out: list[Span] = []
    blocks: list[Block] = []
    sources: list[Source] = []
    holes: list[tuple[int, Held]] = []
    line = draft.change << SHIFT
    place = 0
    while place < len(pieces):
        span, held = pieces[place].kept, pieces[place].held
        if span is not None or held is not None:
            if span is not None:
                out.append(span)
            if held is not None:
                holes.append((len(out), held))
            place += 1
            continue
        end = place
        while end < len(pieces) and pieces[end].kept is None and pieces[end].held is None:
            end += 1
        fresh = pieces[place:end]
        size = sum(piece.source.size for piece in fresh)
        left, right = _points(draft, fresh, there, place)
        blocks.append(Block(line, size, left, right))
        sources += [piece.source for piece in fresh]
        out.append(Span(line, size))
        line += size
        place = end
    return Layout(tuple(out), tuple(blocks), tuple(sources), tuple(holes))


class _Standing:
    """The old lines of the result: the spans that are kept, and the runs of kept conflicts."""

    __slots__ = ("_ends", "_kept", "_starts")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._kept: list[Span | None] = []
        """For each piece the last span that is kept before it."""
        self._starts: list[int] = []
        """The first lines of the runs that stand."""
        self._ends: list[int] = []
        """For each piece the number of runs that stand before it."""
        last = None
        for piece in pieces:
            self._kept.append(last)
            self._ends.append(len(self._starts))
            if piece.kept is not None:
                last = piece.kept
                self._starts.append(last.start)
            elif piece.held is not None:
                self._starts += piece.held.runs

    def before(self, place: int) -> Span | None:
        """Return the last span that is kept before a piece."""
        return self._kept[place]

    def after(self, place: int) -> Iterator[int]:
        """Yield the first lines of the runs that stand after a piece. Cost: those taken."""
        for run in range(self._ends[place], len(self._starts)):
            yield self._starts[run]


def _points(
    draft: Draft, fresh: Sequence[Piece], there: _Standing, place: int
) -> tuple[int, int]:
    """Return the points of new lines: in place of old ones, else between neighbours.

    Cost: of what stands behind them, all only where something lies inside of the line before.
    """
    dropped = next((piece.dropped for piece in reversed(fresh) if piece.dropped), ())
    if dropped and draft.is_replaced(dropped):
        last = dropped[-1].start + dropped[-1].size - 1
        return point(last, TEXT), point(last, OUT)
    before = there.before(place)
    if before is None:
        first = next(there.after(place), None)
        return EDGE, EDGE if first is None else point(first, IN)
    net = draft.insert_net
    run = net.index[before.start]
    inside = net.inside(run)
    is_inside = any(net.index[start] in inside for start in there.after(place) if inside)
    left = point(before.start + before.size - 1, TEXT if is_inside else OUT)
    node = 2 * run + (not is_inside)
    for after in there.after(place):
        if net.is_reached(node, net.index[after]):
            return left, point(after, IN)
    return left, EDGE
