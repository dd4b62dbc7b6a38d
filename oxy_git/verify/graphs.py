"""The graphs of texts, which grow as later states are asked for (spec: git-bridge, GB29)."""

from array import array
from collections import OrderedDict
from typing import Final

from oxy.graph.text import TextGraph
from oxy.repo.nodes import Nodes

RUNS: Final = 200_000
"""Runs of the graphs in memory."""


class Growing:
    """A graph as of the changes that it has so far, and the numbers of all that touch it."""

    __slots__ = ("graph", "has", "numbers")

    def __init__(self, numbers: "array[int]") -> None:
        self.graph = TextGraph()
        self.numbers = numbers
        self.has = 0


class Graphs:
    """The graphs of texts as of the changes that they were last asked for, the latest used."""

    __slots__ = ("_known", "_nodes", "_runs")

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._known: OrderedDict[int, Growing] = OrderedDict()
        self._runs = 0

    def at(self, node: int, change: int) -> TextGraph:
        """Return the graph of a text that has all changes up to this one.

        Cost: the changes that touch it and that it did not have; all up to there, where it is
        not in memory.
        """
        known = self._known.get(node)
        if known is None:
            numbers = array("Q", (number for number, _ in self._nodes.touching(node)))
            known = self._known[node] = Growing(numbers)
        else:
            self._known.move_to_end(node)
            self._runs -= len(known.graph.weave)
        while known.has < len(known.numbers) and known.numbers[known.has] <= change:
            self._apply(known.graph, node, known.numbers[known.has])
            known.has += 1
        self._runs += len(known.graph.weave)
        while self._runs > RUNS and len(self._known) > 1:
            self._runs -= len(self._known.popitem(last=False)[1].graph.weave)
        return known.graph

    def _apply(self, graph: TextGraph, node: int, change: int) -> None:
        edit = self._nodes.edit(node, change)
        if edit is not None:
            self._nodes.apply(graph, change, edit)
