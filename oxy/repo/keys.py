"""Version keys: which changes touched a node, as one number (spec: checkpoints, CP7 to CP11).

The key of a node in a state is the sum, modulo 2 to the 128, of a keyed hash of every change in
the state that touches the node. So it is kept by adding and subtracting, and nobody without the
repository's secret can make two sets have one key.
"""

import os
from collections.abc import Sequence
from oxy.typed import Final

from blake3 import blake3

from oxy.repo.cache import SECRET, Cache
from oxy.store.protocol import CHANGE, Reader

SIZE: Final = 16
NONE: Final = bytes(SIZE)
"""The key of a node that nothing touches."""

CACHED: Final = 65_536
"""How many changes' hashes are kept in memory."""

_MODULUS: Final = 1 << 8 * SIZE


class Keys:
    """The keyed hashes of a repository's changes."""

    __slots__ = ("_cache", "_known", "_reader", "_secret")

    def __init__(self, reader: Reader, cache: Cache) -> None:
        self._reader = reader
        self._cache = cache
        self._secret: bytes | None = None
        self._known: dict[int, int] = {}

    def forget(self) -> None:
        """Drop what is remembered of changes; the secret stays."""
        self._known.clear()

    def secret(self) -> bytes:
        """Return the repository's secret, made at its first use and kept with the caches."""
        if self._secret is None:
            kept = self._cache.get(SECRET, b"")
            if kept is None or len(kept) != blake3.key_size:
                kept = os.urandom(blake3.key_size)
                self._cache.put(SECRET, [(b"", kept)])
            self._secret = kept
        return self._secret

    def fingerprint(self) -> bytes:
        """Return 8 bytes that tell this secret from another, and nothing else of it."""
        return blake3(b"oxy secret v1", key=self.secret()).digest(8)

    def of_change(self, change: int) -> int:
        """Return the keyed hash of a change."""
        known = self._known.get(change)
        if known is None:
            name = self._reader.id_of(CHANGE, change)
            known = int.from_bytes(blake3(name, key=self.secret()).digest(SIZE), "big")
            if len(self._known) >= CACHED:
                self._known.clear()
            self._known[change] = known
        return known

    def learn(self, changes: Sequence[int]) -> None:
        """Work out the hashes of many changes. Cost: a query for some hundred."""
        secret = self.secret()
        new = [change for change in changes[:CACHED] if change not in self._known]
        if len(self._known) + len(new) > CACHED:
            self._known.clear()
        for change, name in zip(new, self._reader.ids_of(CHANGE, new), strict=True):
            digest = blake3(name, key=secret).digest(SIZE)
            self._known[change] = int.from_bytes(digest, "big")

    def moved(self, key: bytes, change: int) -> bytes:
        """Return the key with a change added (or, by its negative number, taken out)."""
        step = self.of_change(change) if change > 0 else -self.of_change(-change)
        total = (int.from_bytes(key, "big") + step) % _MODULUS
        return total.to_bytes(SIZE, "big")
