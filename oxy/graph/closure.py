"""Which runs can be reached from which, cycles included (spec: graph, G30). Pure.

Nodes come in twos, as in `oxy.graph.net`: an even node stands for its run. The components are
found by Tarjan's algorithm, with a stack of its own instead of recursion.
"""

from collections.abc import Iterator, Sequence


def closure(targets: Sequence[Sequence[int]]) -> list[int]:
    """Return for each node the runs whose even node it reaches, as bits.

    A run is among its own only where it lies on a cycle. Cost: for each edge one operation on
    an integer of as many bits as there are runs.
    """
    bits = [0] * len(targets)
    for component in components(targets):
        inside = set(component)
        mask = 0
        for node in component:
            for target in targets[node]:
                if target not in inside:
                    mask |= bits[target] | (0 if target & 1 else 1 << (target >> 1))
        if len(component) > 1:
            for node in component:
                mask |= 0 if node & 1 else 1 << (node >> 1)
        for node in component:
            bits[node] = mask
    return bits


def components(targets: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the strongly connected components, each after those that it reaches."""
    search = _Search(targets)
    for root in range(len(targets)):
        if root not in search.number:
            yield from search.run(root)


class _Search:
    __slots__ = ("done", "low", "number", "stack", "targets")

    def __init__(self, targets: Sequence[Sequence[int]]) -> None:
        self.targets = targets
        self.number: dict[int, int] = {}
        self.low: dict[int, int] = {}
        self.done: set[int] = set()
        self.stack: list[int] = []

    def run(self, root: int) -> Iterator[list[int]]:
        work = [self._open(root)]
        while work:
            node, followers = work[-1]
            for target in followers:
                if target not in self.number:
                    work.append(self._open(target))
                    break
                if target not in self.done:
                    self.low[node] = min(self.low[node], self.number[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    self.low[above] = min(self.low[above], self.low[node])
                if self.low[node] == self.number[node]:
                    yield self._close(node)

    def _open(self, node: int) -> tuple[int, Iterator[int]]:
        self.number[node] = self.low[node] = len(self.number)
        self.stack.append(node)
        return node, iter(self.targets[node])

    def _close(self, node: int) -> list[int]:
        component = [self.stack.pop()]
        while component[-1] != node:
            component.append(self.stack.pop())
        self.done.update(component)
        return component
