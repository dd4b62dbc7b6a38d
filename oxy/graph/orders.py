"""The orders of a state that count (spec: graph, G11, G14, G29). Pure."""

from collections.abc import Iterator

from pyroaring import BitMap

from oxy.graph.text import Precedence, TextGraph


def effective_orders(graph: TextGraph, state: BitMap) -> Iterator[Precedence]:
    """Yield the orders of a state that no change in it replaces."""
    ordering = [change for change in graph.ordering if change in state]
    gone = {named for change in ordering for named in graph.deeds[change].unorders}
    for change in ordering:
        for place, order in enumerate(graph.deeds[change].orders):
            if (change, place) not in gone:
                yield order


def is_bent(graph: TextGraph, state: BitMap) -> bool:
    """Return whether an order of a state goes against the weave. Cost: its orders."""
    position = graph.weave.position
    return any(
        position(order.a) >= position(order.b) for order in effective_orders(graph, state)
    )
