"""Sides: who makes what of a region (spec: conflicts, C11 to C16, C32). Pure.

A side is its region alone, rendered in a smaller state.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from pyroaring import BitMap

from oxy.graph.division import Division, Region
from oxy.graph.lineset import LineSet
from oxy.graph.lore import Lore
from oxy.graph.net import Net, bits
from oxy.graph.pairs import Found, open_pairs
from oxy.graph.part import SPENT, Part
from oxy.graph.reading import Conflict, Reading, Side, Twin, extend
from oxy.graph.text import Span, TextGraph
from oxy.graph.weave import SHIFT

DEPTH: Final = 5
"""How deep sides that are in conflict themselves are taken apart."""
MANY: Final = 2
"""Heads that make sides."""


class _Item(NamedTuple):
    """A live run as it reads, or the sides of a conflict."""

    spans: tuple[Span, ...]
    sides: tuple[Side, ...] = ()


class _Dispute(NamedTuple):
    """What is known of the changes of a region.

    Attributes:
        heads: the named changes that no other of them knows, by id.
        known: for each named change those that it knows.
        involved: the changes that have lines in the region or delete some, and the named.
        spent: the dead runs that a change deletes which knows all heads.
    """

    heads: list[int]
    known: dict[int, BitMap]
    involved: set[int]
    spent: frozenset[int]


class _Renderer:
    """Renders one net; sides are rendered by renderers of smaller ones."""

    __slots__ = ("depth", "division", "lore", "net", "twins")

    def __init__(self, net: Net, found: Found, lore: Lore, depth: int) -> None:
        self.net = net
        self.lore = lore
        self.depth = depth
        self.division = Division(net, found)
        self.twins: list[Twin] = []

    def items(self) -> Iterator[_Item]:
        """Yield the text in order, conflicts among it."""
        for part in self.division.parts():
            if isinstance(part, Region):
                yield from self._region(part)
            else:
                yield _Item((self._span(part),))

    def bases(self) -> Iterator[tuple[Span, ...]]:
        """Yield what the sides of each conflict share."""
        for part in self.division.parts():
            if isinstance(part, Region) and any(item.sides for item in self._region(part)):
                yield self._base(part)

    def common(self) -> Iterator[Span]:
        """Yield the text in order, and in place of each conflict its base."""
        for part in self.division.parts():
            if not isinstance(part, Region):
                yield self._span(part)
                continue
            items = list(self._region(part))
            if any(item.sides for item in items):
                yield from self._base(part)
            else:
                yield from (span for item in items for span in item.spans)

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

    def _region(self, region: Region) -> Iterator[_Item]:
        dispute = self._dispute(region)
        heads = dispute.heads
        if len(heads) > 1:
            sides = [side for head in heads for side in self._side(region, dispute, head)]
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

    def _dispute(self, region: Region) -> _Dispute:
        net, lore = self.net, self.lore
        named = self.division.named(region)
        known = {change: lore.knows(change, net.whole) for change in named}
        beneath = BitMap.union(*known.values()) if known else BitMap()
        heads = sorted(named - set(beneath), key=lore.rank)
        spent = self._spent(region, heads, beneath) if len(heads) > 1 else frozenset()
        involved = set(named)
        for run in region.runs - spent:
            involved.add(net.starts[run] >> SHIFT)
            involved.update(net.counting(net.fates[run]))
        return _Dispute(heads, known, involved, spent)

    def _spent(self, region: Region, heads: Sequence[int], beneath: BitMap) -> frozenset[int]:
        net, lore = self.net, self.lore
        late: dict[int, bool] = {}
        spent: set[int] = set()
        for run in region.runs:
            for change in net.counting(net.fates[run]):
                if change not in late:
                    known = None if change in beneath else lore.knows(change, net.whole)
                    late[change] = known is not None and all(head in known for head in heads)
                if late[change]:
                    spent.add(run)
        return frozenset(spent)

    def _side(self, region: Region, dispute: _Dispute, head: int) -> list[Side]:
        """Return what a head makes of the region, as more than one side where it conflicts."""
        net, lore = self.net, self.lore
        if self.depth >= DEPTH:
            return [Side(head, tuple(map(self._span, self._sorted(region.live))))]
        own = dispute.known[head]
        apart = [
            change
            for change in dispute.involved
            if change != head
            and change not in own
            and head not in (dispute.known.get(change) or lore.knows(change, net.whole))
        ]
        options: list[tuple[Span, ...]] = [()]
        for item in self._without(region, dispute, apart).items():
            readings = [side.spans for side in item.sides] or [item.spans]
            options = [(*option, *spans) for option in options for spans in readings]
        return [Side(head, option) for option in options]

    def _without(self, region: Region, dispute: _Dispute, apart: Sequence[int]) -> "_Renderer":
        """Return what renders a region alone, in the state without changes that are apart."""
        net = self.net
        gone = dependents(net.graph, apart, net.state)
        rows = [
            (net.starts[run], net.sizes[run], SPENT if run in dispute.spent else net.fates[run])
            for run in sorted(region.runs)
            if net.starts[run] >> SHIFT not in gone
        ]
        part = Part(net.graph, net.whole - gone, rows)
        return _Renderer(part, open_pairs(part), self.lore, self.depth + 1)

    def _base(self, region: Region) -> tuple[Span, ...]:
        """Return what all sides of a region know of it; where that conflicts, its base."""
        dispute = self._dispute(region)
        if len(dispute.heads) < MANY or self.depth >= DEPTH:
            open_runs = self.division.bad
            return tuple(self._span(run) for run in region.live if run not in open_runs)
        shared = BitMap.intersection(*(dispute.known[head] for head in dispute.heads))
        apart = [change for change in dispute.involved if change not in shared]
        return tuple(self._without(region, dispute, apart).common())

    def _named_sides(self, region: Region) -> list[Side]:
        """Return a side for each named change: the live runs without those of the others."""
        net = self.net
        bad = region.runs & self.division.bad
        named = {net.starts[run] >> SHIFT for run in bad if net.alive[run]}
        named |= {pair.deletion for pair in self.division.found.pairs if pair.run in bad}
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

    def _hidden(self, region: Region, shown: Side) -> tuple[Span, ...]:
        return LineSet(shown.spans).without(self._span(run) for run in region.live)


def dependents(graph: TextGraph, changes: Iterable[int], state: BitMap) -> BitMap:
    """Return changes and all in a state that depend on them. Cost: the changes of the text."""
    found = BitMap(changes) & state
    for change in state:
        if any(need in found for need in graph.deeds[change].needs):
            found.add(change)
    return found


def bases_of_net(net: Net, found: Found, lore: Lore) -> tuple[tuple[Span, ...], ...]:
    """Return what the sides of each conflict of a net share, in the order of the text."""
    return tuple(_Renderer(net, found, lore, 0).bases())


def render_net(net: Net, found: Found, lore: Lore) -> Reading:
    """Return the reading of a net that has open pairs or runs without an order."""
    renderer = _Renderer(net, found, lore, 0)
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
