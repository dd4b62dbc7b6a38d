"""Where a text is cut into regions (spec: conflicts, C10). Pure.

A cut is a live run that no rule names and that has one order with every other that matters.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from oxy.graph.net import Net, bits
from oxy.graph.pairs import Found
from oxy.graph.weave import SHIFT


class Region(NamedTuple):
    """The runs between two cuts, live and dead, of which some are in dispute."""

    runs: frozenset[int]
    live: tuple[int, ...]


class Division:
    """The cuts of a net and what lies between them."""

    __slots__ = ("bad", "found", "net", "unordered")

    def __init__(self, net: Net, found: Found) -> None:
        self.net = net
        self.found = found
        live = net.live()
        self.unordered = frozenset(live) - net.ordered(live, live)
        """The live runs that have not one order with every other."""
        self.bad = found.drawn | self.unordered
        """The runs that a rule names, dead ones too."""

    def parts(self) -> Iterator[int | Region]:
        """Yield the text in order: runs that stand by themselves, and regions in dispute."""
        net = self.net
        live = net.live()
        scope = [run for run in range(len(net.starts)) if net.alive[run] or run in self.bad]
        cuts = self._sorted(net.ordered(live, scope) - self.bad)
        between = self._intervals(cuts)
        for place, cut in enumerate((*cuts, None)):
            runs = between.get(place, [])
            alive = tuple(self._sorted(run for run in runs if net.alive[run]))
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
        for run, deletion, keeper in self.found.pairs:
            if run in region.runs:
                named |= {keeper or net.starts[run] >> SHIFT, deletion}
        return named

    def _sorted(self, runs: Iterable[int]) -> list[int]:
        """Return runs so that each comes after those that lead to it alone."""
        net = self.net
        chosen = list(runs)
        mask = bits(chosen)

        def before(run: int) -> int:
            return (net.back[run] & ~net.reach[run] & mask).bit_count()

        return sorted(chosen, key=before)

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
