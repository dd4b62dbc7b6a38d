"""Which older line a line of a text took the place of (spec: graph, G60 to G62).

A change that replaces lines says which block took the place of which: nothing is guessed beyond
what it did.
"""

from collections.abc import Iterator

from oxy.actions.past import Past
from oxy.diff.lines import edits_of_lines
from oxy.graph.text import Span
from oxy.graph.weave import SHIFT
from oxy.repo.nodes import Nodes


class Succession:
    """The lines that those of one text took the place of."""

    __slots__ = ("_elders", "_node", "_nodes", "_past")

    def __init__(self, nodes: Nodes, node: int, past: Past) -> None:
        self._nodes = nodes
        self._node = node
        self._past = past
        self._elders: dict[int, dict[int, int]] = {}

    def elder(self, line: int) -> int | None:
        """Return the line that a line took the place of, if its change is looked past."""
        return self._of(line >> SHIFT).get(line)

    def eldest(self, line: int) -> int:
        """Return the line that a line goes back to, past what is looked past.

        Cost: for each change on the way the lines that it replaced, once.
        """
        elder: int | None = line
        while elder is not None:
            line = elder
            elder = self.elder(line)
        return line

    def _of(self, change: int) -> dict[int, int]:
        """Return the lines of a change that took the place of others, with these."""
        found = self._elders.get(change)
        if found is None:
            is_past = self._past.whitespace or change in self._past.changes
            found = self._elders[change] = dict(self._pairs(change)) if is_past else {}
        return found

    def _pairs(self, change: int) -> Iterator[tuple[int, int]]:
        deed = self._nodes.graph(self._node).deeds.get(change)
        for spans, block in deed.deletions if deed else ():
            if block is not None:
                yield from self._matched(change, spans, Span(block.start, block.size))

    def _matched(
        self, change: int, spans: tuple[Span, ...], block: Span
    ) -> Iterator[tuple[int, int]]:
        """Yield (new line, old line) of a block and what it replaced.

        Lines that differ in whitespace alone go together. Of a change that is looked past, what
        is left between them goes together by place, the last old line with all that follow.
        """
        old = [line for start, size in spans for line in range(start, start + size)]
        edits = edits_of_lines(self._bare(spans), self._bare((block,)))
        at = fresh = 0
        for old_start, old_count, new_start, new_count in (*edits, (len(old), 0, 0, 0)):
            while at < old_start:
                yield block.start + fresh, old[at]
                at, fresh = at + 1, fresh + 1
            if old_count and change in self._past.changes:
                for place in range(new_count):
                    elder = old[old_start + min(place, old_count - 1)]
                    yield block.start + new_start + place, elder
            at, fresh = old_start + old_count, new_start + new_count

    def _bare(self, spans: tuple[Span, ...]) -> list[bytes]:
        """Return lines without any whitespace."""
        lines = self._nodes.text(self._node, spans).split(b"\n")[:-1]
        return [b"".join(line.split()) for line in lines]
