"""What all sides of a conflict share (spec: conflicts, C32). Pure."""

from contextlib import suppress

from pyroaring import BitMap

from oxy.graph.dispute import UnfitGroundError
from oxy.graph.lore import Lore
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.reading import Reading
from oxy.graph.regions import bases_of_net
from oxy.graph.text import Span, TextGraph
from oxy.graph.thin import known_to_all, thinned


def bases(
    graph: TextGraph, state: BitMap, reading: Reading, lore: Lore
) -> list[tuple[Span, ...]]:
    """Return for each conflict of what a state reads the lines that all its sides started from.

    They are what its region reads without the changes that some side does not know. Cost: that
    of rendering, twice.
    """
    if not reading.conflicts:
        return []
    thin = thinned(graph, state, known_to_all(lore, state))
    if thin is not None:
        with suppress(UnfitGroundError):
            return list(bases_of_net(thin, open_pairs(thin), lore))
    net = Net(graph, state)
    return list(bases_of_net(net, open_pairs(net), lore))
