"""Reading what was written to many nodes at once (spec: checkpoints, CP3)."""

from collections.abc import Iterable, Iterator
from oxy.typed import Final

from oxy.repo.nodes import Nodes
from oxy.repo.registers import Registers
from oxy.repo.tables import NODE, WRITE, key, number, unpair

_TOGETHER: Final = 256
_SPARSE: Final = 4
"""Nodes of which fewer than one in so many are wanted are read one by one."""


def registers_of(nodes: Nodes, wanted: Iterable[int]) -> Iterator[tuple[int, Registers]]:
    """Yield (node, registers) of nodes, by their numbers.

    Cost: their writes; a query or two for many where their numbers are close.
    """
    ordered = sorted(wanted)
    for start in range(0, len(ordered), _TOGETHER):
        some = ordered[start : start + _TOGETHER]
        if some[-1] - some[0] < _SPARSE * len(some) and len(some) > 1:
            yield from _together(nodes, some)
        else:
            rows = nodes.reader.rows_many(NODE, map(key, some))
            for node in some:
                row = rows.get(key(node))
                yield node, nodes.registers(node, None if row is None else number(row))


def _together(nodes: Nodes, some: list[int]) -> Iterator[tuple[int, Registers]]:
    rows = nodes.reader.rows_many(NODE, map(key, some))
    found = {node: Registers(number(row)) for node in some if (row := rows.get(key(node)))}
    for row_key, row in nodes.reader.rows(WRITE, after=key(some[0])):
        node, change = unpair(row_key)
        if node > some[-1]:
            break
        if node in found:
            found[node].add(change, row)
    for node in some:
        # One that is not there is refused as always.
        yield node, found[node] if node in found else nodes.registers(node)
