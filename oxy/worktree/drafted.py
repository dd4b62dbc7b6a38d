"""An edit of a text as a draft change, read in another state (spec: working-copy, W24).

Loaded only where a text was edited in the working copy and in the state that it goes to.
"""

from pyroaring import BitMap

from oxy.diff.lines import edits
from oxy.graph.draft import Edits, flat
from oxy.graph.reading import Reading
from oxy.graph.record import record
from oxy.graph.recorded import Recorded
from oxy.graph.render import render
from oxy.graph.text import Span, TextGraph
from oxy.graph.weave import SHIFT
from oxy.model.operation import FINAL_LF
from oxy.phase import phase
from oxy.repo.insertions import Inserted
from oxy.repo.nodes import Nodes
from oxy.repo.textual import with_final_lf

_INDEX = (1 << SHIFT) - 1
_LAST = b"\xff" * 33
"""What comes after every id."""


class DraftedText:
    """One text, and drafts on it under a number that is nobody's."""

    __slots__ = ("_node", "_nodes", "_number")

    def __init__(self, nodes: Nodes, node: int, number: int) -> None:
        """Take the node and a number that no stored change has."""
        self._nodes = nodes
        self._node = node
        self._number = number

    def carried(self, data: bytes, old: BitMap, new: BitMap) -> bytes | None:
        """Return an edit of what one state reads on top of another, or None where it cannot be.

        The graph is left as it was. Cost: two readings of it, one of them with the draft.

        Args:
            data: the edited text.
            old: the state that it was made from.
            new: the other state.
        """
        nodes, node = self._nodes, self._node
        reading, own = nodes.reading(node, old), nodes.reading(node, new)
        ends_in_lf = self._final_lf(data, old, new)
        if reading.conflicts or own.conflicts or ends_in_lf is None:
            return None
        lines = with_final_lf(data)
        read = nodes.text(node, flat(reading))
        with phase("diff"):
            found = edits(read, lines)
        if found:
            there = self._lines(nodes.graph(node), reading, found, lines, (old, new))
        else:
            there = nodes.text(node, flat(own))
        if there is None or ends_in_lf:
            return there
        # A last line that is empty cannot be without its LF.
        return there[:-1] if with_final_lf(there[:-1]) == there else None

    def _final_lf(self, data: bytes, old: BitMap, new: BitMap) -> bool | None:
        """Return whether the text is to end in LF; None where nobody can say."""
        was, goal = (self._nodes.view(self._node, state) for state in (old, new))
        is_now = data.endswith(b"\n") if data else bool(was.final_lf)
        if is_now == bool(was.final_lf):
            return bool(goal.final_lf)
        return None if FINAL_LF in goal.disputed else is_now

    def _lines(
        self,
        graph: TextGraph,
        reading: Reading,
        found: Edits,
        lines: bytes,
        states: tuple[BitMap, BitMap],
    ) -> bytes | None:
        old, new = states
        done = record(graph, old, reading, found, self._number)
        if not BitMap(done.deed.needs) <= new:
            return None
        drafted = _Drafted(self._nodes, self._node, self._number, old)
        drafted.insert(done, lines)
        state = new | BitMap([self._number])
        graph.apply(self._number, done.deed)
        try:
            after = render(graph, state, drafted)
        finally:
            graph.unapply(self._number)
        return None if after.conflicts else drafted.text(tuple(flat(after)))


class _Drafted:
    """Tells a graph that holds a draft what it asks of the world outside (oxy.graph.lore)."""

    __slots__ = ("_base", "_inserted", "_node", "_nodes", "_number")

    def __init__(self, nodes: Nodes, node: int, number: int, base: BitMap) -> None:
        self._nodes = nodes
        self._node = node
        self._number = number
        self._base = base
        self._inserted = Inserted(b"", [])

    def insert(self, done: Recorded, lines: bytes) -> None:
        """Take the lines that the draft inserts."""
        given = Inserted(lines, [])
        parts: list[bytes] = []
        for size, start, moved in done.sources:
            if start is not None:
                parts.append(given.lines(start, size))
            elif moved is not None:
                parts.append(self._nodes.text(self._node, (moved,)))
        self._inserted = Inserted(b"".join(parts), [])

    def knows(self, change: int, state: BitMap) -> BitMap:
        """See Lore."""
        if change == self._number:
            return self._base & state
        return self._nodes.states.knows(change, state)

    def rank(self, change: int) -> bytes:
        """See Lore."""
        return _LAST if change == self._number else self._nodes.rank(change)

    def text(self, spans: tuple[Span, ...]) -> bytes:
        """See Lore."""
        return b"".join(
            self._inserted.lines(span.start & _INDEX, span.size)
            if span.start >> SHIFT == self._number
            else self._nodes.text(self._node, (span,))
            for span in spans
        )
