"""What a state reads of a text (spec: graph, conflicts). Pure.

A text that only one change at a time ever touched is a filter over its weave. Otherwise the
state is looked at as a net: whether its live runs have one order and no pair is open. What
remains falls into regions, which `oxy.graph.regions` renders as sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oxy.graph.net import Net, is_bent
from oxy.graph.reading import Reading, extend
from oxy.graph.weave import SHIFT

if TYPE_CHECKING:
    from pyroaring import BitMap

    from oxy.graph.lore import Lore
    from oxy.graph.text import TextGraph


def survivors(graph: TextGraph, state: BitMap) -> Reading:
    """Return the live lines of a state in their order, whatever pairs are open.

    This is what the state reads where it is known to be clean. Cost: one step a run; more where
    orders go against the weave.
    """
    if is_bent(graph, state):
        return _live(Net(graph, state))
    present = state & graph.touched
    members = set(present)
    everything = len(members) == len(graph.touched)
    known = [graph.is_alive(fate, present) for fate in range(len(graph.fates))]
    starts: list[int] = []
    sizes: list[int] = []
    end = -1
    for chunk in graph.weave.chunks:
        for start, size, fate in zip(chunk.starts, chunk.sizes, chunk.fates, strict=True):
            if known[fate] and (everything or start >> SHIFT in members):
                if start == end:
                    sizes[-1] += size
                else:
                    starts.append(start)
                    sizes.append(size)
                end = start + size
    return Reading(starts, sizes)


def _live(net: Net) -> Reading:
    starts: list[int] = []
    sizes: list[int] = []
    for run in net.live():
        extend(starts, sizes, net.starts[run], net.sizes[run])
    return Reading(starts, sizes)


def render(graph: TextGraph, state: BitMap, lore: Lore) -> Reading:
    """Return what a state reads, with its conflicts and twins.

    Cost: the runs of the text; in a conflict, that for each side.
    """
    from oxy.graph.pairs import open_pairs
    from oxy.graph.regions import render_net

    net = Net(graph, state)
    found = open_pairs(net)
    if not found.is_open and net.is_total():
        return _live(net)
    return render_net(net, found, lore)


def is_sole(graph: TextGraph, state: BitMap) -> bool:
    """Return whether a state reads in one way only, without working out how it conflicts."""
    from oxy.graph.pairs import open_pairs

    net = Net(graph, state)
    return net.is_total() and not open_pairs(net).is_open
