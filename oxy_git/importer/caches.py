"""What an import remembers, in bounded memory (spec: git-bridge, GB27)."""

from array import array
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from oxy.graph.reading import Reading
from oxy.repo.registers import Registers
from oxy.repo.repository import Repository

TEXT_BYTES: Final = 24 << 20
SPANS: Final = 2_000_000
"""Spans of readings, of 12 bytes each: where they stay, no graph is read for an edit."""

ENTRY: Final = 30
"""Spans that take as much memory as what is beside those of a reading."""

REGISTERS: Final = 20_000


class Texts:
    """Blobs by their Git id, the latest used, up to a number of bytes."""

    __slots__ = ("_bytes", "_fetch", "_known", "_limit")

    def __init__(self, fetch: Callable[[bytes], bytes], limit: int = TEXT_BYTES) -> None:
        self._fetch = fetch
        self._limit = limit
        self._known: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def put(self, oid: bytes, data: bytes) -> None:
        """Remember a blob."""
        if oid in self._known:
            self._known.move_to_end(oid)
            return
        self._known[oid] = data
        self._bytes += len(data)
        while self._bytes > self._limit and len(self._known) > 1:
            _, old = self._known.popitem(last=False)
            self._bytes -= len(old)

    def get(self, oid: bytes) -> bytes:
        """Return a blob, read from Git where it is not remembered."""
        data = self._known.get(oid)
        if data is None:
            data = self._fetch(oid)
            self.put(oid, data)
        else:
            self._known.move_to_end(oid)
        return data


class Readings:
    """What texts read that read clean, by node and version key, the latest used.

    They are held as columns of numbers: as lists they take six times as much.
    """

    __slots__ = ("_known", "_spans")

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, bytes], tuple[array[int], array[int]]] = (
            OrderedDict()
        )
        self._spans = 0

    def put(self, node: int, key: bytes, reading: Reading) -> None:
        """Remember a reading, if it is clean. Cost: a copy of its spans."""
        if not reading.is_clean or (node, key) in self._known:
            return
        self._known[node, key] = array("q", reading.starts), array("I", reading.sizes)
        self._spans += len(reading.starts) + ENTRY
        while self._spans > SPANS and len(self._known) > 1:
            _, (starts, _) = self._known.popitem(last=False)
            self._spans -= len(starts) + ENTRY

    def get(self, node: int, key: bytes) -> Reading | None:
        """Return a reading that is remembered. Cost: likewise."""
        found = self._known.get((node, key))
        if found is None:
            return None
        self._known.move_to_end((node, key))
        return Reading(found[0].tolist(), found[1].tolist())


class RegisterCache:
    """The registers of nodes, the latest used."""

    __slots__ = ("_known", "_repository")

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: OrderedDict[int, Registers] = OrderedDict()

    def get(self, node: int) -> Registers:
        """Return the registers of a node."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._repository.nodes.registers(node)
            if len(self._known) > REGISTERS:
                self._known.popitem(last=False)
        return found

    def drop(self, node: int) -> None:
        """Forget a node's registers: a write was recorded."""
        self._known.pop(node, None)
