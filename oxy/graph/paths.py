"""Whether one line leads to another, found by walking from it (spec: graph, G14). Pure.

For a few questions about a state; `oxy.graph.net` answers many.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from pyroaring import BitMap

from oxy.graph.orders import is_bent
from oxy.graph.text import EDGE, TextGraph, point
from oxy.graph.weave import SHIFT
from oxy.model.operation import IN, OUT, TEXT


class Paths:
    """Ways along the edges of a state, from point to point."""

    __slots__ = ("_is_bent", "graph", "ordering", "state")

    def __init__(self, graph: TextGraph, state: BitMap, ordering: BitMap | None = None) -> None:
        """Take a state, and those of its changes whose orders count, if not all."""
        self.graph = graph
        self.state = state
        self.ordering = state if ordering is None else ordering
        self._is_bent: bool | None = None

    @property
    def is_bent(self) -> bool:
        """Whether an order goes against the weave. Cost: once, a walk of the orders."""
        if self._is_bent is None:
            self._is_bent = is_bent(self.graph, self.state)
        return self._is_bent

    def has_inside(self, line: int) -> bool:
        """Return whether anything begins at the text of a line."""
        start = point(line, TEXT)
        return any(True for _ in self._blocks(start)) or any(True for _ in self._orders(start))

    def reaches(self, where: int, goal: int, *, has_orders: bool = True) -> bool:
        """Return whether edges lead from a point to the in of a line. See `leads`."""
        return self.leads([where], [goal], has_orders=has_orders)

    def leads(
        self, points: Iterable[int], goals: Iterable[int], *, has_orders: bool = True
    ) -> bool:
        """Return whether edges lead from any of some points to the in of any of some lines.

        Cost: the edges from the points on; those beyond the lines in the weave are left out
        where that cannot matter.
        """
        weave = self.graph.weave
        places = [weave.find(goal) for goal in goals]
        firsts = {chunk.starts[place] for chunk, place in places}
        last = None
        if not (has_orders and self.is_bent):
            last = max(map(weave.position, firsts))
        walk = self.walk(points, last, has_orders=has_orders)
        return any(where & 3 == IN and where >> 2 in firsts for where in walk)

    def walk(
        self, points: Iterable[int], last: tuple[int, int] | None, *, has_orders: bool
    ) -> Iterator[int]:
        """Yield the points that edges lead to: for a line its run's first in, and outs.

        From what is in the weave after a position, if one is given, it does not go on.
        """
        weave = self.graph.weave
        stack = list(points)
        seen = set(stack)
        while stack:
            for after in self._after(stack.pop(), has_orders=has_orders):
                if after in seen:
                    continue
                seen.add(after)
                if after & 3 != IN:
                    yield after
                    stack.append(after)
                    continue
                chunk, place = weave.find(after >> 2)
                start = chunk.starts[place]
                yield point(start, IN)
                if last is None or weave.position(start) < last:
                    stack.append(point(start + chunk.sizes[place] - 1, TEXT))

    def _after(self, where: int, *, has_orders: bool) -> Iterator[int]:
        """Yield the points after the text or the out of a run's last line."""
        if where & 3 == TEXT:
            yield where + OUT - TEXT
        else:
            yield from self._next(where >> 2)
        for start in self._blocks(where):
            yield point(start, IN)
        if has_orders:
            for line in self._orders(where):
                yield point(line, IN)

    def _next(self, line: int) -> Iterator[int]:
        """Yield what the block of a line puts after its out."""
        blocks = self.graph.deeds[line >> SHIFT].blocks
        block = blocks[bisect_right(blocks, (line + 1,)) - 1]
        if line + 1 < block.start + block.size:
            yield point(line + 1, IN)
        elif block.right != EDGE:
            yield block.right

    def _blocks(self, where: int) -> Iterator[int]:
        state = self.state
        for block in self.graph.anchored.get(where, ()):
            if block.start >> SHIFT in state:
                yield block.start

    def _orders(self, where: int) -> Iterator[int]:
        """Yield the lines that orders put after a point."""
        state, replacing = self.state, self.graph.replacing
        for change, place, line in self.graph.leading.get(where, ()):
            if change in state and not any(
                c in state for c in replacing.get((change, place), ())
            ):
                yield line
