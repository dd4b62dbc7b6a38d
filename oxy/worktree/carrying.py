"""A local edit of one file on top of another state (spec: working-copy, W24).

The edit is a draft change on the state that the file was made from. Its text is recorded in the
graph of its node under a number that no stored change has, read in the other state, and taken
out again; nothing is stored.
"""

from typing import NamedTuple

from blake3 import blake3
from pyroaring import BitMap

from oxy.diff.lines import edits
from oxy.graph.draft import Edits, flat
from oxy.graph.reading import Reading
from oxy.graph.record import record
from oxy.graph.recorded import Recorded
from oxy.graph.render import render
from oxy.graph.text import Span, TextGraph
from oxy.graph.weave import SHIFT
from oxy.model.operation import FINAL_LF, KIND_SYMLINK, KIND_TEXT
from oxy.phase import phase
from oxy.repo.nodes import Inserted, Nodes
from oxy.repo.repository import Repository
from oxy.repo.textual import kind_of, with_final_lf
from oxy.store.protocol import CHANGE
from oxy.worktree.content import Content
from oxy.worktree.item import Item
from oxy.worktree.loading import Loaded

_INDEX = (1 << SHIFT) - 1
_LAST = b"\xff" * 33
"""What comes after every id."""


class Carried(NamedTuple):
    """What a file is to be with its edit.

    Its bytes are those that the state has of `item`, if that is given; else `data`, which is
    None for a file that is too large to be held and stays as it is.
    """

    kind: int
    mode: int
    digest: bytes
    data: bytes | None
    item: Item | None = None


class Carrier:
    """Takes edits from one state to another."""

    __slots__ = ("_nodes", "_number", "_source", "_target")

    def __init__(self, repository: Repository, source: Content, target: Content) -> None:
        self._nodes = repository.nodes
        self._number = repository.store.count(CHANGE) + 1
        self._source = source
        self._target = target

    def has_same_content(self, base: Item, goal: Item) -> bool:
        """Tell whether both states hold the same kind of file with the same bytes."""
        return base.kind == goal.kind and self._old(base) == self._target.digest(goal)

    def carried(self, base: Item, local: Loaded, goal: Item) -> Carried | None:
        """Return an edited file as it is in the other state, or None where it cannot be.

        An edit goes along if what it refers to is there, if no conflict comes of it, and if it
        still is the same edit when it comes back.

        Args:
            base: what the state holds that the file was made from.
            local: the file.
            goal: what the other state holds of the same node.

        Cost: the digests of both, where they are not known; for a text that both edited, two
        readings of its graph.
        """
        mode = _merged(base.mode, local.mode, goal.mode)
        if mode is None:
            return None
        if (local.kind, local.digest) == (base.kind, self._old(base)):
            # Only the mode was edited, and a symlink has none.
            if KIND_SYMLINK == goal.kind != base.kind:
                return None
            return Carried(goal.kind, mode, self._target.digest(goal), None, goal)
        if self.has_same_content(base, goal):
            mode = 0 if local.kind == KIND_SYMLINK else mode
            return Carried(local.kind, mode, local.digest, local.data)
        if {base.kind, local.kind, goal.kind} != {KIND_TEXT}:
            return None
        with phase("graphs"):
            data = self._text(base.node, local.data or b"")
        digest = blake3(data or b"").digest()
        # What the old state has would be no edit of it any more.
        is_edit = data is not None and digest != self._old(base)
        return Carried(KIND_TEXT, mode, digest, data) if is_edit else None

    def _old(self, base: Item) -> bytes:
        return self._source.digest(base)

    def _text(self, node: int, data: bytes) -> bytes | None:
        old, new = self._source.state, self._target.state
        text = _Text(self._nodes, node, self._number)
        there = text.carried(data, old, new)
        if there is None or kind_of(there, len(there)) != KIND_TEXT:
            return None
        # Where one line is like another, what reads well may be another edit than it was.
        back = text.carried(there, new, old)
        return there if back in (None, data) else None


class _Text:
    """One text, and drafts on it under a number that is nobody's."""

    __slots__ = ("_node", "_nodes", "_number")

    def __init__(self, nodes: Nodes, node: int, number: int) -> None:
        self._nodes = nodes
        self._node = node
        self._number = number

    def carried(self, data: bytes, old: BitMap, new: BitMap) -> bytes | None:
        """Return an edit of what one state reads on top of another."""
        nodes, node = self._nodes, self._node
        reading, own = nodes.reading(node, old), nodes.reading(node, new)
        ends_in_lf = self._final_lf(data, old, new)
        if reading.conflicts or own.conflicts or ends_in_lf is None:
            return None
        lines = with_final_lf(data)
        found = edits(nodes.text(node, flat(reading)), lines)
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


def _merged(base: int, local: int, goal: int) -> int | None:
    """Return the mode where at most one side changed it."""
    if local == base:
        return goal
    return local if goal == base else None
