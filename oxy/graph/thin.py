"""A state as a net of what matters above a ground (spec: graph, G54 to G57). Pure.

A ground is a state below it that reads in one way only. Of the ground's lines only the live
ones are taken, each before the next, and of those the ones beside what other changes did.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from oxy.typed import Final, TypeAlias

from pyroaring import BitMap

from oxy.graph.finder import Finder
from oxy.graph.grounds import Ground
from oxy.graph.lore import Lore
from oxy.graph.orders import is_bent
from oxy.graph.part import Basis, Part, Row
from oxy.graph.text import EDGE, Deed, Span, TextGraph, point
from oxy.graph.weave import SHIFT, NoLineError, Position
from oxy.model.operation import TEXT

Fits: TypeAlias = Callable[[BitMap, BitMap], bool]
"""Whether a ground fits with the changes that a state has more."""


HEAD: Final = -1
"""In place of a line: before the first one."""


class Thin(Part):
    """The runs of a state that matter above a ground, as a net."""

    __slots__ = ("_gaps",)

    def __init__(
        self, basis: Basis, state: BitMap, rows: Sequence[Row], gaps: dict[int, list[Row]]
    ) -> None:
        """Take the runs, and by the run before them those that are passed over."""
        self._gaps = gaps
        super().__init__(basis, state, rows)

    @property
    def passed(self) -> dict[int, list[Span]]:
        """The live lines that follow a run, by its first line, and are passed over.

        Cost: all of them, so whoever only asks whether a state is clean does not ask.
        """
        return {
            start: [Span(first, size) for first, size, _ in gap]
            for start, gap in self._gaps.items()
        }


def thinned(
    graph: TextGraph, state: BitMap, fits: Fits | None = None, *, is_whole: bool = False
) -> Thin | None:
    """Return a state as a net of what matters, or None if all of it has to be looked at.

    Args:
        graph: the text.
        state: the state.
        fits: what else is asked of a ground.
        is_whole: whether no live run is passed over.

    Cost: a glance at each run; what the changes did that the state has more than the ground.
    """
    present = state & graph.touched
    if not graph.bent.isdisjoint(present) and is_bent(graph, present):
        return None
    for ground in graph.grounds.below(present):
        fresh = present - ground.state
        if fits is not None and not fits(ground.state, fresh):
            continue
        sight = _Sight(graph, ground, fresh)
        if sight.is_clear():
            return sight.net(state, is_whole=is_whole)
    return None


def above(
    graph: TextGraph, state: BitMap, ground: BitMap, *, is_whole: bool = True
) -> Thin | None:
    """Return a state as a net of what matters above a ground that is told.

    None is returned if all of the state has to be looked at, or most of it is above.

    Args:
        graph: the text.
        state: the state.
        ground: a smaller state, which reads in one way.
        is_whole: whether no live run is passed over.
    """
    present = state & graph.touched
    known = Ground(ground & graph.touched)
    fresh = present - known.state
    if len(fresh) > len(known.state):
        return None
    if not graph.bent.isdisjoint(present) and is_bent(graph, present):
        return None
    sight = _Sight(graph, known, fresh)
    return sight.net(state, is_whole=is_whole) if sight.is_clear() else None


def known_to_all(lore: Lore, state: BitMap) -> Fits:
    """Return what asks whether all changes above a ground know it, so that each side has it."""
    return lambda ground, fresh: all(ground <= lore.knows(change, state) for change in fresh)


class _Sight:
    """What some changes did above a ground."""

    __slots__ = ("_fresh", "_graph", "_ground", "_groups", "_named", "_reaches_of")

    def __init__(self, graph: TextGraph, ground: Ground, fresh: BitMap) -> None:
        self._graph = graph
        self._ground = ground
        self._fresh = frozenset(fresh)
        self._groups: list[list[int]] = []
        """Runs by their first lines; what lies among those of a group matters."""
        self._named: set[int] = set()
        """The runs of the ground that the changes name, by their first lines."""
        self._reaches_of: dict[int, list[tuple[Position, Position]]] = {}
        """From where to where changes of the ground delete lines together."""

    def is_clear(self) -> bool:
        """Return whether the changes name only live lines of the ground, and see all of it."""
        deeds = self._graph.deeds
        with suppress(NoLineError):
            for change in self._fresh:
                deed = deeds[change]
                if any(owner in self._ground.members for owner, _ in deed.unorders):
                    return False
                for group in self._named_by(deed):
                    if not all(map(self._is_seen, group)):
                        return False
                    self._groups.append(group)
            return not any(map(self._is_surrounded, self._named))
        return False

    def _named_by(self, deed: Deed) -> Iterator[list[int]]:
        """Yield the runs that a change names, those together that have an order by it."""
        for start, size, left, right in deed.blocks:
            ends = [
                where if where == EDGE else self._run(where >> 2) for where in (left, right)
            ]
            yield [*ends, *self._runs([Span(start, size)])]
        for deletion in deed.deletions:
            yield list(self._runs(deletion.spans))
        for span in (*(cancel.span for cancel in deed.cancels), *deed.keeps):
            if span.start >> SHIFT in self._graph.touched:
                yield list(self._runs([span]))
        for order in deed.orders:
            yield [self._run(order.a), self._run(order.b)]

    def _run(self, line: int) -> int:
        chunk, place = self._graph.weave.find(line)
        return chunk.starts[place]

    def _runs(self, spans: Iterable[Span]) -> Iterator[int]:
        for span in spans:
            yield from self._graph.weave.covering(*span)

    def _is_seen(self, start: int) -> bool:
        """Return whether a run that is named is a live one of the ground, or above it."""
        owner = start >> SHIFT
        if start == EDGE or owner in self._fresh:
            return True
        if owner not in self._ground.members or not self._is_alive(start):
            return False
        self._named.add(start)
        return True

    def _is_alive(self, start: int) -> bool:
        alive, fate = self._ground.alive, self._graph.weave.fate(start)
        if fate not in alive:
            alive[fate] = self._graph.is_alive(fate, self._ground.state)
        return alive[fate]

    def _is_surrounded(self, start: int) -> bool:
        """Return whether a run of the ground may lie between two lines that one deletes there.

        It has a verdict then, or was deleted and restored, or is of the change that deletes.
        """
        graph, members = self._graph, self._ground.members
        owner = start >> SHIFT
        if _is_folded(graph, owner):
            return True
        fate, end = graph.weave.fate(start), start + graph.weave.size(start)
        named = set(graph.fates[fate].deletions)
        named.update(
            claim.deletion
            for claim in graph.claims.get(owner, ())
            if claim.span.start < end and start < claim.span.start + claim.span.size
        )
        named &= members
        if not named:
            return False
        where = graph.weave.position(start)
        return any(
            first <= where <= last for change in named for first, last in self._reach_of(change)
        )

    def _reach_of(self, change: int) -> list[tuple[Position, Position]]:
        found = self._reaches_of.get(change)
        if found is None:
            found = self._reaches_of[change] = list(_stretches(self._graph, change))
        return found

    def net(self, state: BitMap, *, is_whole: bool) -> Thin | None:
        """Return the net, unless something of the ground lies inside a line that matters."""
        rows = self._rows()
        gaps: dict[int, list[Row]] = {}
        if not is_whole:
            rows, gaps = self._beside(rows)
        if any(map(self._has_inside, rows)):
            return None
        graph = self._graph
        return Thin(
            Basis(graph, Finder(graph, self._fresh), self._ground.state), state, rows, gaps
        )

    def _has_inside(self, row: Row) -> bool:
        """Return whether something of the ground begins at the text of a run's last line."""
        members = self._ground.members
        if row[0] >> SHIFT not in members:
            return False
        text = point(row[0] + row[1] - 1, TEXT)
        graph = self._graph
        if text not in graph.anchored and text not in graph.leading:
            return False
        return any(
            block.start >> SHIFT in members for block in graph.anchored.get(text, ())
        ) or any(change in members for change, _, _ in graph.leading.get(text, ()))

    def _rows(self) -> list[Row]:
        """Return the live runs of the ground, and all runs above it."""
        graph, members, fresh = self._graph, self._ground.members, self._fresh
        alive = self._ground.alive
        rows: list[Row] = []
        for chunk in graph.weave.chunks:
            for fate in set(chunk.fates).difference(alive):
                alive[fate] = graph.is_alive(fate, self._ground.state)
            rows += [
                row
                for row in zip(chunk.starts, chunk.sizes, chunk.fates, strict=True)
                if (alive[row[2]] and row[0] >> SHIFT in members) or row[0] >> SHIFT in fresh
            ]
        return rows

    def _beside(self, rows: list[Row]) -> tuple[list[Row], dict[int, list[Row]]]:
        """Return the runs that matter, each stretch between two others, and the rest."""
        place = {row[0]: number for number, row in enumerate(rows)}
        taken: list[Row] = []
        gaps: dict[int, list[Row]] = {}
        done = 0
        for first, last in sorted(self._reaches(place, len(rows))):
            start = max(done, first - 1)
            if start > done:
                gaps[taken[-1][0] if taken else HEAD] = rows[done:start]
            end = max(done, last + 2)
            taken += rows[start:end]
            done = end
        if done < len(rows):
            gaps[taken[-1][0] if taken else HEAD] = rows[done:]
        return taken, gaps

    def _reaches(self, place: dict[int, int], count: int) -> Iterator[tuple[int, int]]:
        for group in self._groups:
            places = [place[start] for start in group if start != EDGE]
            if EDGE in group[:1]:
                places.append(0)
            if EDGE in group[1:2]:
                places.append(count - 1)
            yield min(places), max(places)


def _stretches(graph: TextGraph, change: int) -> Iterator[tuple[Position, Position]]:
    """Yield from where to where in the weave a change deletes lines, but single ones."""
    position = graph.weave.position
    for deletion in graph.deeds[change].deletions:
        spans = deletion.spans
        if len(spans) > 1 or spans[0].size > 1:
            ends = [position(span.start) for span in spans]
            ends += [position(span.start + span.size - 1) for span in spans]
            yield min(ends), max(ends)


def _is_folded(graph: TextGraph, change: int) -> bool:
    """Return whether lines of a change may lie between some that it deletes together.

    Cost: what it did, once.
    """
    folded = graph.grounds.folded
    if change not in folded:
        position = graph.weave.position
        own = sorted(
            (position(block.start), position(block.start + block.size - 1))
            for block in graph.deeds[change].blocks
        )
        folded[change] = any(
            _overlaps(own, first, last) for first, last in _stretches(graph, change)
        )
    return folded[change]


def _overlaps(
    stretches: Sequence[tuple[Position, Position]], first: Position, last: Position
) -> bool:
    """Return whether one of some stretches, in order and apart, has a place among others."""
    place = bisect_right(stretches, (last, last))
    return place > 0 and stretches[place - 1][1] >= first
