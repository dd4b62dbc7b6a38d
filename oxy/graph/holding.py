"""Conflicts that a recording leaves alone (spec: conflicts, C34). Pure.

Such a conflict is its region: the runs that it had before the change. What is recorded beside
it has to have an order with them, and to leave the region the same runs and the same pairs.
"""

from collections.abc import Iterable, Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.errors import RequestError
from oxy.graph.division import Division, Region
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.part import Part
from oxy.graph.reading import Reading
from oxy.graph.text import Span


class KeptConflictError(RequestError):
    """Edits do not leave a conflict alone that is to be left alone."""

    def __init__(self, conflict: int, rule: str) -> None:
        super().__init__(f"conflict {conflict} cannot be left as it is: {rule}")
        self.conflict = conflict
        self.rule = rule


class Held(NamedTuple):
    """A conflict that is left alone; runs are named by their first lines, in weave order.

    Attributes:
        conflict: its place among the conflicts of the reading.
        runs: the runs of its region.
        named: those of them that are live, or that a rule names.
        firsts: those of the runs that no other leads to.
        lasts: those that lead to no other.
        pairs: its open pairs and triples.
    """

    conflict: int
    runs: tuple[int, ...]
    named: tuple[int, ...]
    firsts: tuple[int, ...]
    lasts: tuple[int, ...]
    pairs: frozenset[tuple[int, int, int]]


def held(net: Net, reading: Reading, kept: Iterable[int]) -> list[Held]:
    """Return the regions of the conflicts of a reading that are kept, in order.

    Cost: as rendering has, without the sides.
    """
    division = Division(net, open_pairs(net))
    regions = list(division.regions())
    home = {run: region for region in regions for run in region.runs}
    found: list[Held] = []
    for place in sorted(kept):
        sides = reading.conflicts[place].sides
        start = next(span.start for side in sides for span in side.spans)
        found.append(_held(division, home[net.index[start]], place))
    return found


def _held(division: Division, region: Region, place: int) -> Held:
    net = division.net
    runs = sorted(region.runs)
    named = [run for run in runs if net.alive[run] or run in division.bad]
    rows = [(net.starts[run], net.sizes[run], net.fates[run]) for run in runs]
    part = Part(net, net.whole, rows)
    firsts, lasts = _ends(part)
    starts = net.starts
    return Held(
        place,
        tuple(starts[run] for run in runs),
        tuple(starts[run] for run in named),
        tuple(part.starts[run] for run in firsts),
        tuple(part.starts[run] for run in lasts),
        _pairs(division, region),
    )


def _pairs(division: Division, region: Region) -> frozenset[tuple[int, int, int]]:
    return frozenset(
        (division.net.starts[run], deletion, keeper)
        for run, deletion, keeper in division.found.of(region.runs)
    )


def _ends(part: Part) -> tuple[list[int], list[int]]:
    """Return which runs no other leads to, and which lead to no other.

    Where orders contradict each other, all may be either.
    """
    runs = list(range(len(part.starts)))
    if part.has_cycle:
        return runs, runs
    led, leading = _beyond(part.targets()), _beyond(part.sources())
    return (
        [run for run in runs if 2 * run not in led],
        [run for run in runs if 2 * run not in leading],
    )


def _beyond(edges: Sequence[Sequence[int]]) -> set[int]:
    """Return the nodes that edges lead to from any run."""
    stack = [node for near in edges[::2] for node in near]
    seen = set(stack)
    while stack:
        for node in edges[stack.pop()]:
            if node not in seen:
                seen.add(node)
                stack.append(node)
    return seen


def spilt(net: Net, change: int, helds: Iterable[Held]) -> Iterator[Span]:
    """Yield dead lines that have come into kept regions and that the change does not delete.

    Args:
        net: the state with the change.
        change: what is recorded.
        helds: the conflicts that are kept.

    Raises:
        KeptConflictError: a region is not what it was in another way.
    """
    division = Division(net, open_pairs(net))
    home = {run: region for region in division.regions() for run in region.runs}
    for kept in helds:
        region = home.get(net.index[kept.named[0]])
        if region is None:
            raise KeptConflictError(kept.conflict, "it would be resolved")
        new = [run for run in region.runs if net.starts[run] not in kept.runs]
        if any(net.alive[run] for run in new):
            raise KeptConflictError(kept.conflict, "nothing is left between it and the next")
        starts = {net.starts[run] for run in region.runs & (division.bad | set(region.live))}
        is_whole = len(new) + len(kept.runs) == len(region.runs)
        if not is_whole or _pairs(division, region) != kept.pairs or starts - set(kept.named):
            raise KeptConflictError(kept.conflict, "the edits draw it into others")
        for run in new:
            if change not in net.counting(net.fates[run]):
                yield Span(net.starts[run], net.sizes[run])
