"""Regions and sides: how a conflict is cut out of a text and who makes what of it.

(spec: conflicts, C10 to C16.) A region reaches out to the nearest live runs that no rule names
and that are ordered against everything. Pure.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from pyroaring import BitMap

from oxy.graph.lineset import LineSet
from oxy.graph.lore import Lore
from oxy.graph.net import Net, bits
from oxy.graph.pairs import Found, open_pairs
from oxy.graph.reading import Conflict, Reading, Side, Twin, extend
from oxy.graph.text import Span, TextGraph
from oxy.graph.weave import SHIFT

DEPTH: Final = 5
"""How deep sides that are in conflict themselves are taken apart."""


class _Item(NamedTuple):
    """A live run as it reads, or the sides of a conflict."""

    spans: tuple[Span, ...]
    sides: tuple[Side, ...] = ()


class _Region(NamedTuple):
    """The runs of a conflict, live and dead."""

    runs: frozenset[int]
    live: tuple[int, ...]


class _Renderer:
    """Renders one net; sides are rendered by renderers of smaller states."""

    __slots__ = (
        "bad",
        "depth",
        "found",
        "lore",
        "net",
        "state",
        "twins",
        "unordered",
        "wanted",
    )

    def __init__(
        self,
        net: Net,
        state: BitMap,
        found: Found,
        lore: Lore,
        depth: int,
        wanted: frozenset[int] | None,
    ) -> None:
        self.net = net
        self.state = state
        """The whole state: what a change knows, it may know through one of another text."""
        self.found = found
        self.lore = lore
        self.depth = depth
        self.wanted = wanted
        """The first lines of the runs to be rendered, if not all: a side is of one region."""
        self.twins: list[Twin] = []
        live = net.live()
        self.unordered = frozenset(live) - net.ordered(live, live)
        self.bad = found.drawn | self.unordered

    def items(self) -> Iterator[_Item]:
        """Yield the text in order, conflicts among it."""
        net = self.net
        live = net.live()
        scope = [run for run in range(len(net.starts)) if net.alive[run] or run in self.bad]
        cuts = self._sorted(net.ordered(live, scope) - self.bad)
        between = self._intervals(cuts)
        for place, cut in enumerate((*cuts, None)):
            yield from self._between(between.get(place, []))
            if cut is not None and self._is_wanted([cut]):
                yield _Item((self._span(cut),))

    def _is_wanted(self, runs: Sequence[int]) -> bool:
        wanted = self.wanted
        return wanted is None or any(self.net.starts[run] in wanted for run in runs)

    def _span(self, run: int) -> Span:
        return Span(self.net.starts[run], self.net.sizes[run])

    def _sorted(self, runs: Iterable[int]) -> list[int]:
        """Return runs in their order; where there is none, by change id and line."""
        net, rank = self.net, self.lore.rank
        chosen = list(runs)
        mask = bits(chosen)

        def key(run: int) -> tuple[int, bytes, int]:
            before = (net.back[run] & ~net.reach[run] & mask).bit_count()
            return before, rank(net.starts[run] >> SHIFT), net.starts[run]

        return sorted(chosen, key=key)

    def _intervals(self, cuts: Sequence[int]) -> dict[int, list[int]]:
        """Return the runs between cuts, by the number of cuts before them."""
        net = self.net
        mask = bits(cuts)
        between: dict[int, list[int]] = {}
        for run in range(len(net.starts)):
            before = (net.back[run] & mask).bit_count()
            if not mask >> run & 1 and before + (net.reach[run] & mask).bit_count() == len(
                cuts
            ):
                between.setdefault(before, []).append(run)
        return between

    def _between(self, runs: Sequence[int]) -> Iterator[_Item]:
        if not self._is_wanted(runs):
            return
        live = tuple(run for run in runs if self.net.alive[run])
        if self.bad.isdisjoint(runs):
            yield from (_Item((self._span(run),)) for run in self._sorted(live))
        else:
            yield from self._region(_Region(frozenset(runs), live))

    def _region(self, region: _Region) -> Iterator[_Item]:
        involved, heads = self._involved(region)
        if len(heads) > 1:
            sides = [side for head in heads for side in self._side(region, involved, head)]
        else:
            sides = self._named_sides(region)
        texts: dict[bytes, list[Side]] = {}
        for side in sides:
            texts.setdefault(self.lore.text(side.spans), []).append(side)
        if not sides:
            yield from (_Item((self._span(run),)) for run in self._sorted(region.live))
            return
        if len(texts) > 1:
            yield _Item((), tuple(map(self._least, texts.values())))
            return
        least = self._least(sides)
        if len(heads) > 1 and not all(map(self._is_alive, least.spans)):
            yield _Item((), (least,))
            return
        if len(sides) > 1:
            hidden = self._hidden(region, least)
            self.twins.append(Twin(least.spans, hidden))
        yield from (_Item((span,)) for span in least.spans)

    def _involved(self, region: _Region) -> tuple[set[int], list[int]]:
        """Return the changes that the region involves, and the heads among those named."""
        net = self.net
        bad = region.runs & self.bad
        named = {net.starts[run] >> SHIFT for run in bad & self.unordered}
        for run, deletion, keeper in self.found.pairs:
            if run in bad:
                named |= {keeper or net.starts[run] >> SHIFT, deletion}
        involved = set(named)
        for run in region.runs:
            involved.add(net.starts[run] >> SHIFT)
            involved.update(net.graph.counting(net.fates[run], net.state))
        known = {change: self.lore.knows(change, self.state) for change in named}
        heads = [m for m in named if not any(m in known[o] for o in named if o != m)]
        return involved, sorted(heads, key=self.lore.rank)

    def _side(self, region: _Region, involved: Iterable[int], head: int) -> list[Side]:
        """Return what a head makes of the region, as more than one side where it conflicts."""
        net, lore, state = self.net, self.lore, self.state
        if self.depth >= DEPTH:
            return [Side(head, tuple(map(self._span, self._sorted(region.live))))]
        own = lore.knows(head, state)
        apart = [
            change
            for change in involved
            if change != head and change not in own and head not in lore.knows(change, state)
        ]
        rest = state - dependents(net.graph, apart, net.state)
        inside = LineSet(self._span(run) for run in region.runs)
        wanted = frozenset(net.starts[run] for run in region.runs)
        options: list[tuple[Span, ...]] = [()]
        for item in _items(net.graph, rest, lore, self.depth + 1, wanted):
            readings = [side.spans for side in item.sides] or [item.spans]
            clipped = [inside.clip(spans) for spans in readings]
            if any(clipped):
                options = [(*option, *spans) for option in options for spans in clipped]
        return [Side(head, option) for option in options]

    def _named_sides(self, region: _Region) -> list[Side]:
        """Return a side for each named change: the live runs without those of the others."""
        net = self.net
        bad = region.runs & self.bad
        named = {net.starts[run] >> SHIFT for run in bad if net.alive[run]}
        named |= {pair.deletion for pair in self.found.pairs if pair.run in bad}
        return [
            Side(
                change,
                tuple(
                    self._span(run)
                    for run in self._sorted(region.live)
                    if run not in bad or net.starts[run] >> SHIFT == change
                ),
            )
            for change in sorted(named, key=self.lore.rank)
        ]

    def _least(self, sides: Sequence[Side]) -> Side:
        """Return sides that read the same as one: the first one's, of the smallest lines."""
        rank = self.lore.rank
        spans = min(
            (side.spans for side in sides),
            key=lambda spans: [
                (rank(start >> SHIFT), line)
                for start, size in spans
                for line in range(start, start + size)
            ],
        )
        return Side(sides[0].change, spans)

    def _is_alive(self, span: Span) -> bool:
        return all(self.net.alive[run] for run in self.net.runs_in(*span))

    def _hidden(self, region: _Region, shown: Side) -> tuple[Span, ...]:
        return LineSet(shown.spans).without(self._span(run) for run in region.live)


