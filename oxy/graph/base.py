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
        known = shared.serialize()
        if known not in rendered:
            rendered[known] = flat(render(graph, shared, lore)) if shared else []
        region = LineSet(_region(net, reading, conflict.position))
        found.append(region.clip(rendered[known]))
    return found


def _shared(conflict: Conflict, state: BitMap, lore: Lore) -> BitMap:
    """Return what every side knows or is; of a conflict of one side, what that knows."""
    changes = {side.change for side in conflict.sides}
    own = changes if len(changes) > 1 else set()
    shared = BitMap(state)
    for change in changes:
        shared &= lore.knows(change, state) | BitMap({change} & own)
    return shared


def _region(net: Net, reading: Reading, position: int) -> Iterator[Span]:
    """Yield the runs, live and dead, between the plain lines around a conflict."""
    inside = (1 << len(net.starts)) - 1
    if position:
        last = position - 1
        inside &= net.reach[net.ends[reading.starts[last] + reading.sizes[last]]]
    if position < len(reading.starts):
        inside &= net.back[net.index[reading.starts[position]]]
    while inside:
        run = (inside & -inside).bit_length() - 1
        inside &= inside - 1
        yield Span(net.starts[run], net.sizes[run])
