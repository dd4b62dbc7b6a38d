"""Rows of nodes that are looked at one after the other, read together (spec: CP1, CP27)."""

from collections.abc import Iterator, Sequence
from oxy.typed import Final, TypeAlias

from oxy.repo.tables import TOUCH, WRITE, key, number, pair, unpair
from oxy.store.protocol import Reader

CLOSE: Final = 4
"""Nodes of which fewer than one in so many are wanted are looked up one by one."""

Rows: TypeAlias = list[tuple[int, bytes]]
"""The changes that have to do with one node, in order of arrival, and their rows."""


def between(
    reader: Reader, table: int, after: bytes, last: int
) -> Iterator[tuple[bytes, bytes]]:
    """Yield the rows of a table beyond a key, up to those of a node. Cost: hundreds a query."""
    end = key(last + 1)
    for row_key, row in reader.rows(table, after=after):
        if row_key >= end:
            return
        yield row_key, row


class Gathered:
    """Which changes touch nodes, and what they write there; of some this is held in memory."""

    __slots__ = ("_reader", "_touches", "_writes")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._touches: dict[int, Rows] = {}
        self._writes: dict[int, Rows] = {}

    def forget(self) -> None:
        """Forget everything: something was recorded, or taken back."""
        self._touches.clear()
        self._writes.clear()

    def load(self, nodes: Sequence[int]) -> None:
        """Hold the rows of nodes in place of what was held before, where they are close.

        Cost: the rows between the first and the last of them; memory for these.
        """
        self.forget()
        first, last = min(nodes, default=1), max(nodes, default=0)
        if len(nodes) > 1 and last - first <= len(nodes) * CLOSE:
            for node in nodes:
                self._touches[node], self._writes[node] = [], []
            self._read(TOUCH, self._touches, first, last)
            self._read(WRITE, self._writes, first, last)

    def _read(self, table: int, found: dict[int, Rows], first: int, last: int) -> None:
        for row_key, row in between(self._reader, table, pair(first, 0), last):
            node, change = unpair(row_key)
            if node in found:
                found[node].append((change, row))

    def touch(self, node: int, change: int) -> bytes | None:
        """Return the row that tells where a change touches a node, or None."""
        rows = self._touches.get(node)
        if rows is None:
            return self._reader.row(TOUCH, pair(node, change))
        return next((row for other, row in rows if other == change), None)

    def touching(self, node: int, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield the rows of the changes that touch a node and came after one, in that order."""
        rows = self._touches.get(node)
        if rows is not None:
            yield from (row for row in rows if row[0] > after)
            return
        start = pair(node, after) if after else None
        for row_key, row in self._reader.rows(TOUCH, key(node), after=start):
            yield number(row_key), row

    def writes(self, node: int) -> Iterator[tuple[int, bytes]]:
        """Yield the rows of what changes write to a node, in order of arrival."""
        rows = self._writes.get(node)
        if rows is not None:
            yield from rows
            return
        for row_key, row in self._reader.rows(WRITE, key(node)):
            yield number(row_key), row

    def changes(self) -> set[int]:
        """Return the changes of those nodes in memory that more than one touches."""
        edited = (rows for rows in self._touches.values() if len(rows) > 1)
        return {change for rows in edited for change, _ in rows}
