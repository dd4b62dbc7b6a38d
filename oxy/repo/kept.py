"""Graphs kept in the cache, as of a stated set of changes (spec: checkpoints, CP1, CP3, CP22).

    4 bytes    the newest change that the graph is as of, big-endian
    16 bytes   BLAKE3 of the ids of all changes up to it that touch the node
    the rest   the graph, packed

Numbers can come to mean other changes, after a crash that `fast` did not survive: then the ids
do not fit, and nothing is found here. What is to be kept waits in memory until the repository
is closed, so nothing that a transaction took back is ever written.
"""

from collections.abc import Iterable
from oxy.typed import Final

from blake3 import blake3

from oxy.graph.pack import PackedGraphError, pack, unpack
from oxy.graph.text import TextGraph
from oxy.repo.cache import GRAPH, Cache
from oxy.repo.tables import LATE, TOUCH, key, number
from oxy.store.protocol import CHANGE, Reader

REPLAYED: Final = 32
"""How many changes are replayed before a graph is kept unasked."""

WAITING: Final = 16 << 20
"""Bytes of packed graphs that wait in memory; what is over that is not kept."""

_HEAD: Final = 20


class Kept:
    """The graphs that a cache holds, and those that wait to be written to it."""

    __slots__ = ("_bytes", "_cache", "_reader", "_waiting")

    def __init__(self, reader: Reader, cache: Cache) -> None:
        self._reader = reader
        self._cache = cache
        self._waiting: dict[int, bytes] = {}
        self._bytes = 0

    def get(self, node: int) -> tuple[int, TextGraph] | None:
        """Return the newest change that a kept graph is as of, and the graph.

        Cost: its runs, and the id of each change that touches it.
        """
        row = self._waiting.get(node) or self._cache.get(GRAPH, key(node))
        if row is None or len(row) < _HEAD:
            return None
        newest = number(row[:4])
        if not self._is_fit(node, newest, row):
            return None
        try:
            return newest, unpack(row[_HEAD:])
        except PackedGraphError:
            return None

    def put(self, node: int, newest: int, graph: TextGraph) -> None:
        """Keep a graph, once `write` is called. Cost: its runs."""
        row = key(newest) + self._sum(self._touching(node, newest)) + pack(graph)
        self._bytes += len(row) - len(self._waiting.get(node, b""))
        self._waiting[node] = row
        while self._bytes > WAITING:
            self._bytes -= len(self._waiting.pop(next(iter(self._waiting))))

    def write(self) -> None:
        """Write what waits, if that is possible just now. Not inside a transaction."""
        if self._waiting:
            rows = [(key(node), row) for node, row in self._waiting.items()]
            self._cache.put(GRAPH, rows)
            self.forget()

    def forget(self) -> None:
        """Drop what waits."""
        self._waiting.clear()
        self._bytes = 0

    def behind(self, node: int) -> int:
        """Return how many changes a kept graph lacks. Cost: the rows of what touches it."""
        row = self._waiting.get(node) or self._cache.get(GRAPH, key(node)) or bytes(_HEAD)
        newest = number(row[:4])
        if not self._is_fit(node, newest, row):
            newest = 0
        after = key(node) + key(newest)
        return sum(1 for _ in self._reader.rows(TOUCH, key(node), after=after))

    def _is_fit(self, node: int, newest: int, row: bytes) -> bool:
        """Tell whether a kept graph is of the right changes, bound as they are now."""
        late = next(self._reader.rows(LATE, key(node), reverse=True), None)
        if late is not None and number(late[0]) > newest:
            return False
        return row[4:_HEAD] == self._sum(self._touching(node, newest))

    def _touching(self, node: int, newest: int) -> list[int]:
        found = []
        for place, _ in self._reader.rows(TOUCH, key(node)):
            change = number(place)
            if change > newest:
                break
            found.append(change)
        return found

    def _sum(self, changes: Iterable[int]) -> bytes:
        ids = b"".join(self._reader.ids_of(CHANGE, changes))
        return blake3(ids).digest()[: _HEAD - 4]
