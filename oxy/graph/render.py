"""What a state reads of a text (spec: graph, conflicts). Pure.

A text that only one change at a time ever touched is a filter over its weave. Otherwise the state
is looked at as a net: whether its live runs have one order and no pair is open. What remains falls
into regions, which `oxy.graph.regions` renders as sides.
"""

from pyroaring import BitMap

from oxy.graph.lore import Lore
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.reading import Reading, extend
from oxy.graph.regions import render_net
from oxy.graph.text import TextGraph
from oxy.graph.weave import SHIFT


def survivors(graph: TextGraph, state: BitMap) -> Reading:
    """Return the live lines of a state in weave order.

    This is what the state reads where it is known to be clean. Cost: one step a run.
    """
    present = state & graph.touched
    everything = present == graph.touched
    members = set(present)
    known: dict[int, bool] = {}
    starts: list[int] = []
    sizes: list[int] = []
    for chunk in graph.weave.chunks:
        for start, size, fate in zip(chunk.starts, chunk.sizes, chunk.fates, strict=True):
            alive = known.get(fate)
            if alive is None:
                alive = known[fate] = graph.is_alive(fate, present)
            if alive and (everything or start >> SHIFT in members):
                extend(starts, sizes, start, size)
    return Reading(starts, sizes)


def render(graph: TextGraph, state: BitMap, lore: Lore) -> Reading:
    """Return what a state reads, with its conflicts and twins.

    Cost: the runs of the text; in a conflict, that for each side.
    """
    net = Net(graph, state)
    found = open_pairs(net)
    if not found.pairs and net.is_total():
        return survivors(graph, state)
    return render_net(net, found, lore)


def is_sole(graph: TextGraph, state: BitMap) -> bool:
    """Return whether a state reads in one way only, without working out how it conflicts."""
    net = Net(graph, state)
    return net.is_total() and not open_pairs(net).pairs
