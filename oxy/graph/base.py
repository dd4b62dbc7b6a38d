"""What all sides of a conflict share (spec: conflicts, C32). Pure."""

from collections.abc import Iterator

from pyroaring import BitMap

from oxy.graph.draft import flat
from oxy.graph.lineset import LineSet
from oxy.graph.lore import Lore
from oxy.graph.net import Net
from oxy.graph.reading import Conflict, Reading
from oxy.graph.render import render
from oxy.graph.text import Span, TextGraph


def bases(
    graph: TextGraph, state: BitMap, reading: Reading, lore: Lore
) -> list[tuple[Span, ...]]:
    """Return for each conflict of a reading the lines that all its sides started from.

    They are what the changes that every side knows, or is, read in the region. Where these
    conflict among themselves, their sides stand one after the other.

    Cost: that of rendering, once for the state and once for each set of shared changes.
    """
    if not reading.conflicts:
        return []
    net = Net(graph, state)
    rendered: dict[bytes, list[Span]] = {}
    found = []
    for conflict in reading.conflicts:
        shared = _shared(conflict, state, lore) & graph.touched
        key = shared.serialize()
        if key not in rendered:
            rendered[key] = flat(render(graph, shared, lore)) if shared else []
        region = LineSet(_region(net, reading, conflict, lore))
        found.append(region.clip(rendered[key]))
    return found


def _shared(conflict: Conflict, state: BitMap, lore: Lore) -> BitMap:
    """Return what every side knows or is; of a conflict of one side, what that knows."""
    changes = {side.change for side in conflict.sides}
    shared = BitMap(state)
    for change in changes:
        known = lore.knows(change, state)
        shared &= known | BitMap([change]) if len(changes) > 1 else known
    return shared


def _region(net: Net, reading: Reading, conflict: Conflict, lore: Lore) -> Iterator[Span]:
    """Yield the runs, live and dead, between the plain lines around a conflict.

    What a change deleted that knew all the sides is left out: it went beside the conflict.
    """
    position = conflict.position
    inside = (1 << len(net.starts)) - 1
    if position:
        last = position - 1
        inside &= net.reach[net.ends[reading.starts[last] + reading.sizes[last]]]
    if position < len(reading.starts):
        inside &= net.back[net.index[reading.starts[position]]]
    sides = BitMap([side.change for side in conflict.sides])
    knowing: dict[int, bool] = {}
    while inside:
        run = (inside & -inside).bit_length() - 1
        inside &= inside - 1
        for change in net.counting(net.fates[run]):
            if change not in knowing:
                knowing[change] = sides <= lore.knows(change, net.whole)
            if knowing[change]:
                break
        else:
            yield Span(net.starts[run], net.sizes[run])
