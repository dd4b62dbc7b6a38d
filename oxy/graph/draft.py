"""What edits of a reading ask for: what is kept, dropped and new, piece by piece.

(spec: graph, G17 to G21; conflicts, C17.) Pure.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from oxy.typed import Final, NamedTuple, TypeAlias

from pyroaring import BitMap

from oxy.graph.holding import Held, KeptConflictError, held
from oxy.graph.lineset import LineSet
from oxy.graph.net import Net
from oxy.graph.places import Place, flat_sides, places
from oxy.graph.reading import Reading
from oxy.graph.recorded import Source
from oxy.graph.text import Deletion, Span, TextGraph
from oxy.graph.thin import above, thinned
from oxy.graph.weave import SHIFT

Edits: TypeAlias = Sequence[tuple[int, int, int, int]]
"""(old line, lines dropped, new line, lines inserted), ascending and apart."""


def flat(reading: Reading) -> list[Span]:
    """Return the spans as edits number them: the sides of a conflict one after the other."""
    spans: list[Span] = []
    done = 0
    for conflict in reading.conflicts:
        spans += map(Span, reading.starts[done : conflict.position], reading.sizes[done:])
        done = conflict.position
        for fresh in flat_sides(conflict):
            spans += fresh
    spans += map(Span, reading.starts[done:], reading.sizes[done:])
    return spans


def _kept_places(reading: Reading, kept: frozenset[int], edits: Edits) -> tuple[Place, ...]:
    """Return where the kept conflicts stand, once no edit reaches into them."""
    every = places(reading)
    found = tuple(every[number] for number in sorted(kept))
    for number, place in zip(sorted(kept), found, strict=True):
        for old, dropped, _, _ in edits:
            if (
                old < place.last
                and old + dropped > place.first
                and (dropped or old > place.first)
            ):
                raise KeptConflictError(number, "an edit reaches into it")
    return found


def _resolved(reading: Reading, kept: frozenset[int]) -> Iterator[Span]:
    """Yield the lines of the conflicts that are not kept."""
    for place, conflict in enumerate(reading.conflicts):
        if place not in kept:
            for side in conflict.sides:
                yield from side.spans


_STANDS: Final = Source(0, None, None)
"""In place of where new lines come from: there are none."""


class Piece(NamedTuple):
    """Lines of the result: kept ones, new ones with what they replace, or a conflict."""

    kept: Span | None
    source: Source
    dropped: tuple[Span, ...] = ()
    held: Held | None = None
    """In place of lines: a conflict that is left alone."""


class Draft:
    """A change being worked out on one text."""

    __slots__ = (
        "_insert_net",
        "_is_thin",
        "change",
        "deletions",
        "graph",
        "helds",
        "is_conflict",
        "leans",
        "net",
        "old",
        "places",
        "reading",
        "shown",
        "state",
        "touched",
    )

    def __init__(
        self,
        graph: TextGraph,
        state: BitMap,
        reading: Reading,
        change: int,
        edits: Edits,
        kept: frozenset[int] = frozenset(),
    ) -> None:
        """Cut the weave where the edits cut, and take the nets of the state.

        Raises:
            KeptConflictError: an edit reaches into a conflict that is kept.
        """
        self.graph = graph
        self.state = state
        self.reading = reading
        self.change = change
        self.is_conflict = len(kept) < len(reading.conflicts)
        """Whether a conflict is resolved."""
        self.places = _kept_places(reading, kept, edits) if kept else ()
        spans = flat(reading)
        self.old = Reading([span.start for span in spans], [span.size for span in spans])
        self.shown = LineSet(_resolved(reading, kept))
        """The lines of the conflicts that are resolved."""
        self.deletions: list[Deletion] = []
        self.touched: list[Span] = []
        """The lines of the collapsed regions that the edits decide."""
        self.leans: dict[int, Span] = {}
        """Lines that are kept in the stead of others, by their change."""
        self._cut(edits)
        self._is_thin = not kept
        self._insert_net: Net | None = None
        self.net = self._net_with(spans)
        self.helds = held(self.net, reading, kept) if kept else []

    def net_of(self, state: BitMap) -> Net:
        """Return a state as a net, of what matters alone where that is enough.

        It is not where a conflict is kept, which has dead lines.
        """
        thin = self._thin_net(state) if self._is_thin else None
        self._is_thin = thin is not None
        return thin or Net(self.graph, state)

    def _thin_net(self, state: BitMap) -> Net | None:
        ground = self.reading.ground
        if ground is not None:
            return above(self.graph, state, ground)
        if self.reading.fresh is not None:
            return None
        return thinned(self.graph, state, is_whole=True)

    @property
    def has_orders(self) -> bool:
        """Whether the state has changes that order lines."""
        return not self.graph.ordering.isdisjoint(self.state)

    @property
    def insert_net(self) -> Net:
        """The state as a net of insert edges. Cost: where it has orders, all of it, once."""
        if self._insert_net is None:
            self._insert_net = self.net
            if self.has_orders:
                self._insert_net = Net(self.graph, self.state, has_orders=False)
        return self._insert_net

    def _net_with(self, spans: Iterable[Span]) -> Net:
        """Return the state as a net, of what matters alone where that has all of some lines."""
        self.net = self._net_of_reading() or self.net_of(self.state)
        if all(map(self._is_here, spans)):
            return self.net
        self._is_thin = False
        return Net(self.graph, self.state)

    def _net_of_reading(self) -> Net | None:
        """Return the net that what is read was found from, if the edits cut no more runs."""
        net, runs = self.reading.net or (None, 0)
        if net is None or net.graph is not self.graph or runs != len(self.graph.weave):
            return None
        is_thin = net.ground is not None
        if is_thin and not self._is_thin:
            return None
        self._is_thin = is_thin
        return net

    def _is_here(self, span: Span) -> bool:
        """Return whether all lines of a span are in the net."""
        runs = self.net.runs_in(*span)
        return sum(self.net.sizes[run] for run in runs) == span.size

    def _cut(self, edits: Edits) -> None:
        weave = self.graph.weave
        for span in self.old.spans():
            weave.within(*span)
        for old, dropped, _, _ in edits:
            for number in (old, old + dropped):
                if number < self.old.total:
                    weave.cut(self.old.line(number))

    def pieces(self, edits: Edits) -> list[Piece]:
        """Return the result as pieces, noting what is dropped."""
        pieces: list[Piece] = []
        done = 0
        for old, dropped, new, inserted in edits:
            pieces += self._kept(done, old)
            done = old + dropped
            spans = tuple(self.old.between(old, done))
            if spans:
                self.deletions.append(Deletion(spans, None))
            self._retire_twins(spans, old, done)
            if inserted:
                pieces.append(Piece(None, Source(inserted, new, None), spans))
        pieces += self._kept(done, self.old.total)
        if not self.is_conflict:
            return pieces
        self._retire_unshown(pieces)
        return list(self._with_the_order(pieces))

    def is_replaced(self, dropped: Sequence[Span]) -> bool:
        """Return whether new lines take the place of dropped ones, and not of a conflict's."""
        if self.is_conflict and not self.helds:
            return False
        return not self.shown.clip(dropped)

    def _kept(self, first: int, last: int) -> Iterator[Piece]:
        while first < last:
            ahead = bisect_left(self.places, (first,))
            place = self.places[ahead] if ahead < len(self.places) else None
            if place is None or place.first >= last:
                yield from self._plain(first, last)
                return
            yield from self._plain(first, place.first)
            yield Piece(None, _STANDS, (), self.helds[ahead])
            first = place.last

    def _plain(self, first: int, last: int) -> Iterator[Piece]:
        for span in self.old.between(first, last):
            for run in self.net.runs_in(*span):
                start, size = self.net.starts[run], self.net.sizes[run]
                yield Piece(Span(start, size), _STANDS)

    def _retire_twins(self, dropped: tuple[Span, ...], first: int, last: int) -> None:
        near = [*dropped]
        near += self.old.between(first - 1, first) if first else []
        near += self.old.between(last, last + 1) if last < self.old.total else []
        beside = LineSet(near)
        for twin in self.reading.twins:
            if not twin.shown or beside.clip(twin.shown):
                self.touched += (*twin.shown, *twin.hidden, *twin.dead)
                if self._drop(twin.hidden):
                    self.leans.update((span.start >> SHIFT, span) for span in twin.shown)

    def _retire_unshown(self, pieces: Iterable[Piece]) -> None:
        """Drop live lines that no side shows, since a side that reads the same is shown.

        They go for the sake of the lines of the conflicts that stay.
        """
        seen = LineSet((*self.old.spans(), *(s for t in self.reading.twins for s in t.hidden)))
        net = self.net
        alone = {start for held in self.helds for start in held.named}
        live = [
            Span(net.starts[run], net.sizes[run])
            for run in net.live()
            if net.starts[run] not in alone
        ]
        if self._drop(seen.without(live)):
            stay = self.shown.clip(p.kept for p in pieces if p.kept is not None)
            self.leans.update((span.start >> SHIFT, span) for span in stay)

    def _drop(self, spans: Iterable[Span]) -> bool:
        """Delete the lines of spans that are not deleted yet; return whether there are any."""
        gone = LineSet(span for deletion in self.deletions for span in deletion.spans)
        left = gone.without(spans)
        for span in left:
            self._drop_each(span)
        return bool(left)

    def _drop_each(self, span: Span) -> None:
        """Delete lines one by one: they are no stretch that something could be missing from."""
        for line in range(span.start, span.start + span.size):
            self.deletions.append(Deletion((Span(line, 1),), None))

    def _is_in_order(self, pieces: Iterable[Piece]) -> bool:
        """Return whether the kept pieces stand as in the weave, which keeps insert edges."""
        index = self.net.index
        runs = [index[piece.kept.start] for piece in pieces if piece.kept is not None]
        return all(a < b for a, b in pairwise(runs))

    def _with_the_order(self, pieces: Sequence[Piece]) -> Iterator[Piece]:
        """Yield the pieces, with those that stand against the insert edges made anew."""
        if self._is_in_order(pieces):
            yield from pieces
            return
        net = self.insert_net
        kept: set[int] = set()
        last = -1
        for piece in pieces:
            if piece.kept is not None:
                run = net.index[piece.kept.start]
                if run < last and net.meets([2 * run], kept, last + 1):
                    self._drop_each(piece.kept)
                    yield Piece(None, Source(piece.kept.size, None, piece.kept))
                    continue
                kept.add(2 * run)
                last = max(last, run)
            yield piece
