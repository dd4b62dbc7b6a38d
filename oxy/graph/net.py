"""The runs of one state with the edges between them, and what follows what (spec: graph). Pure.

Every run has two nodes: `2 * i`, its in and text, and `2 * i + 1`, its out. What lies inside the
run's last line is reached from the first and reaches the second.
"""

from itertools import pairwise

from pyroaring import BitMap

from oxy.graph.closure import closure
from oxy.graph.text import EDGE, TextGraph
from oxy.graph.weave import SHIFT
from oxy.model.operation import OUT, TEXT


class Net:
    """The runs of a state, in weave order, as a directed graph."""

    __slots__ = (
        "_back",
        "_full",
        "_reach",
        "alive",
        "edges",
        "fates",
        "graph",
        "index",
        "is_bent",
        "sizes",
        "starts",
        "state",
    )

    def __init__(self, graph: TextGraph, state: BitMap, *, has_orders: bool = True) -> None:
        """Take what a state has. Cost: the runs of the text and the edges of the state."""
        self.graph = graph
        self.state = state & graph.touched
        self.starts: list[int] = []
        self.sizes: list[int] = []
        self.fates: list[int] = []
        self.alive: list[bool] = []
        self.index: dict[int, int] = {}
        self.edges: dict[int, list[int]] = {}
        self.is_bent = False
        """Whether an order edge goes against the weave."""
        self._reach: list[int] | None = None
        self._back: list[int] | None = None
        self._full: list[int] | None = None
        self._take_runs()
        for change in self.state:
            for block in graph.deeds[change].blocks:
                self._take_block(*block)
        if has_orders:
            self._take_orders()

    def _take_runs(self) -> None:
        present = set(self.state)
        known: dict[int, bool] = {}
        for start, size, fate in self.graph.weave.runs():
            if start >> SHIFT not in present:
                continue
            alive = known.get(fate)
            if alive is None:
                alive = known[fate] = self.graph.is_alive(fate, self.state)
            self.index[start] = len(self.starts)
            self.starts.append(start)
            self.sizes.append(size)
            self.fates.append(fate)
            self.alive.append(alive)

    def _take_block(self, start: int, size: int, left: int, right: int) -> None:
        index, edges = self.index, self.edges
        runs = [index[first] for first in self.graph.weave.covering(start, size)]
        for a, b in pairwise(runs):
            edges.setdefault(2 * a + 1, []).append(2 * b)
        if left != EDGE:
            node = 2 * self.run_of(left >> 2) + (left & 3 != TEXT)
            edges.setdefault(node, []).append(2 * runs[0])
        if right != EDGE:
            node = 2 * self.run_of(right >> 2) + (right & 3 == OUT)
            edges.setdefault(2 * runs[-1] + 1, []).append(node)

    def _take_orders(self) -> None:
        deeds = self.graph.deeds
        gone = {named for change in self.state for named in deeds[change].unorders}
        for change in self.state:
            for place, (a, b, inside) in enumerate(deeds[change].orders):
                if (change, place) in gone:
                    continue
                before, after = self.run_of(a), self.run_of(b)
                self.edges.setdefault(2 * before + (not inside), []).append(2 * after)
                self.is_bent = self.is_bent or before >= after

    def run_of(self, line: int) -> int:
        """Return the index of the run that holds a line of the state."""
        chunk, place = self.graph.weave.find(line)
        return self.index[chunk.starts[place]]

    def runs_in(self, start: int, size: int) -> list[int]:
        """Return the indexes of the runs in a range of one change's lines."""
        return [self.index[first] for first in self.graph.weave.covering(start, size)]

    def is_total(self) -> bool:
        """Return whether each live run reaches the next one in weave order.

        Only the marks between two live runs are carried, so this is one pass. A bent net, whose
        orders contradict the weave, is never called total here.
        """
        if self.is_bent:
            return False
        marks: set[int] = set()
        seen_live = False
        for run, alive in enumerate(self.alive):
            node = 2 * run
            reached = node in marks
            if alive:
                if seen_live and not reached:
                    return False
                seen_live = True
                marks.clear()
            elif not reached:
                continue
            self._mark(node, marks)
        return True

    def _mark(self, node: int, marks: set[int]) -> None:
        stack = [node, node + 1]
        while stack:
            for target in self.edges.get(stack.pop(), ()):
                if target not in marks:
                    marks.add(target)
                    if target & 1:
                        stack.append(target)

    def follows(self, before: int, after: int) -> bool:
        """Return whether run `after` comes after run `before`. Cost: the first call's closure."""
        return self.reach[before] >> after & 1 == 1

    @property
    def reach(self) -> list[int]:
        """For each run the runs that come after it, as the bits of one integer."""
        if self._reach is None:
            self._reach = self._outer[::2]
        return self._reach

    @property
    def _outer(self) -> list[int]:
        if self._full is None:
            self._full = closure(self._targets())
        return self._full

    def after(self, run: int, *, is_inside: bool) -> int:
        """Return the runs that come after a run's text or its out, as bits."""
        return self._outer[2 * run + (not is_inside)]

    def is_inside(self, inner: int, outer: int) -> bool:
        """Return whether a run lies between the text and the out of another's last line."""
        seen = set()
        stack = [2 * inner + 1]
        goal = 2 * outer + 1
        while stack:
            for target in self.edges.get(stack.pop(), ()):
                if target == goal:
                    return True
                nodes = [target] if target & 1 else [target + 1, target]
                fresh = [node for node in nodes if node not in seen]
                seen.update(fresh)
                stack += fresh
        return False

    @property
    def back(self) -> list[int]:
        """For each run the runs that come before it, as the bits of one integer."""
        if self._back is None:
            targets = self._targets()
            sources: list[list[int]] = [[] for _ in targets]
            for node, followers in enumerate(targets):
                for follower in followers:
                    sources[follower].append(node)
            self._back = closure(sources)[::2]
        return self._back

    def _targets(self) -> list[list[int]]:
        none: list[int] = []
        nodes = range(2 * len(self.starts))
        return [
            self.edges.get(node, none) if node & 1 else [node + 1, *self.edges.get(node, none)]
            for node in nodes
        ]
