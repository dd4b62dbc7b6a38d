"""What a state reads of a text (spec: graph, conflicts). Pure.

A text that only one change at a time ever touched is a filter over its weave. Otherwise the
state is looked at as a net: whether its live runs have one order and no pair is open. What
remains falls into regions, which `oxy.graph.regions` renders as sides.
"""

from __future__ import annotations

from contextlib import suppress
from oxy.typed import TYPE_CHECKING

from oxy.graph.net import Net
from oxy.graph.orders import is_bent
from oxy.graph.reading import Reading, extend
from oxy.graph.weave import SHIFT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyroaring import BitMap

    from oxy.graph.lore import Lore
    from oxy.graph.text import Span, TextGraph


def survivors(graph: TextGraph, state: BitMap) -> Reading:
    """Return the live lines of a state in their order, whatever pairs are open.

    This is what the state reads where it is known to be clean. Cost: one step a run; more where
    orders go against the weave.
    """
    present = state & graph.touched
    if not graph.bent.isdisjoint(present) and is_bent(graph, present):
        return _live(Net(graph, state))
    members = set(present)
    everything = len(members) == len(graph.touched)
    known: dict[int, bool] = {}
    starts: list[int] = []
    sizes: list[int] = []
    end = -1
    for chunk in graph.weave.chunks:
        for fate in set(chunk.fates).difference(known):
            known[fate] = graph.is_alive(fate, present)
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

    Cost: the runs of the text; in a conflict, that for each side. Above a ground, what
    the other changes did, and a glance at each run.
    """
    if graph.grounds.has(state & graph.touched):
        return survivors(graph, state)
    from oxy.graph.dispute import UnfitGroundError
    from oxy.graph.thin import known_to_all, thinned

    thin = thinned(graph, state, known_to_all(lore, state))
    if thin is not None:
        with suppress(UnfitGroundError):
            return _rendered(thin, lore, thin.passed)
    return _rendered(Net(graph, state), lore, {})


def _rendered(net: Net, lore: Lore, passed: Mapping[int, Sequence[Span]]) -> Reading:
    from oxy.graph.pairs import open_pairs
    from oxy.graph.regions import render_net

    found = open_pairs(net)
    if found.is_open or not net.is_total():
        return render_net(net, found, lore, passed)
    net.graph.grounds.note(net.state)
    return survivors(net.graph, net.whole)


def is_sole(graph: TextGraph, state: BitMap) -> bool:
    """Return whether a state reads in one way only, without working out how it conflicts."""
    grounds, present = graph.grounds, state & graph.touched
    if grounds.has(present):
        return True
    if grounds.is_open(present):
        return False
    from oxy.graph.pairs import open_pairs
    from oxy.graph.thin import thinned

    net = thinned(graph, state) or Net(graph, state)
    if not net.is_total() or open_pairs(net).is_open:
        grounds.note_open(present)
        return False
    grounds.note(present)
    return True
