"""Keeping the weave in step with what orders say (spec: graph, G29, G50). Pure.

The weave keeps insert edges, and only orders can go against it. Where they do, whoever reads
the text sorts its runs each time; so once such an order has come in, the weave is sorted.
"""

from pyroaring import BitMap

from oxy.graph.net import Net
from oxy.graph.orders import is_bent
from oxy.graph.text import TextGraph
from oxy.graph.weave import Weave


def straighten(graph: TextGraph) -> bool:
    """Sort the weave by insert edges and orders; return whether that was needed and possible.

    What any state reads is not affected. Orders that contradict each other leave the weave as
    it is. Cost: the orders; the runs where one goes against the weave.
    """
    if not graph.ordering or not is_bent(graph, graph.touched):
        return False
    net = Net(graph, BitMap(graph.touched))
    if net.has_cycle:
        return False
    weave = Weave()
    for run in net.order:
        weave.append(net.starts[run], net.sizes[run], net.fates[run])
    graph.reweave(weave)
    return True