def dependents(graph: TextGraph, changes: Iterable[int], state: BitMap) -> BitMap:
    """Return changes and all in a state that depend on them. Cost: the changes of the text."""
    found = BitMap(changes) & state
    for change in state:
        if any(need in found for need in graph.deeds[change].needs):
            found.add(change)
    return found


def _items(
    graph: TextGraph, state: BitMap, lore: Lore, depth: int, wanted: frozenset[int]
) -> Iterator[_Item]:
    net = Net(graph, state)
    found = open_pairs(net)
    if found.pairs or not net.is_total():
        yield from _Renderer(net, state, found, lore, depth, wanted).items()
        return
    for run in net.live():
        if net.starts[run] in wanted:
            yield _Item((Span(net.starts[run], net.sizes[run]),))


def render_net(net: Net, state: BitMap, found: Found, lore: Lore) -> Reading:
    """Return the reading of a state's net that has open pairs or runs without an order."""
    renderer = _Renderer(net, state, found, lore, 0, None)
    starts: list[int] = []
    sizes: list[int] = []
    conflicts: list[Conflict] = []
    for item in renderer.items():
        if item.sides:
            conflicts.append(Conflict(len(starts), item.sides))
        for start, size in item.spans:
            if conflicts and conflicts[-1].position == len(starts):
                starts.append(start)
                sizes.append(size)
            else:
                extend(starts, sizes, start, size)
    return Reading(starts, sizes, tuple(conflicts), tuple(renderer.twins))
