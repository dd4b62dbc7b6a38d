"""What a merge that somebody else resolved may have kept (spec: git-bridge, GB39).

A merge commit of Git says what the result is, and not what it thought of the sides. So the
result is compared with every line that is alive at the union or in one of the parents, in an
order that depends on nothing local. Pure.
"""

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush

from pyroaring import BitMap

from oxy.graph.found import Found
from oxy.graph.net import NOWHERE, Net
from oxy.graph.pairs import open_pairs
from oxy.graph.reading import Conflict, Reading, Side
from oxy.graph.render import survivors
from oxy.graph.text import Span, TextGraph
from oxy.graph.thin import above
from oxy.graph.weave import SHIFT


def candidates(
    graph: TextGraph,
    state: BitMap,
    parents: Sequence[BitMap],
    rank: Callable[[int], bytes],
    grounds: Iterable[BitMap] = (),
) -> Reading:
    """Return what a union of states reads; where it is in dispute, all that its parents hold.

    A stretch in dispute is a conflict of one side, which no user is ever shown: recording on it
    settles everything in it.

    Args:
        graph: the text.
        state: the union.
        parents: the states that are united, each of which reads clean.
        rank: the id of a change.
        grounds: states below all parents that read clean; the first that is enough is taken,
            and no other is asked for. There are some unless the parents' changes are oxy's own.

    Cost: the runs of the text; above a ground, a glance at each of them.
    """
    rest = iter(grounds)
    ground = next(rest, None)
    if ground is not None and _is_clean(graph, state, parents):
        return survivors(graph, state)
    thin: Net | None = None
    while ground is not None and thin is None:
        thin = above(graph, state, ground)
        ground = ground if thin is not None else next(rest, None)
    net = thin or Net(graph, state)
    fresh = state - BitMap.intersection(state, *parents)
    found = open_pairs(net, fresh)
    loose = set() if net.is_total() else _loose(net)
    if not found.is_open and not loose:
        return survivors(graph, state)
    reading = _with_disputes(net, found, loose, _alive_in(graph, net, parents), rank)
    reading.fresh = fresh
    reading.ground = ground
    reading.net = net, len(graph.weave)
    return reading


def _is_clean(graph: TextGraph, state: BitMap, parents: Sequence[BitMap]) -> bool:
    """Return whether a union surely reads in one way, as seen from the largest of its parents.

    Cost: what the others have more, and a glance at each run.
    """
    largest = max(parents, key=graph.touched.intersection_cardinality)
    net = above(graph, state, largest, is_whole=False)
    return net is not None and net.is_total() and not open_pairs(net).is_open


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
    for run in sorted_runs(net, kept, rank):
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


def sorted_runs(net: Net, kept: Sequence[bool], rank: Callable[[int], bytes]) -> list[int]:
    """Return the runs that are kept in the order of the edges.

    What the edges leave open, lines decide: those of the change that the last one was of come
    first, then those of the smallest change id, each by number. So neither where runs were cut
    nor which lines there are besides makes a difference.
    """
    return _Sort(net, kept, rank).run()


class _Sort:
    """A topological sort of the kept runs of a net."""

    __slots__ = ("_done", "_kept", "_missing", "_net", "_owner", "_owners", "_rank", "_ready")

    def __init__(self, net: Net, kept: Sequence[bool], rank: Callable[[int], bytes]) -> None:
        self._net = net
        self._kept = kept
        self._rank = rank
        self._missing = [0] * (2 * len(net.starts))
        self._done = bytearray(2 * len(net.starts))
        self._owner = NOWHERE
        self._owners: list[tuple[bytes, int]] = []
        """The changes that have runs whose turn may be next, by id."""
        self._ready: dict[int, list[tuple[int, int]]] = {}
        """By change, the lines whose turn may be next, and their runs."""
        for targets in net.targets():
            for after in targets:
                self._missing[after] += 1

    def run(self) -> list[int]:
        """Return the kept runs in order."""
        found: list[int] = []
        first = [n for n in range(0, len(self._missing), 2) if not self._missing[n]]
        for node in first:
            self._arrive(node)
        count = sum(self._kept)
        while len(found) < count:
            run = self._next()
            if not self._done[2 * run]:
                found.append(run)
                self._finish(2 * run)
        return found

    def _next(self) -> int:
        """Return the run whose turn it is; the smallest where edges lead round in a ring."""
        ready = self._ready.get(self._owner)
        while not ready and self._owners:
            self._owner = heappop(self._owners)[1]
            ready = self._ready.get(self._owner)
        if ready:
            return heappop(ready)[1]
        return min(
            (run for run, is_kept in enumerate(self._kept) if is_kept),
            key=lambda run: (self._done[2 * run], self._key(run)),
        )

    def _key(self, run: int) -> tuple[bytes, int]:
        line = self._net.starts[run]
        return self._rank(line >> SHIFT), line

    def _arrive(self, node: int) -> None:
        """Take a run whose turn may be next; one that is not kept has its turn at once."""
        run = node >> 1
        if not self._kept[run]:
            self._finish(node)
            return
        line = self._net.starts[run]
        owner = line >> SHIFT
        ready = self._ready.setdefault(owner, [])
        if not ready and owner != self._owner:
            heappush(self._owners, (self._rank(owner), owner))
        heappush(ready, (line, run))

    def _finish(self, node: int) -> None:
        """Let go of what comes after a node."""
        targets, missing, done = self._net.targets(), self._missing, self._done
        stack = [node]
        while stack:
            at = stack.pop()
            done[at] = 1
            for after in targets[at]:
                missing[after] -= 1
                if missing[after] or done[after]:
                    continue
                if after & 1 or not self._kept[after >> 1]:
                    stack.append(after)
                else:
                    self._arrive(after)
