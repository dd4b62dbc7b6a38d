"""What is looked up of a text's changes while a state of it is read. Pure.

It serves a state and all the smaller ones that are read for the sides of its conflicts.
"""

from bisect import bisect_left
from collections.abc import Iterable
from oxy.typed import Final

from pyroaring import BitMap

from oxy.graph.text import Deletion, TextGraph

FEW: Final = 8
"""Deletions of a line that are looked at one by one."""


class Finder:
    """Indexes of a text, made when they are first asked for."""

    __slots__ = ("_among", "_children", "_deleters", "_hunks", "graph")

    def __init__(self, graph: TextGraph, among: Iterable[int] | None = None) -> None:
        """Take a text, and the changes that children are looked for among, if not all."""
        self.graph = graph
        self._among = graph.touched if among is None else among
        self._hunks: dict[int, list[tuple[int, int, Deletion]]] = {}
        self._deleters: dict[int, BitMap] = {}
        self._children: dict[int, list[int]] | None = None

    def hunk(self, line: int, change: int) -> Deletion:
        """Return the deletion by which a change deletes a line."""
        spans = self._hunks.get(change)
        if spans is None:
            spans = self._hunks[change] = sorted(
                (span.start, place, deletion)
                for place, deletion in enumerate(self.graph.deeds[change].deletions)
                for span in deletion.spans
            )
        return spans[bisect_left(spans, (line + 1,)) - 1][2]

    def counting(self, fate: int, state: BitMap) -> tuple[int, ...]:
        """Return the deletions of a fate that count in a state."""
        deletions, cancels = self.graph.fates[fate]
        if cancels or len(deletions) <= FEW:
            return self.graph.counting(fate, state)
        return self.deleting(fate, state)

    def deleting(self, fate: int, state: BitMap) -> tuple[int, ...]:
        """Return the deletions of a fate that are in a state, cancelled or not."""
        if fate not in self._deleters:
            self._deleters[fate] = BitMap(self.graph.fates[fate].deletions)
        return tuple(self._deleters[fate] & state)

    def children(self, change: int) -> list[int]:
        """Return the changes of the text that need a change. Cost: once, all their needs."""
        if self._children is None:
            self._children = {}
            for other in self._among:
                for need in self.graph.deeds[other].needs:
                    self._children.setdefault(need, []).append(other)
        return self._children.get(change, [])
