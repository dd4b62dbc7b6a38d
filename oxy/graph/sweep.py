"""What has one order with everything else, found in two passes over a net (spec: graph, G30).

Only for nets without cycles. Pure.
"""

from collections.abc import Iterable, Sequence

from oxy.graph.net import Net


class Sweep:
    """The nodes of a net from both ends."""

    __slots__ = ("_sources", "_targets")

    def __init__(self, net: Net) -> None:
        """Take the edges. Cost: their number."""
        self._targets = net.targets()
        self._sources = net.sources()

    def ordered(self, scope: Iterable[int]) -> frozenset[int]:
        """Return those of some runs that have an order with each other of them.

        Such a run is at some time the only one that can come next: then all that have not come
        yet follow it. It is so from both ends, and these are all others. Cost: the edges.
        """
        chosen = bytearray(len(self._targets))
        for run in scope:
            chosen[2 * run] = 1
        after, _ = _only_next(self._targets, self._sources, chosen)
        before, _ = _only_next(self._sources, self._targets, chosen)
        others = sum(chosen) - 1
        return frozenset(
            node >> 1
            for node, count in after.items()
            if node in before and count + before[node] == others
        )

    def between(self, cuts: Sequence[int]) -> dict[int, list[int]]:
        """Return the runs between cuts, by the number of cuts before them.

        The cuts are in their order. Runs that have no order with some cut are left out. Cost:
        the edges.
        """
        place = {2 * cut: number for number, cut in enumerate(cuts)}
        _, nodes = _only_next(self._targets, self._sources, bytearray(len(self._targets)))
        before = [0] * len(nodes)
        for node in nodes:
            passed = place[node] + 1 if node in place else before[node]
            for after in self._targets[node]:
                before[after] = max(before[after], passed)
        left = [len(cuts)] * len(nodes)
        for node in reversed(nodes):
            ahead = place.get(node, left[node])
            for earlier in self._sources[node]:
                left[earlier] = min(left[earlier], ahead)
        found: dict[int, list[int]] = {}
        for node in range(0, len(nodes), 2):
            if node not in place and before[node] == left[node]:
                found.setdefault(before[node], []).append(node >> 1)
        return found


def _only_next(
    targets: Sequence[Sequence[int]], sources: Sequence[Sequence[int]], chosen: bytearray
) -> tuple[dict[int, int], list[int]]:
    """Return the chosen nodes that are at some time the only ones to come next, and all nodes.

    The former with the number of chosen nodes that follow. Nodes that are not chosen come as
    soon as they can.
    """
    missing = [len(nodes) for nodes in sources]
    others = [node for node, count in enumerate(missing) if not count and not chosen[node]]
    ready = [node for node, count in enumerate(missing) if not count and chosen[node]]
    found: dict[int, int] = {}
    left = sum(chosen)
    nodes: list[int] = []
    while others or ready:
        if others:
            node = others.pop()
        else:
            left -= 1
            if len(ready) == 1:
                found[ready[0]] = left
            node = ready.pop()
        nodes.append(node)
        for after in targets[node]:
            missing[after] -= 1
            if not missing[after]:
                (ready if chosen[after] else others).append(after)
    return found, nodes
