"""Where new lines go: the result in order, and the points of each block (spec: graph, G5, G6).

Pure.
"""

from collections.abc import Sequence
from typing import NamedTuple

from oxy.graph.draft import Draft, Piece
from oxy.graph.recorded import Source
from oxy.graph.text import EDGE, Block, Span, point
from oxy.graph.weave import SHIFT
from oxy.model.operation import IN, OUT, TEXT


class Layout(NamedTuple):
    """The result in order: spans, blocks among them, and where new lines come from."""

    out: tuple[Span, ...]
    blocks: tuple[Block, ...]
    sources: tuple[Source, ...]


def lay_out(draft: Draft, pieces: Sequence[Piece]) -> Layout:
    """Give new lines their identity, and each stretch of them its two points."""
    kept = [piece.kept for piece in pieces if piece.kept is not None]
    out: list[Span] = []
    blocks: list[Block] = []
    sources: list[Source] = []
    line = draft.change << SHIFT
    place = passed = 0
    while place < len(pieces):
        span = pieces[place].kept
        if span is not None:
            out.append(span)
            place += 1
            passed += 1
            continue
        end = place
        while end < len(pieces) and pieces[end].kept is None:
            end += 1
        fresh = pieces[place:end]
        size = sum(piece.source.size for piece in fresh)
        left, right = _points(draft, fresh, kept[:passed][-1:], kept[passed:])
        blocks.append(Block(line, size, left, right))
        sources += [piece.source for piece in fresh]
        out.append(Span(line, size))
        line += size
        place = end
    return Layout(tuple(out), tuple(blocks), tuple(sources))


def _points(
    draft: Draft, fresh: Sequence[Piece], before: Sequence[Span], following: Sequence[Span]
) -> tuple[int, int]:
    """Return the points of new lines: in place of old ones, else between neighbours."""
    dropped = next((piece.dropped for piece in reversed(fresh) if piece.dropped), ())
    if dropped and not draft.is_conflict:
        last = dropped[-1].start + dropped[-1].size - 1
        return point(last, TEXT), point(last, OUT)
    if not before:
        return EDGE, point(following[0].start, IN) if following else EDGE
    net = draft.insert_net
    run = net.index[before[0].start]
    below = [net.index[span.start] for span in following]
    is_inside = not net.inside(run).isdisjoint(below)
    left = point(before[0].start + before[0].size - 1, TEXT if is_inside else OUT)
    node = 2 * run + (not is_inside)
    for after in below:
        if net.is_reached(node, after):
            return left, point(net.starts[after], IN)
    return left, EDGE
