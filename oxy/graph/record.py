"""Edits of what a state reads to what a change does (spec: graph, G17 to G26). Pure.

Where nobody ever disputed a line of the text the edits say it all: a replaced stretch is
deleted and its block lies inside its last line, a new block lies between its neighbours.
Otherwise `oxy.graph.settle` works out what else has to be said for the text to read back.
"""

from collections.abc import Sequence

from pyroaring import BitMap

from oxy.graph.naming import strong
from oxy.graph.reading import Reading
from oxy.graph.recorded import Recorded, Source
from oxy.graph.settle import record_disputed
from oxy.graph.text import EDGE, Block, Deed, Deletion, Span, TextGraph, point
from oxy.graph.weave import SHIFT
from oxy.model.operation import IN, OUT, TEXT


def record(
    graph: TextGraph,
    state: BitMap,
    reading: Reading,
    edits: Sequence[tuple[int, int, int, int]],
    change: int,
) -> Recorded:
    """Return what a change does that makes edits on what a state reads.

    The graph is left as it was; apply the deed to make it hold the change.

    Args:
        graph: the text.
        state: the state that is read.
        reading: what it reads.
        edits: (old line, lines dropped, new line, lines inserted), ascending and apart; lines
            of a conflict are numbered side after side, as `flat` lists them.
        change: the number that the new change will have.

    Cost: the edits and a copy of the spans; in a disputed text, the runs.
    """
    if graph.is_disputed or not reading.is_clean:
        return record_disputed(graph, state, reading, edits, change)
    deed = plain_deed(reading, edits, change)
    sources = tuple(Source(edit[3], edit[2], None) for edit in edits if edit[3])
    after = reading.replaced([(e[0], e[1], e[3]) for e in edits], change << SHIFT)
    return Recorded(deed, sources, after)


def plain_deed(
    reading: Reading, edits: Sequence[tuple[int, int, int, int]], change: int
) -> Deed:
    """Return what edits of a clean reading do, where nothing more has to be said."""
    blocks: list[Block] = []
    deletions: list[Deletion] = []
    start = change << SHIFT
    for old, dropped, _, inserted in edits:
        spans = tuple(reading.between(old, old + dropped))
        block: Block | None = None
        if inserted:
            left, right = _neighbours(reading, old, spans)
            block = Block(start, inserted, left, right)
            blocks.append(block)
            start += inserted
        if spans:
            deletions.append(Deletion(spans, block))
    deed = Deed((), tuple(blocks), tuple(deletions))
    return deed._replace(needs=tuple(sorted(strong(deed))))


def _neighbours(reading: Reading, old: int, dropped: Sequence[Span]) -> tuple[int, int]:
    if dropped:
        last = dropped[-1].start + dropped[-1].size - 1
        return point(last, TEXT), point(last, OUT)
    left = point(reading.line(old - 1), OUT) if old else EDGE
    right = point(reading.line(old), IN) if old < reading.total else EDGE
    return left, right
