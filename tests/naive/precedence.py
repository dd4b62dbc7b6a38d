"""Which point comes before which: the closure of edges between points (spec: graph)."""

from collections.abc import Iterable
from typing import TypeAlias

from tests.naive.change import LineId, Place, Point

Edge: TypeAlias = tuple[Point, Point]


class Precedence:
    """What a set of edges says about the order of some lines' points.

    Cycles are allowed: two points on one precede each other and themselves. Edges from or to
    other lines say nothing. Cost: quadratic in the points, on integers as bit sets.
    """

    __slots__ = ("_after", "_number")

    def __init__(self, lines: Iterable[LineId], edges: Iterable[Edge]) -> None:
        points = [Point(line, place) for line in lines for place in Place]
        self._number = {point: number for number, point in enumerate(points)}
        self._after = [0] * len(points)
        for number, point in enumerate(points):
            if point.place is not Place.OUT:
                self._after[number] = 1 << number + 1
        for earlier, later in edges:
            if earlier in self._number and later in self._number:
                self._after[self._number[earlier]] |= 1 << self._number[later]
        self._close()

    def _close(self) -> None:
        after = self._after
        for middle in range(len(after)):
            for number, reached in enumerate(after):
                if reached >> middle & 1:
                    after[number] = reached | after[middle]

    def precedes(self, earlier: Point, later: Point) -> bool:
        """Return whether a path leads from one point to the other."""
        return bool(self._after[self._number[earlier]] >> self._number[later] & 1)

    def before(self, earlier: LineId, later: LineId) -> bool:
        """Return whether one line's text precedes the other's."""
        return self.precedes(Point(earlier, Place.TEXT), Point(later, Place.TEXT))

    def strictly(self, earlier: LineId, later: LineId) -> bool:
        """Return whether one line comes before the other and not also after it."""
        return self.before(earlier, later) and not self.before(later, earlier)

    def decided(self, one: LineId, other: LineId) -> bool:
        """Return whether exactly one order of the two lines is said."""
        return self.before(one, other) != self.before(other, one)

    def inside(self, inner: LineId, outer: LineId) -> bool:
        """Return whether one line ends before the other does: it follows inside that line."""
        return self.precedes(Point(inner, Place.OUT), Point(outer, Place.OUT))

    def sort(self, lines: Iterable[LineId]) -> list[LineId]:
        """Return the lines in reading order; those that no order separates, by identity."""
        these = list(lines)
        rank = {line: sum(self.strictly(other, line) for other in these) for line in these}
        return sorted(these, key=lambda line: (rank[line], line))
