"""Where a text is cut into regions (spec: conflicts, C10). Pure.

A cut is a live run that no rule names and that has one order with every other that matters.
"""

from collections.abc import Iterable, Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.graph.found import Found
from oxy.graph.net import Net, bits
from oxy.graph.sweep import Sweep
from oxy.graph.weave import SHIFT


class Region(NamedTuple):
    """The runs between two cuts, live and dead, of which some are in dispute."""

    runs: frozenset[int]
    live: tuple[int, ...]


class Division:
    """The cuts of a net and what lies between them."""

    __slots__ = ("_sweep", "bad", "found", "net", "unordered")

    def __init__(self, net: Net, found: Found) -> None:
        """Find what is in dispute. Cost: the edges; where orders contradict, the closure."""
        self.net = net
        self.found = found
        self._sweep = None if net.has_cycle else Sweep(net)
        live = net.live()
        self.unordered = frozenset(live) - self._ordered(live)
        """The live runs that have not one order with every other."""
        self.bad = found.drawn | self.unordered
        """The runs that a rule names, dead ones too."""

    def _ordered(self, scope: Sequence[int]) -> frozenset[int]:
        """Return those of some runs that have exactly one order with each other of them."""
        if self._sweep is None:
            return self.net.ordered(scope, scope)
        return self._sweep.ordered(scope)

    def parts(self) -> Iterator[int | Region]:
        """Yield the text in order: runs that stand by themselves, and regions in dispute."""
        net = self.net
        scope = {*net.live(), *self.bad}
        cuts = [run for run in self._ordered(list(scope)) - self.bad if net.alive[run]]
        cuts.sort(key=net.places().__getitem__)
        between = self._intervals(cuts)
        for place, cut in enumerate((*cuts, None)):
            runs = between.get(place, [])
            alive = tuple(self._in_order(run for run in runs if net.alive[run]))
            if self.bad.isdisjoint(runs):
                yield from alive
            else:
                yield Region(frozenset(runs), alive)
            if cut is not None:
                yield cut

    def regions(self) -> Iterator[Region]:
        """Yield the regions that name a change, in order."""
        for part in self.parts():
            if isinstance(part, Region) and self.named(part):
                yield part

    def named(self, region: Region) -> set[int]:
        """Return the changes that the rules name in a region."""
        net = self.net
        named = {net.starts[run] >> SHIFT for run in region.runs & self.unordered}
        return named | self.found.named(region.runs, net.starts)

    def _in_order(self, runs: Iterable[int]) -> list[int]:
        """Return runs so that none comes before one that leads to it."""
        return sorted(runs, key=self.net.places().__getitem__)

    def _intervals(self, cuts: Sequence[int]) -> dict[int, list[int]]:
        """Return the runs between cuts, by the number of cuts before them."""
        if self._sweep is not None:
            return self._sweep.between(cuts)
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
