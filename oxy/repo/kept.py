"""Graphs kept in the cache, as of a stated set of changes (spec: checkpoints, CP1, CP3, CP22).

    4 bytes    the newest change that the graph is as of, big-endian
    16 bytes   which changes the numbers up to it meant (CP28)
    the rest   the graph, packed

What is to be kept waits in memory until the repository
is closed, so nothing that a transaction took back is ever written.
"""

from collections import Counter
from oxy.typed import Final

from oxy.graph.pack import PackedGraphError, pack, unpack
from oxy.graph.text import TextGraph
from oxy.repo.arrival import arrival
from oxy.repo.cache import GRAPH, LOOKED, Cache
from oxy.repo.tables import CHANGED, LATE, TOUCH, key, number, unpack_numbers, unpair
from oxy.store.protocol import Reader

REPLAYED: Final = 32
"""How many changes are replayed before a graph is kept unasked."""

WAITING: Final = 16 << 20
"""Bytes of packed graphs that wait in memory; what is over that is not kept."""

FEW: Final = 4
"""How many changes a graph may lack after a checkpoint: its lines are read from them anyway."""

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

        Cost: its runs.
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
        row = key(newest) + arrival(self._reader, newest) + pack(graph)
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
        return row[4:_HEAD] == arrival(self._reader, newest)

    def wanting(self, newest: int) -> list[int]:
        """Return the nodes up to a change whose graphs may lack more than a few.

        Cost: the changes since `note_looked`; all, where the cache does not know of it.
        """
        row = self._cache.get(LOOKED, b"") or bytes(_HEAD)
        looked = number(row[:4])
        if row[4:] != arrival(self._reader, looked):
            looked = 0
        touched: Counter[int] = Counter()
        for change, nodes in self._reader.rows(CHANGED, after=key(looked)):
            if number(change) <= newest:
                touched.update(unpack_numbers(nodes))
        if looked:
            late = (unpair(place) for place, _ in self._reader.rows(LATE))
            touched.update(node for node, change in late if change > looked)
            return sorted(touched)
        return sorted(node for node, times in touched.items() if times > FEW)

    def note_looked(self, newest: int) -> None:
        """Note that no graph lacks more than a few changes up to this one.

        Not inside a transaction.
        """
        self._cache.put(LOOKED, [(b"", key(newest) + arrival(self._reader, newest))])
