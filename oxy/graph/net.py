"""The runs of one state with the edges between them (spec: graph, G14, G29, G30). Pure.

Every run has two nodes: `2 * i`, its in and text, and `2 * i + 1`, its out. What lies inside
the run's last line is reached from the first and reaches the second. Every point that an edge
names is at an end of a run, since applying cuts there.
"""

from collections.abc import Iterable, Iterator, Sequence

from pyroaring import BitMap

from oxy.graph.closure import closure, components
from oxy.graph.finder import Finder
from oxy.graph.orders import effective_orders
from oxy.graph.text import EDGE, Claim, Deletion, Span, TextGraph
from oxy.graph.weave import SHIFT
from oxy.model.operation import OUT, TEXT

NOWHERE = -1
"""In place of the node after a run: END."""


class Net:
    """The runs of a state, in weave order, as a directed graph."""

    __slots__ = (
        "_back",
        "_places",
        "_reach",
        "_sources",
        "_targets",
        "alive",
        "edges",
        "ends",
        "fates",
        "finder",
        "following",
        "graph",
        "ground",
        "has_cycle",
        "index",
        "is_bent",
        "order",
        "sizes",
        "starts",
        "state",
        "whole",
    )

    def __init__(
        self,
        graph: TextGraph,
        state: BitMap,
        *,
        has_orders: bool = True,
        finder: Finder | None = None,
        ground: BitMap | None = None,
    ) -> None:
        """Take what a state has. Cost: the runs of the text and the edges of the state."""
        self._start(finder or Finder(graph), ground)
        self.graph = graph
        self.whole = state
        """The state, with the changes that did not touch the text."""
        self.state = state & graph.touched
        self.starts: list[int] = []
        self.sizes: list[int] = []
        self.fates: list[int] = []
        self.alive: list[bool] = []
        self.index: dict[int, int] = {}
        """The run that begins at a line."""
        self.ends: dict[int, int] = {}
        """The run that ends before a line."""
        self.edges: dict[int, list[int]] = {}
        """The nodes after a node, but for those that the run's own block says."""
        self.is_bent = False
        """Whether an order edge goes against the weave."""
        self.has_cycle = False
        """Whether order edges contradict each other or the insert edges."""
        self._take_runs()
        self.following = [NOWHERE] * len(self.starts)
        """The node that a run's own block puts after its out."""
        self._take_blocks()
        self.order: Sequence[int] = range(len(self.starts))
        """The runs in an order that no edge contradicts, unless there is a cycle."""
        if has_orders:
            self._take_orders()
        if self.is_bent:
            self._sort()

    def _start(self, finder: Finder, ground: BitMap | None) -> None:
        """Begin without what is worked out when it is asked for."""
        self.finder = finder
        """What is looked up of the changes."""
        self.ground = ground
        """The state below, if any, of which only live runs are here (`oxy.graph.thin`)."""
        self._reach: list[int] | None = None
        self._back: list[int] | None = None
        self._places: list[int] | None = None
        self._sources: list[list[int]] | None = None
        self._targets: list[list[int]] | None = None

    def _take_runs(self) -> None:
        everything = self.state == self.graph.touched
        present = set(self.state)
        known: dict[int, bool] = {}
        for chunk in self.graph.weave.chunks:
            starts, sizes, fates = chunk.starts, chunk.sizes, chunk.fates
            if not everything:
                here = [start >> SHIFT in present for start in starts]
                if not all(here):
                    starts = [x for x, is_here in zip(starts, here, strict=True) if is_here]
                    sizes = [x for x, is_here in zip(sizes, here, strict=True) if is_here]
                    fates = [x for x, is_here in zip(fates, here, strict=True) if is_here]
            self.starts += starts
            self.sizes += sizes
            self.fates += fates
        for fate in set(self.fates):
            known[fate] = self.graph.is_alive(fate, self.state)
        self.alive = [known[fate] for fate in self.fates]
        runs = range(len(self.starts))
        self.index = dict(zip(self.starts, runs, strict=True))
        ends = map(int.__add__, self.starts, self.sizes)
        self.ends = dict(zip(ends, runs, strict=True))

    def _take_blocks(self) -> None:
        index, ends, edges, deeds = self.index, self.ends, self.edges, self.graph.deeds
        rights: dict[int, int] = {}
        for change in self.state:
            for start, size, left, right in deeds[change].blocks:
                rights[start + size] = right
                if left != EDGE:
                    node = 2 * ends[(left >> 2) + 1] + (left & 3 != TEXT)
                    edges.setdefault(node, []).append(2 * index[start])
        following = self.following
        for end, run in ends.items():
            right = rights.get(end, end << 2)
            if right == EDGE:
                continue
            if right & 3 == OUT:
                following[run] = 2 * ends[(right >> 2) + 1] + 1
            else:
                following[run] = 2 * index[right >> 2]

    def _take_orders(self) -> None:
        for a, b, inside in effective_orders(self.graph, self.state):
            before, after = self.ends[a + 1], self.index[b]
            self.edges.setdefault(2 * before + (not inside), []).append(2 * after)
            self.is_bent = self.is_bent or before >= after

    def _sort(self) -> None:
        found = [
            [node >> 1 for node in component if not node & 1]
            for component in components(self.targets())
        ]
        self.has_cycle = any(len(runs) > 1 for runs in found)
        self.order = [run for runs in reversed(found) for run in runs]

    def runs_in(self, start: int, size: int) -> list[int]:
        """Return the indexes of the runs in a range of one change's lines.

        A range that is named weakly may go beyond them (see `TextGraph`).
        """
        index, sizes = self.index, self.sizes
        runs: list[int] = []
        run = index.get(start)
        while run is not None:
            runs.append(run)
            size -= sizes[run]
            if size <= 0:
                break
            start += sizes[run]
            run = index.get(start)
        return runs

    def deletions(self, changes: BitMap) -> Iterator[tuple[int, Deletion]]:
        """Yield what some changes delete here."""
        for change in changes & self.state:
            for deletion in self.graph.deeds[change].deletions:
                yield change, deletion

    def claims(self) -> Iterator[Claim]:
        """Yield what is settled about the lines here."""
        state = self.state
        for owner, claims in self.graph.claims.items():
            if owner in state:
                yield from (claim for claim in claims if claim.change in state)

    def kept(self) -> Iterator[tuple[Span, int]]:
        """Yield the lines here that were restored or kept on purpose, and by whom."""
        state = self.state
        for owner, entries in self.graph.kept.items():
            if owner in state:
                yield from (entry for entry in entries if entry[1] in state)

    def counting(self, fate: int) -> tuple[int, ...]:
        """Return the deletions of a fate that count."""
        return self.finder.counting(fate, self.state)

    def after_node(self, node: int) -> Iterator[int]:
        """Yield the nodes that edges lead to from a node."""
        if not node & 1:
            yield node + 1
        elif self.following[node >> 1] != NOWHERE:
            yield self.following[node >> 1]
        yield from self.edges.get(node, ())

    def live(self) -> list[int]:
        """Return the live runs as `order` has them."""
        alive = self.alive
        return [run for run in self.order if alive[run]]

    def is_total(self) -> bool:
        """Return whether the live runs have one order.

        Cost: one step for each two live neighbours, and the ghosts between them. Where orders
        contradict each other: the closure.
        """
        live = self.live()
        if self.has_cycle:
            return len(self.ordered(live, live)) == len(live)
        places = self.places()
        following, edges = self.following, self.edges
        before = NOWHERE
        for run in live:
            if (
                before != NOWHERE
                and following[before] != 2 * run
                and 2 * run not in edges.get(2 * before + 1, ())
                and not self._is_next(before, run, places)
            ):
                return False
            before = run
        return True

    def places(self) -> Sequence[int]:
        """Return where each run stands in `order`."""
        if not self.is_bent:
            return self.order
        if self._places is None:
            self._places = [0] * len(self.order)
            for place, run in enumerate(self.order):
                self._places[run] = place
        return self._places

    def leads_any(self, befores: Sequence[int], afters: Sequence[int]) -> bool:
        """Return whether one of some runs comes before one of others. Cost: as `leads` has."""
        if self.has_cycle:
            return any(self.follows(a, b) for a in befores for b in afters)
        if not afters:
            return False
        places = self.places()
        last = max(places[run] for run in afters)
        starts = [2 * run for run in befores if places[run] < last]
        return self.meets(starts, {2 * run for run in afters}, last)

    def between(self, runs: Sequence[int]) -> set[int]:
        """Return the runs that come after one of some runs, and are placed before another.

        Where orders contradict each other, no place says anything, and all that come after one
        are returned. Cost: the runs placed between; on a cycle, the closure.
        """
        if self.has_cycle:
            every = range(len(self.starts))
            return {run for run in every if any(self.follows(x, run) for x in runs)}
        if not runs:
            return set()
        places, after_node = self.places(), self.after_node
        last = max(places[run] for run in runs)
        stack = [2 * run for run in runs]
        seen = set(stack)
        found: set[int] = set()
        while stack:
            for node in after_node(stack.pop()):
                if node in seen or (not node & 1 and places[node >> 1] >= last):
                    continue
                seen.add(node)
                stack.append(node)
                if not node & 1:
                    found.add(node >> 1)
        return found

    def leads(self, before: int, after: int) -> bool:
        """Return whether one run comes before another.

        Cost: the runs placed between them; where orders contradict each other, the closure.
        """
        if self.has_cycle:
            return self.follows(before, after)
        if self.following[before] == 2 * after:
            return True
        places = self.places()
        return places[before] < places[after] and self._is_next(before, after, places)

    def is_reached(self, node: int, after: int) -> bool:
        """Return whether a run comes after a node of a run. Cost: the runs placed between."""
        return self.meets([node], {2 * after}, self.places()[after])

    def _is_next(self, before: int, after: int, places: Sequence[int]) -> bool:
        """Return whether one run reaches another; only runs placed between are looked at."""
        return self.meets([2 * before], {2 * after}, places[after])

    def meets(self, stack: list[int], goals: set[int], last: int) -> bool:
        """Return whether nodes lead to one of others by runs placed before `last`.

        Cost: these runs.
        """
        places, after_node = self.places(), self.after_node
        seen = set(stack)
        while stack:
            for node in after_node(stack.pop()):
                if node in goals:
                    return True
                if node not in seen and (node & 1 or places[node >> 1] < last):
                    seen.add(node)
                    stack.append(node)
        return False

    def follows(self, before: int, after: int) -> bool:
        """Return whether one run comes after another. Cost: the first call's closure."""
        return self.reach[before] >> after & 1 == 1

    def ordered(self, runs: Iterable[int], scope: Iterable[int]) -> frozenset[int]:
        """Return those of some runs that have exactly one order with everything in scope."""
        reach, back, sizes = self.reach, self.back, self.sizes
        mask = bits(scope)
        return frozenset(
            run
            for run in runs
            if (reach[run] ^ back[run]) & mask == mask & ~(1 << run)
            and (sizes[run] == 1 or not reach[run] >> run & 1)
        )

    @property
    def reach(self) -> list[int]:
        """For each run the runs that come after it, as the bits of one integer."""
        if self._reach is None:
            self._reach = closure(self.targets())[::2]
        return self._reach

    def inside(self, outer: int) -> set[int]:
        """Return the runs whose out precedes the out of a run, if any lies inside that.

        Those that come before it are among them. Cost: the edges, unless nothing lies inside.
        """
        if 2 * outer not in self.edges:
            return set()
        sources = self.sources()
        stack = [2 * outer + 1]
        seen = set(stack)
        while stack:
            for node in sources[stack.pop()]:
                if node not in seen:
                    seen.add(node)
                    stack.append(node)
        return {node >> 1 for node in seen if node & 1} - {outer}

    @property
    def back(self) -> list[int]:
        """For each run the runs that come before it, as the bits of one integer."""
        if self._back is None:
            self._back = closure(self.sources())[::2]
        return self._back

    def targets(self) -> list[list[int]]:
        """Return for each node those that edges lead to from it. Cost: once, the edges."""
        if self._targets is None:
            self._targets = [list(self.after_node(n)) for n in range(2 * len(self.starts))]
        return self._targets

    def sources(self) -> list[list[int]]:
        """Return for each node those from which edges lead to it. Cost: as `targets` has."""
        if self._sources is None:
            targets = self.targets()
            self._sources = [[] for _ in targets]
            for node, followers in enumerate(targets):
                for follower in followers:
                    self._sources[follower].append(node)
        return self._sources


def bits(runs: Iterable[int]) -> int:
    """Return the integer that has the bits of runs."""
    mask = 0
    for run in runs:
        mask |= 1 << run
    return mask
