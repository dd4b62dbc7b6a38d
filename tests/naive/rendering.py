"""Reading a set: its lines in order, and its conflicts as sides (spec: graph, conflicts)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

from tests.naive.change import Key, LineId, Pair
from tests.naive.conflicts import Findings, find
from tests.naive.view import View


class Line(NamedTuple):
    """A line that every reader sees."""

    id: LineId


Side: TypeAlias = tuple[LineId, ...]


class Conflict(NamedTuple):
    """A region with more than one reading; sides may hold lines that are dead in the set."""

    sides: tuple[Side, ...]


Item: TypeAlias = Line | Conflict


class Twins(NamedTuple):
    """A region whose sides read the same: the lines shown, and those that live on beneath."""

    shown: frozenset[LineId]
    beneath: tuple[LineId, ...]


class Rendering(NamedTuple):
    """What a set reads as, the collapsed regions in it, and the pairs that are open.

    `regions` are the lines, dead ones too, of the regions that show as conflicts.
    """

    items: tuple[Item, ...]
    twins: tuple[Twins, ...]
    open: frozenset[Pair]
    regions: frozenset[LineId]

    @property
    def conflicted(self) -> bool:
        """Whether a conflict is shown."""
        return any(isinstance(item, Conflict) for item in self.items)

    def shown(self, *, last_first: bool = False) -> list[LineId]:
        """Return the lines as they are shown: the sides of a conflict one after the other.

        A replica shows its own side before the others, hence the choice. A line of several
        sides counts where it is shown first.
        """
        lines: dict[LineId, None] = {}
        for item in self.items:
            sides = item.sides if isinstance(item, Conflict) else ((item.id,),)
            for side in reversed(sides) if last_first else sides:
                lines.update(dict.fromkeys(side))
        return list(lines)


def render(view: View) -> Rendering:
    """Return what a set reads as."""
    findings = find(view)
    if not findings.involved:
        return Rendering(
            tuple(map(Line, view.order.sort(view.live))), (), findings.open, frozenset()
        )
    items: list[Item] = []
    twins: list[Twins] = []
    disputed: set[LineId] = set()
    cuts = _cuts(view, findings)
    for upper, lower in pairwise([None, *cuts, None]):
        lines = _between(view, cuts, upper, lower)
        shown, collapsed = _Region(view, findings, lines).read()
        items.extend(shown)
        twins.extend(collapsed)
        if any(isinstance(item, Conflict) for item in shown):
            disputed |= lines
        if lower is not None:
            items.append(Line(lower))
    return Rendering(tuple(items), tuple(twins), findings.open, frozenset(disputed))


def _cuts(view: View, findings: Findings) -> list[LineId]:
    """Return the live lines that no rule names and that are ordered against everything."""
    scope = findings.involved.union(view.live)
    return view.order.sort(
        line
        for line in view.live
        if line not in findings.involved
        and all(other == line or view.order.decided(line, other) for other in scope)
    )


def _between(
    view: View, cuts: Sequence[LineId], upper: LineId | None, lower: LineId | None
) -> frozenset[LineId]:
    """Return the lines, dead ones too, between two neighbouring cuts."""
    return frozenset(
        line
        for line in view.lines
        if line not in cuts
        and (upper is None or view.order.before(upper, line))
        and (lower is None or view.order.before(line, lower))
    )


class _Region:
    """The lines between two cuts and what is open among them."""

    __slots__ = (
        "_findings",
        "_involved",
        "_lines",
        "_live",
        "_open",
        "_parties",
        "_spent",
        "_view",
    )

    def __init__(self, view: View, findings: Findings, lines: frozenset[LineId]) -> None:
        self._view = view
        self._findings = findings
        self._lines = lines
        self._live = [line for line in view.live if line in lines]
        self._involved = lines & findings.involved
        self._open = [pair for pair in findings.open if pair.line in self._involved]
        named = self._named()
        self._parties = sorted(
            key
            for key in named
            if not any(key in self._view.known(other) for other in named - {key})
        )
        self._spent = frozenset(
            line
            for line in lines
            if len(self._parties) > 1 and any(map(self._knows_all, view.deleters.get(line, ())))
        )

    def read(self) -> tuple[list[Item], list[Twins]]:
        """Return the items that the region shows, and its collapsed twins if it has some."""
        if not self._open and self._involved.isdisjoint(self._live):
            return [Line(line) for line in self._view.order.sort(self._live)], []
        sides = list(self._sides())
        readings: dict[tuple[str, ...], list[Side]] = {}
        for side in sides:
            readings.setdefault(tuple(map(self._view.text, side)), []).append(side)
        chosen = tuple(min(same) for same in readings.values())
        if len(chosen) != 1 or any(line in self._view.deleters for line in chosen[0]):
            return [Conflict(chosen)], []
        twins = []
        if len(sides) > 1:
            beneath = tuple(line for line in self._live if line not in chosen[0])
            twins.append(Twins(frozenset(chosen[0]), beneath))
        return [Line(line) for line in chosen[0]], twins

    def _sides(self) -> Iterator[Side]:
        """Yield the sides by change id; a side in conflict yields its own, in their order."""
        if len(self._parties) > 1:
            for party in self._parties:
                yield from self._reading_of(party)
        else:
            for key in sorted(self._owners()):
                yield self._share_of(key)

    def _knows_all(self, key: Key) -> bool:
        """Return whether a change came after all that are in dispute."""
        return self._view.known(key).issuperset(self._parties)

    def _named(self) -> frozenset[Key]:
        """Return the changes that the open pairs and the unordered lines name."""
        named = {line.change for line in self._involved & self._findings.unordered}
        for pair in self._open:
            named.add(pair.deletion)
            named.add(pair.line.change if pair.keeper is None else pair.keeper)
        return frozenset(named)

    def _owners(self) -> frozenset[Key]:
        """Return the changes that have a named live line here or an open deletion."""
        lines = {line.change for line in self._live if line in self._involved}
        return frozenset(lines | {pair.deletion for pair in self._open})

    def _reading_of(self, party: Key) -> Iterator[Side]:
        """Yield the region without what the party neither knows nor is known by."""
        view = self._view
        strange = frozenset(key for key in self._here() if view.concurrent(key, party))
        rest = view.without(view.dependents(strange))
        reading = render(rest.alone(self._lines, self._spent))
        choices = [
            item.sides if isinstance(item, Conflict) else ((item.id,),)
            for item in reading.items
        ]
        for choice in product(*choices):
            yield tuple(line for part in choice for line in part)

    def _here(self) -> frozenset[Key]:
        """Return the changes that have to do with the region."""
        left = self._lines - self._spent
        deleters = (self._view.deleters.get(line, set()) for line in left)
        return self._named().union((line.change for line in left), *deleters)

    def _share_of(self, key: Key) -> Side:
        """Return the region's live lines without those named of other changes."""
        return tuple(
            self._view.order.sort(
                line for line in self._live if line not in self._involved or line.change == key
            )
        )
