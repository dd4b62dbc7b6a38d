"""Since when nothing reaches something, as far as was noticed (spec: store, ST30).

    4 bytes    the newest change then, big-endian
    16 bytes   which changes the numbers up to it meant (CP28)
    the rest   msgpack: [[kind, microseconds, bitmap of numbers], ...]

It is noted in the cache: without it the grace period begins anew.
"""

from collections.abc import Mapping

import msgpack
from pyroaring import BitMap

from oxy.repo.arrival import SIZE, arrival
from oxy.repo.cache import UNREACHED
from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE


def ripe(
    repository: Repository, objects: Mapping[int, BitMap], now: int, grace: int
) -> dict[int, frozenset[int]]:
    """Return what nothing has reached for a grace period; both times are in microseconds."""
    held = _noted(repository)
    found: dict[int, frozenset[int]] = {}
    for kind, numbers in objects.items():
        long = BitMap(numbers) if grace <= 0 else BitMap()
        for other, since, noted in held:
            if other == kind and since <= now - grace:
                long |= noted & numbers
        if long:
            found[kind] = frozenset(long)
    return found


def note(repository: Repository, objects: Mapping[int, BitMap], now: int) -> None:
    """Note what nothing reaches; what was noted before keeps its time."""
    rows: list[tuple[int, int, bytes]] = []
    left = {kind: BitMap(numbers) for kind, numbers in objects.items()}
    for kind, since, noted in _noted(repository):
        still = noted & left.get(kind, BitMap())
        if still:
            left[kind] -= still
            rows.append((kind, since, still.serialize()))
    rows += [(kind, now, numbers.serialize()) for kind, numbers in left.items() if numbers]
    newest = repository.store.count(CHANGE)
    head = newest.to_bytes(4, "big") + arrival(repository.store, newest)
    repository.cache.put(UNREACHED, [(b"", head + msgpack.packb(rows))])


def _noted(repository: Repository) -> list[tuple[int, int, BitMap]]:
    row = repository.cache.get(UNREACHED, b"")
    if row is None:
        return []
    newest = int.from_bytes(row[:4], "big")
    if row[4 : 4 + SIZE] != arrival(repository.store, newest):
        return []
    held: list[tuple[int, int, bytes]] = msgpack.unpackb(row[4 + SIZE :], use_list=False)
    return [(kind, since, BitMap.deserialize(data)) for kind, since, data in held]
