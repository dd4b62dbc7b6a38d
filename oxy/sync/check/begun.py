"""Texts that are still as one block of lines began them (spec: graph; sync, SY13).

Most texts that come are edited later in the same transfer, if at all. What they are then
follows from who created them and how many lines that inserted: no row and no change is read.
"""

from array import array
from collections.abc import Iterable
from oxy.typed import Final, NamedTuple

MOST: Final = 1 << 20
"""Nodes of one transfer of which this is known: 8 MB."""


class Beginning(NamedTuple):
    """The change that created a text, and how many lines that inserted as one block."""

    change: int
    lines: int


class Begun:
    """The nodes that a transfer has created, whose numbers follow each other."""

    __slots__ = ("_changes", "_first", "_lines")

    def __init__(self) -> None:
        self._first = 0
        self._changes = array("I")
        self._lines = array("I")

    def note(self, change: int, nodes: Iterable[int], lines: Iterable[int]) -> None:
        """Note the nodes that a change created; of one that is no such text, 0 lines."""
        for node, size in zip(nodes, lines, strict=False):
            self._first = self._first or node
            if len(self._lines) < MOST:
                self._changes.append(change)
                self._lines.append(size)

    def take(self, node: int) -> Beginning | None:
        """Return how a text began that nothing has edited since, which is not so any more."""
        at = node - self._first
        if not 0 <= at < len(self._lines) or not self._lines[at]:
            return None
        lines, self._lines[at] = self._lines[at], 0
        return Beginning(self._changes[at], lines)
