"""Payloads of changes that were read last (spec: checkpoints, CP1).

The registers, the graph and the lines of one node all come from the same payload, one after
the other.
"""

from collections import OrderedDict
from collections.abc import Iterable
from oxy.typed import Final

from oxy.store.protocol import CHANGE, Reader

CACHED: Final = 12 << 20
"""Bytes that are kept in memory."""

LARGE: Final = 1 << 20
"""Bytes of a payload from which on it is not read whole for one node."""


class Payloads:
    """The payloads that were read last, but for large ones."""

    __slots__ = ("_bytes", "_held", "_large", "_reader")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._held: OrderedDict[int, bytes] = OrderedDict()
        self._large: set[int] = set()
        self._bytes = 0

    def forget(self) -> None:
        """Drop everything."""
        self._held.clear()
        self._large.clear()
        self._bytes = 0

    def of(self, change: int) -> bytes | None:
        """Return the payload of a change, or None if it is large.

        Of a large change, as a first commit may be, only what is asked for is read.
        """
        payload = self._held.get(change)
        if payload is not None:
            self._held.move_to_end(change)
            return payload
        if change not in self._large:
            self.load((change,))
        return self._held.get(change)

    def load(self, changes: Iterable[int]) -> None:
        """Read the payloads of changes, many with a query. Cost: their bytes, once."""
        held, large = self._held, self._large
        # One by one: a set minus the keys of a dictionary costs all of these.
        wanted = sorted({c for c in changes if c not in held and c not in large})
        for change, payload in zip(
            wanted, self._reader.read_starts(CHANGE, wanted), strict=True
        ):
            if len(payload) >= LARGE:
                self._large.add(change)
                continue
            self._held[change] = payload
            self._bytes += len(payload)
            while self._bytes > CACHED and len(self._held) > 1:
                self._bytes -= len(self._held.popitem(last=False)[1])
