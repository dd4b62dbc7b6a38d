"""Which changes stand in for which (spec: states, S12, S13).

A change that was recorded in place of others names them in an extra field. It means nothing
for what the change does; it lets whoever held the old ones find the new.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from oxy.typed import Final

from oxy.model.change import Header
from oxy.model.digest import DIGEST_SIZE, ChangeId
from oxy.repo.tables import REPLACED, key, number
from oxy.store.protocol import CHANGE, Reader

REPLACES: Final = b"oxy:replaces"
"""The extra field: ids, ascending, one after the other."""

MOST: Final = 1024
"""Ids that a change names at most; beyond that only those that it replaces directly."""

REMEMBERED: Final = 65_536


def replaced_by_header(header: Header) -> tuple[ChangeId, ...]:
    """Return the changes that a change says it stands in for; none where the field is odd."""
    if not header.extra:
        return ()
    held = dict(header.extra).get(REPLACES, b"")
    ids = [ChangeId(held[at : at + DIGEST_SIZE]) for at in range(0, len(held), DIGEST_SIZE)]
    is_sound = len(held) % DIGEST_SIZE == 0 and all(a < b for a, b in pairwise(ids))
    return tuple(ids) if is_sound else ()


def field(old: Iterable[tuple[ChangeId, Header]]) -> tuple[bytes, bytes]:
    """Return the extra field of a change that stands in for others.

    It also names what these stood in for: nobody else may have them, who had the first.
    """
    direct: set[ChangeId] = set()
    every: set[ChangeId] = set()
    for name, header in old:
        direct.add(name)
        every.update(replaced_by_header(header))
    every |= direct
    return REPLACES, b"".join(sorted(every if len(every) <= MOST else direct))


def successors(reader: Reader, name: bytes) -> list[int]:
    """Return the changes that stand in for one, but for those that others of them replace.

    Cost: the changes that name it, and their headers.
    """
    found = every(reader, name)
    if len(found) <= 1:
        return found
    ids = dict(zip(found, reader.ids_of(CHANGE, found), strict=True))
    outdone = {
        other
        for other, other_name in ids.items()
        for row_key, _ in reader.rows(REPLACED, other_name)
        if number(row_key) in ids
    }
    return [other for other in found if other not in outdone]


def keys_of(header: Header, row_key: bytes) -> Iterator[bytes]:
    """Yield the keys of the rows that tell what a change replaces, and that it does."""
    names = replaced_by_header(header)
    for name in names:
        yield name + row_key
    if names:
        yield row_key


def is_replacement(reader: Reader, change: int) -> bool:
    """Return whether a change stands in for others. Cost: a row."""
    return reader.row(REPLACED, key(change)) is not None


class Replacements:
    """Which changes stand in for others, remembered, so that many are looked up at once."""

    __slots__ = ("_known", "_reader")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[int, bool] = {}

    def forget(self) -> None:
        """Drop what is remembered: a transaction that held some of it was rolled back."""
        self._known.clear()

    def learn(self, changes: Sequence[int]) -> None:
        """Look many changes up. Cost: a query for some hundred."""
        if len(self._known) + len(changes) > REMEMBERED:
            self._known.clear()
        rows = self._reader.rows_many(REPLACED, map(key, changes))
        self._known.update((change, key(change) in rows) for change in changes)

    def has(self, change: int) -> bool:
        """Return whether a change stands in for others."""
        known = self._known.get(change)
        return is_replacement(self._reader, change) if known is None else known


def every(reader: Reader, name: bytes) -> list[int]:
    """Return all changes that stand in for one."""
    return [number(row_key) for row_key, _ in reader.rows(REPLACED, name)]
