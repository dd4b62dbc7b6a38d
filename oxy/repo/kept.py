"""Graphs kept in the cache, as of a stated set of changes (spec: checkpoints, CP1, CP3, CP22).

    4 bytes    the newest change that the graph is as of, big-endian
    16 bytes   which changes the numbers up to it meant (CP28)
    the rest   compressed by zstd:

    4 bytes    how many bytes the packed graph has, big-endian
    ...        the graph, packed
    ...        msgpack: [changes, what each of them inserts], where that is inside the change

With the lines beside the graph a text that was edited often is read without its changes.

What is to be kept waits in memory until the repository is closed, or until it is much. A
transaction may take back what is written then; the arrival tells (CP28).
"""

from collections import Counter
from collections.abc import Mapping
from oxy.typed import Final, NamedTuple

import msgpack

from oxy.graph.pack import PackedGraphError, pack, unpack
from oxy.graph.text import TextGraph
from oxy.repo.arrival import arrival
from oxy.repo.cache import GRAPH, LOOKED, Cache
from oxy.repo.tables import CHANGED, LATE, TOUCH, key, number, unpack_numbers, unpair
from oxy.store.frame import packer
from oxy.store.protocol import Reader

REPLAYED: Final = 32
"""How many changes are replayed before a graph is kept unasked."""

WAITING: Final = 8 << 20
"""Bytes of packed graphs that wait in memory; with more than that all are written."""

FEW: Final = 4
"""How many changes a graph may lack after a checkpoint: its lines are read from them anyway."""

TEXTS: Final = 1 << 18
"""Bytes of lines that are kept beside a graph, those of the latest changes first."""

_HEAD: Final = 20
_LENGTH: Final = 4
_LEVEL: Final = 3
_LIMIT: Final = 1 << 29
"""Bytes of a graph and lines that are read."""

NOTHING: Final[Mapping[int, bytes]] = {}


class KeptGraph(NamedTuple):
    """A graph, the newest change that it is as of, and lines that changes insert."""

    newest: int
    graph: TextGraph
    texts: dict[int, bytes]


class Kept:
    """The graphs that a cache holds, and those that wait to be written to it."""

    __slots__ = ("_bytes", "_cache", "_reader", "_waiting")

    def __init__(self, reader: Reader, cache: Cache) -> None:
        self._reader = reader
        self._cache = cache
        self._waiting: dict[int, bytes] = {}
        self._bytes = 0

    def get(self, node: int) -> KeptGraph | None:
        """Return the kept graph of a text. Cost: its runs."""
        row = self._waiting.get(node) or self._cache.get(GRAPH, key(node))
        if row is None:
            return None
        newest = number(row[:4])
        if not self._is_fit(node, newest, row):
            return None
        try:
            body = _opened(row[_HEAD:])
            end = _LENGTH + number(body[:_LENGTH])
            return KeptGraph(newest, unpack(body[_LENGTH:end]), _unpack_texts(body[end:]))
        except PackedGraphError:
            return None

    def put(
        self, node: int, newest: int, graph: TextGraph, texts: Mapping[int, bytes] = NOTHING
    ) -> None:
        """Keep a graph and lines of changes, at the latest once `write` is called.

        Cost: its runs.
        """
        packed = pack(graph)
        body = key(len(packed)) + packed + _pack_texts(texts)
        row = key(newest) + arrival(self._reader, newest) + packer(_LEVEL).compress(body)
        self._bytes += len(row) - len(self._waiting.get(node, b""))
        self._waiting[node] = row
        if self._bytes > WAITING:
            self.write()

    def write(self) -> None:
        """Write what waits, if that is possible just now."""
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


def _opened(data: bytes) -> bytes:
    """Return what a row holds behind its head.

    Raises:
        PackedGraphError: it does not open.
    """
    from oxy.store import zstd

    try:
        if zstd.get_frame_parameters(data).content_size <= _LIMIT:
            return zstd.ZstdDecompressor(max_window_size=_LIMIT).decompress(data)
    except zstd.ZstdError as error:
        raise PackedGraphError(str(error)) from error
    rule = "it is too large"
    raise PackedGraphError(rule)


def _pack_texts(texts: Mapping[int, bytes]) -> bytes:
    changes: list[int] = []
    left = TEXTS
    for change in sorted(texts, reverse=True):
        left -= len(texts[change])
        if left < 0:
            break
        changes.append(change)
    packed: bytes = msgpack.packb((changes, [texts[change] for change in changes]))
    return packed


def _unpack_texts(data: bytes) -> dict[int, bytes]:
    try:
        changes, texts = msgpack.unpackb(data, use_list=False)
        return dict(zip(changes, texts, strict=True))
    except (ValueError, TypeError) as error:
        rule = "the lines beside it do not parse"
        raise PackedGraphError(rule) from error
