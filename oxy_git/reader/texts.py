"""The bytes of texts, each put together from what it read before (spec: GB15, GB30)."""

from collections import OrderedDict
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias

from oxy.graph.reading import Reading
from oxy.graph.weave import SHIFT
from oxy.repo.nodes import Nodes

BYTES: Final = 48 << 20
"""Bytes that are remembered, spans included."""

_SPAN: Final = 100
_LINE: Final = (1 << SHIFT) - 1


Run: TypeAlias = tuple[int, int]
"""A first line and a number of lines: a bare tuple, as there are hundreds in each text."""


class Read(NamedTuple):
    """What a text read: its spans, where each ends in the bytes, and the bytes."""

    spans: list[Run]
    ends: list[int]
    data: bytes

    @property
    def cost(self) -> int:
        """Bytes of memory, about."""
        return len(self.data) + _SPAN * len(self.spans)


_NOTHING: Final = Read([], [], b"")


class Texts:
    """What texts read last, the latest used."""

    __slots__ = ("_bytes", "_known", "_limit", "_nodes")

    def __init__(self, nodes: Nodes, limit: int | None = None) -> None:
        self._nodes = nodes
        self._limit = BYTES if limit is None else limit
        self._known: OrderedDict[int, Read] = OrderedDict()
        self._bytes = 0

    def data(self, node: int, reading: Reading) -> bytes:
        """Return the bytes of a text that reads so.

        Cost: a look at the spans, and a slice for each that was not read there before.
        """
        last = self._known.pop(node, _NOTHING)
        read = self._spliced(node, last, list(zip(reading.starts, reading.sizes, strict=True)))
        self._known[node] = read
        self._bytes += read.cost - last.cost
        while self._bytes > self._limit and len(self._known) > 1:
            self._bytes -= self._known.popitem(last=False)[1].cost
        return read.data

    def _spliced(self, node: int, last: Read, spans: list[Run]) -> Read:
        """Return what spans read; the first and the last of them were mostly read before."""
        head = _alike(last.spans, spans)
        tail = _alike(last.spans[head:][::-1], spans[head:][::-1])
        inserted = self._nodes.inserted
        pieces = [
            inserted(node, start >> SHIFT).lines(start & _LINE, size)
            for start, size in spans[head : len(spans) - tail]
        ]
        start = last.ends[head - 1] if head else 0
        kept = len(last.spans) - tail
        rest = last.ends[kept - 1] if kept else 0
        middle = b"".join(pieces)
        shift = start + len(middle) - rest
        ends = last.ends[:head]
        ends += list(accumulate(map(len, pieces), initial=start))[1:]
        ends += [end + shift for end in last.ends[kept:]]
        return Read(spans, ends, b"".join((last.data[:start], middle, last.data[rest:])))


def _alike(old: Sequence[Run], new: Sequence[Run]) -> int:
    """Return how many spans at the beginning are the same."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count
