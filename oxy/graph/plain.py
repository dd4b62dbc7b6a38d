"""What edits say by themselves: stretches deleted, blocks put in their place or between lines.

(spec: graph, G17 to G19.) Pure.
"""

from collections.abc import Sequence

from oxy.graph.deed import EDGE, Block, Deed, Deletion, Span, point
from oxy.graph.draft import Edits
from oxy.graph.naming import strong
from oxy.graph.reading import Reading
from oxy.graph.weave import SHIFT
from oxy.model.operation import IN, OUT, TEXT


def plain_deed(reading: Reading, edits: Edits, change: int) -> Deed:
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
