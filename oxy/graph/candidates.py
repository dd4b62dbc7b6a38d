"""What a merge that somebody else resolved may have kept (spec: git-bridge, GB39).

A merge commit of Git says what the result is, and not what it thought of the sides. So the
result is compared with every line that is alive at the union or in one of the parents, in an
order that depends on nothing local. Pure.
"""

from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from pyroaring import BitMap

from oxy.graph.found import Found
from oxy.graph.net import NOWHERE, Net
from oxy.graph.pairs import open_pairs
from oxy.graph.reading import Conflict, Reading, Side, extend
from oxy.graph.text import Span, TextGraph
from oxy.graph.weave import SHIFT


def candidates(
    graph: TextGraph,
    state: BitMap,
    parents: Sequence[BitMap],
    rank: Callable[[int], bytes],
) -> Reading:
    """Return what a union of states reads; where it is in dispute, all that its parents hold.

    A stretch in dispute is a conflict of one side, which no user is ever shown: recording on it
    settles everything in it.

    Args:
        graph: the text.
        state: the union.
        parents: the states that are united, each of which reads clean.
        rank: the id of a change.

    Cost: the runs of the text.
    """
    net = Net(graph, state)
    common = state
    for parent in parents:
        common = common & parent
    fresh = state - common
    found = open_pairs(net, fresh, inherits=True)
    loose = set() if net.is_total() else _loose(net)
    if not found.is_open and not loose:
        starts: list[int] = []
        sizes: list[int] = []
        for run in net.live():
            extend(starts, sizes, net.starts[run], net.sizes[run])
        return Reading(starts, sizes)
    reading = _with_disputes(net, found, loose, _alive_in(graph, net, parents), rank)
    reading.fresh = fresh
    return reading


def _loose(net: Net) -> set[int]:
    """Return the live runs that have not one order with every other.

    Where the weave puts what has no order is local, so neighbours in it do not tell. Cost: a
    search between two neighbours for each run; more among runs without an order.
    """
    live = net.live()
    if net.has_cycle:
        return set(live) - net.ordered(live, live)
    forth = _behind_all(live, net.leads)
    back = _behind_all(live[::-1], lambda later, earlier: net.leads(earlier, later))
    return set(live) - (forth & back)


def _behind_all(runs: Sequence[int], leads: Callable[[int, int], bool]) -> set[int]:
    """Return the runs that every run before them in the sequence leads to."""
    found: set[int] = set()
    last: list[int] = []
    for run in runs:
        apart = [other for other in last if not leads(other, run)]
        if not apart:
            found.add(run)
        last = [*apart, run]
    return found


def _alive_in(graph: TextGraph, net: Net, parents: Sequence[BitMap]) -> list[bool]:
    """Return which runs are alive at the union or in a parent."""
    kept = list(net.alive)
    for parent in parents:
        known: dict[int, bool] = {}
        for run, fate in enumerate(net.fates):
            if kept[run] or net.starts[run] >> SHIFT not in parent:
                continue
            if fate not in known:
                known[fate] = graph.is_alive(fate, parent)
            kept[run] = known[fate]
    return kept


def _with_disputes(
    net: Net, found: Found, loose: set[int], kept: list[bool], rank: Callable[[int], bytes]
) -> Reading:
    starts: list[int] = []
    sizes: list[int] = []
    conflicts: list[Conflict] = []
    for run in sorted_runs(net, rank):
        if not kept[run]:
            continue
        span = Span(net.starts[run], net.sizes[run])
        if net.alive[run] and run not in found.drawn and run not in loose:
            starts.append(span.start)
            sizes.append(span.size)
        elif conflicts and conflicts[-1].position == len(starts):
            side = conflicts[-1].sides[0]
            conflicts[-1] = Conflict(len(starts), (Side(0, (*side.spans, span)),))
        else:
            conflicts.append(Conflict(len(starts), (Side(0, (span,)),)))
    if not conflicts:
        conflicts.append(Conflict(len(starts), (Side(0, ()),)))
    return Reading(starts, sizes, tuple(conflicts))


def sorted_runs(net: Net, rank: Callable[[int], bytes]) -> list[int]:
    """Return the runs in the order of the edges; what they leave open, by change id and line.

    A block goes on before another begins, so where runs were cut makes no difference.
    """
    return _Sort(net, rank).run()


class _Sort:
    """A topological sort of the nodes of a net."""

    __slots__ = ("_done", "_missing", "_net", "_next", "_rank", "_ready", "found")

    def __init__(self, net: Net, rank: Callable[[int], bytes]) -> None:
        self._net = net
        self._rank = rank
        self._missing = [0] * (2 * len(net.starts))
        self._done = bytearray(2 * len(net.starts))
        self._ready: list[tuple[bytes, int, int]] = []
        self._next = NOWHERE
        self.found: list[int] = []
        for node in range(len(self._missing)):
            for after in net.after_node(node):
                self._missing[after] += 1

    def run(self) -> list[int]:
        """Return the runs in order."""
        for node in range(0, len(self._missing), 2):
            if not self._missing[node]:
                self._push(node)
        while len(self.found) < len(self._net.starts):
            if self._next != NOWHERE:
                node, self._next = self._next, NOWHERE
            elif self._ready:
                node = heappop(self._ready)[2]
            else:
                node = min(
                    range(0, len(self._done), 2), key=lambda n: (self._done[n], self._key(n))
                )
            if not self._done[node]:
                self.found.append(node >> 1)
                self._finish(node)
        return self.found

    def _key(self, node: int) -> tuple[bytes, int, int]:
        line = self._net.starts[node >> 1]
        return self._rank(line >> SHIFT), line, node

    def _push(self, node: int) -> None:
        heappush(self._ready, self._key(node))

    def _finish(self, node: int) -> None:
        stack = [node]
        while stack:
            at = stack.pop()
            self._done[at] = 1
            for after in self._net.after_node(at):
                self._missing[after] -= 1
                if self._missing[after] or self._done[after]:
                    continue
                if after & 1:
                    stack.append(after)
                elif self._goes_on(at, after):
                    self._next = after
                else:
                    self._push(after)

    def _goes_on(self, at: int, after: int) -> bool:
        starts, sizes = self._net.starts, self._net.sizes
        return bool(at & 1) and starts[at >> 1] + sizes[at >> 1] == starts[after >> 1]
