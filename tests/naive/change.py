"""The operations of one change on one text, as plain values (spec: graph, conflicts).

The vocabulary of the naive model. A change key is any bytes; keys order as ids do.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple, TypeAlias

Key: TypeAlias = bytes
State: TypeAlias = frozenset[Key]


class LineId(NamedTuple):
    """A line's identity: the change that inserted it and its index there."""

    change: Key
    number: int


class Place(IntEnum):
    """Which of a line's three points; what lies between TEXT and OUT is inside the line."""

    IN = 0
    TEXT = 1
    OUT = 2


class Point(NamedTuple):
    """One point of one line."""

    line: LineId
    place: Place


class Insert(NamedTuple):
    """The next `size` lines of the change, lying between two points.

    No left point is START, no right point is END.
    """

    size: int
    left: Point | None
    right: Point | None


class Hunk(NamedTuple):
    """Lines deleted as one stretch, and the index of the insert that took their place."""

    lines: tuple[LineId, ...]
    block: int | None


class Restore(NamedTuple):
    """Cancels one deletion of one line; without effect where that change is absent."""

    line: LineId
    deletion: Key


class Order(NamedTuple):
    """`before` reads before `after`; `inside` when `after` lies inside `before`."""

    before: LineId
    after: LineId
    inside: bool


class Unorder(NamedTuple):
    """Names one order operation of another change that no longer counts."""

    change: Key
    number: int


class Pair(NamedTuple):
    """A line against a deletion or, with a keeper, a decision against a deletion."""

    line: LineId
    deletion: Key
    keeper: Key | None


class NaiveChange(NamedTuple):
    """One change to one text.

    `texts` are the inserted lines in the order of `inserts`, block after block. `context` is
    the heads of the state that it was recorded on.
    """

    key: Key
    texts: tuple[str, ...] = ()
    inserts: tuple[Insert, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    restores: tuple[Restore, ...] = ()
    orders: tuple[Order, ...] = ()
    unorders: tuple[Unorder, ...] = ()
    settles: tuple[Pair, ...] = ()
    keeps: tuple[LineId, ...] = ()
    dependencies: frozenset[Key] = frozenset()
    context: frozenset[Key] = frozenset()

    @property
    def lines(self) -> tuple[LineId, ...]:
        """The lines that the change inserts."""
        return tuple(LineId(self.key, number) for number in range(len(self.texts)))

    def block(self, number: int) -> tuple[LineId, ...]:
        """Return the lines of one insert."""
        start = sum(insert.size for insert in self.inserts[:number])
        return self.lines[start : start + self.inserts[number].size]

    def deletes(self) -> frozenset[LineId]:
        """Return every line that a hunk names."""
        return frozenset(line for hunk in self.hunks for line in hunk.lines)

    def points(self) -> Iterator[Point]:
        """Yield the points that the inserts refer to."""
        for insert in self.inserts:
            if insert.left is not None:
                yield insert.left
            if insert.right is not None:
                yield insert.right

    def references(self) -> frozenset[LineId]:
        """Return the lines that the change cannot be applied without, its own excepted."""
        named = {point.line for point in self.points()} | self.deletes()
        named.update(restore.line for restore in self.restores)
        for order in self.orders:
            named.update((order.before, order.after))
        return frozenset(named.difference(self.lines))
