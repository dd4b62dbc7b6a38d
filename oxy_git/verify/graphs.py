"""The graphs of texts, which grow as the changes are gone through (spec: git-bridge, GB29)."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from oxy.graph.text import TextGraph
from oxy.repo.nodes import Nodes

RUNS: Final = 200_000
"""Runs of the graphs in memory."""


class Graphs:
    """The graphs of texts as of the changes so far, the latest used."""

    __slots__ = ("_known", "_nodes", "_runs")

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._known: OrderedDict[int, TextGraph] = OrderedDict()
        self._runs = 0

    def advance(self, change: int, nodes: Iterable[int]) -> None:
        """Apply a change to what is in memory; changes come in order of their numbers."""
        for node in nodes:
            graph = self._known.get(node)
            if graph is not None:
                self._runs -= len(graph.weave)
                self._apply(graph, node, change)
                self._runs += len(graph.weave)

    def at(self, node: int, change: int) -> TextGraph:
        """Return the graph of a text as of the changes up to the one that is gone through.

        Cost: where it is not in memory, every change up to there that touches it.
        """
        graph = self._known.get(node)
        if graph is not None:
            self._known.move_to_end(node)
            return graph
        graph = self._known[node] = TextGraph()
        touching = [number for number, _ in self._nodes.touching(node) if number <= change]
        for number in touching:
            self._apply(graph, node, number)
        self._runs += len(graph.weave)
        while self._runs > RUNS and len(self._known) > 1:
            self._runs -= len(self._known.popitem(last=False)[1].weave)
        return graph

    def _apply(self, graph: TextGraph, node: int, change: int) -> None:
        edit = self._nodes.edit(node, change)
        if edit is not None:
            self._nodes.apply(graph, change, edit)
