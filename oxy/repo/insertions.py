"""The lines that changes insert into texts, many read together (spec: checkpoints, CP1)."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate, islice
from oxy.typed import Final, NamedTuple

from oxy.codec.decode import read_node
from oxy.graph.deed import Span
from oxy.graph.weave import SHIFT
from oxy.model.operation import NodeEdit
from oxy.repo.tables import TOUCH, pair, unpair
from oxy.store.protocol import CHANGE, Reader

CACHED: Final = 32 << 20
"""Bytes of memory for inserted text, with what is beside it."""

_BESIDE: Final = 400
"""Bytes that an entry takes besides its text and where the lines of that end."""

_TOGETHER: Final = 256
"""Spans whose changes are looked up together."""

_FEW: Final = 2
"""Changes that are read one by one."""


class Inserted(NamedTuple):
    """The lines that one change inserts into one node, and where each of them ends."""

    text: bytes
    ends: list[int]

    @property
    def cost(self) -> int:
        """Bytes of memory, about: a line's end takes as much as a short line."""
        return 2 * len(self.text) + _BESIDE

    def lines(self, start: int, size: int) -> bytes:
        """Return consecutive lines."""
        if not self.ends:
            lines = self.text.split(b"\n")[:-1]
            self.ends.extend(accumulate(len(line) + 1 for line in lines))
        first = self.ends[start - 1] if start else 0
        return self.text[first : self.ends[start + size - 1]]


class Insertions:
    """The lines that were read last.

    Args:
        reader: where changes are.
        read: returns the text that a change inserts into a node, whose edit may be at hand.
        foresee: told of edits whose texts will be read.
    """

    __slots__ = ("_bytes", "_foresee", "_held", "_read", "_reader")

    def __init__(
        self,
        reader: Reader,
        read: Callable[[int, int, NodeEdit | None], bytes],
        foresee: Callable[[Iterable[NodeEdit]], None] = lambda _: None,
    ) -> None:
        self._reader = reader
        self._foresee = foresee
        self._read = read
        self._held: OrderedDict[tuple[int, int], Inserted] = OrderedDict()
        self._bytes = 0

    def forget(self) -> None:
        """Drop everything."""
        self._held.clear()
        self._bytes = 0

    def supply(self, node: int, texts: Mapping[int, bytes]) -> None:
        """Take what changes insert into a node, where that is at hand."""
        for change, text in texts.items():
            if (node, change) not in self._held:
                self._keep(node, change, text)

    def of(self, node: int, change: int) -> Inserted:
        """Return the lines that a change inserts into a node."""
        found = self._held.get((node, change))
        if found is not None:
            self._held.move_to_end((node, change))
            return found
        return self._keep(node, change, self._read(node, change, None))

    def text(self, node: int, spans: Iterable[Span]) -> bytes:
        """Return the bytes of lines of a node. Cost: a slice a span."""
        parts: list[bytes] = []
        rest = iter(spans)
        while some := list(islice(rest, _TOGETHER)):
            self._gather(node, {start >> SHIFT for start, _ in some})
            parts += [
                self.of(node, start >> SHIFT).lines(start & 0xFFFFFFFF, size)
                for start, size in some
            ]
        return b"".join(parts)

    def _gather(self, node: int, changes: set[int]) -> None:
        """Read what changes insert, where these are many and not at hand."""
        wanted = sorted(change for change in changes if (node, change) not in self._held)
        if len(wanted) <= _FEW:
            return
        rows = self._reader.rows_many(TOUCH, (pair(node, change) for change in wanted))
        starts = self._reader.read_starts(CHANGE, wanted)
        edits: dict[int, NodeEdit] = {}
        for change, start in zip(wanted, starts, strict=True):
            offset, size = unpair(rows.get(pair(node, change), bytes(8)))
            # Of a large change this is the beginning only.
            if 0 < size <= len(start) - offset:
                edits[change] = read_node(start[offset : offset + size])
        self._foresee(edits.values())
        for change, edit in edits.items():
            self._keep(node, change, self._read(node, change, edit))

    def _keep(self, node: int, change: int, text: bytes) -> Inserted:
        found = self._held[node, change] = Inserted(text, [])
        self._bytes += found.cost
        while self._bytes > CACHED and len(self._held) > 1:
            self._bytes -= self._held.popitem(last=False)[1].cost
        return found
