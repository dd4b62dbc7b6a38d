"""Sides: who makes what of a region (spec: conflicts, C11 to C16, C32). Pure.

A side is its region alone, rendered in a smaller state.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from oxy.typed import Final, NamedTuple

from oxy.graph.dispute import MANY, Dispute
from oxy.graph.division import Division, Region
from oxy.graph.found import Found
from oxy.graph.lineset import LineSet
from oxy.graph.lore import Lore
from oxy.graph.net import Net, bits
from oxy.graph.pairs import open_pairs
from oxy.graph.part import Part
from oxy.graph.reading import Conflict, Reading, Side, Twin, extend
from oxy.graph.text import Span
from oxy.graph.thin import HEAD
from oxy.graph.weave import SHIFT

DEPTH: Final = 5
"""How deep sides that are in conflict themselves are taken apart."""


class _Item(NamedTuple):
    """A live run as it reads, or the sides of a conflict."""

    spans: tuple[Span, ...]
    sides: tuple[Side, ...] = ()


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
        return _span(self.net, run)

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
        dispute = Dispute(self.division, region, self.lore)
        heads = dispute.heads
        if len(heads) < MANY:
            sides = self._named_sides(region)
        elif self.depth >= DEPTH:
            spans = tuple(map(self._span, self._sorted(region.live)))
            sides = [Side(head, spans) for head in heads]
        else:
            shares = dispute.shares()
            sides = [side for head in heads for side in self._sides(shares.side(head), head)]
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
            dead = sorted((region.runs & self.division.bad) - set(region.live))
            self.twins.append(Twin(least.spans, hidden, tuple(map(self._span, dead))))
        yield from (_Item((span,)) for span in least.spans)

    def _sides(self, part: Part, head: int) -> list[Side]:
        """Return what a head makes of a region, as more than one side where it conflicts."""
        found = open_pairs(part)
        if not found.is_open and part.is_total():
            return [Side(head, tuple(_span(part, run) for run in part.live()))]
        options: list[tuple[Span, ...]] = [()]
        for item in _Renderer(part, found, self.lore, self.depth + 1).items():
            readings = [side.spans for side in item.sides] or [item.spans]
            options = [(*option, *spans) for option in options for spans in readings]
        return [Side(head, option) for option in options]

    def _base(self, region: Region) -> tuple[Span, ...]:
        """Return what all sides of a region know of it; where that conflicts, its base."""
        dispute = Dispute(self.division, region, self.lore)
        if len(dispute.heads) < MANY or self.depth >= DEPTH:
            bad = self.division.bad
            return tuple(self._span(run) for run in region.live if run not in bad)
        part = dispute.shares().base()
        return tuple(_Renderer(part, open_pairs(part), self.lore, self.depth + 1).common())

    def _named_sides(self, region: Region) -> list[Side]:
        """Return a side for each named change: the live runs without those of the others."""
        net = self.net
        bad = region.runs & self.division.bad
        named = {net.starts[run] >> SHIFT for run in bad if net.alive[run]}
        named |= self.division.found.deletions(bad)
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


def _span(net: Net, run: int) -> Span:
    return Span(net.starts[run], net.sizes[run])


def bases_of_net(net: Net, found: Found, lore: Lore) -> tuple[tuple[Span, ...], ...]:
    """Return what the sides of each conflict of a net share, in the order of the text."""
    return tuple(_Renderer(net, found, lore, 0).bases())


def render_net(
    net: Net, found: Found, lore: Lore, passed: Mapping[int, Sequence[Span]]
) -> Reading:
    """Return the reading of a net that has open pairs or runs without an order.

    Args:
        net: the net.
        found: its open pairs.
        lore: what is asked of the world.
        passed: live lines that are not in the net, by the first line of the run before them.
    """
    renderer = _Renderer(net, found, lore, 0)
    starts: list[int] = []
    sizes: list[int] = []
    conflicts: list[Conflict] = []
    for start, size in passed.get(HEAD, ()):
        extend(starts, sizes, start, size)
    for item in renderer.items():
        if item.sides:
            conflicts.append(Conflict(len(starts), item.sides))
        for start, size in item.spans:
            if conflicts and conflicts[-1].position == len(starts):
                starts.append(start)
                sizes.append(size)
            else:
                extend(starts, sizes, start, size)
            for more in passed.get(start, ()):
                extend(starts, sizes, *more)
    return Reading(starts, sizes, tuple(conflicts), tuple(renderer.twins))
