"""Where the conflicts of a reading stand among the lines that edits number (spec: graph, G17).

Pure.
"""

from collections.abc import Iterable, Iterator
from oxy.typed import NamedTuple, TypeAlias

from oxy.graph.deed import Span
from oxy.graph.lineset import LineSet
from oxy.graph.reading import Conflict, Reading

Range: TypeAlias = tuple[int, int]
"""Line numbers from a first up to a last, last excluded."""


class Place(NamedTuple):
    """The flat lines of a conflict.

    Attributes:
        first: the number of its first line.
        last: the number after its last line.
        sides: for each side the ranges that are its text, in its order; a line of several
            sides stands where the first of them has it.
    """

    first: int
    last: int
    sides: tuple[tuple[Range, ...], ...]


def places(reading: Reading) -> tuple[Place, ...]:
    """Return where each conflict stands in what `oxy.graph.draft.flat` lists.

    Cost: the spans.
    """
    found: list[Place] = []
    number = done = 0
    for conflict in reading.conflicts:
        number += sum(reading.sizes[done : conflict.position])
        done = conflict.position
        place = _place(conflict, number)
        found.append(place)
        number = place.last
    return tuple(found)


def flat_sides(conflict: Conflict) -> Iterator[tuple[Span, ...]]:
    """Yield of each side the spans that no side before it has."""
    seen = LineSet(())
    for side in conflict.sides:
        fresh = seen.without(side.spans)
        yield fresh
        seen.update(fresh)


def _place(conflict: Conflict, first: int) -> Place:
    numbers: dict[int, int] = {}
    """The flat number of the first line of each span that was listed."""
    seen = LineSet(())
    sides: list[tuple[Range, ...]] = []
    last = first
    for side, fresh in zip(conflict.sides, flat_sides(conflict), strict=True):
        for span in fresh:
            numbers[span.start] = last
            last += span.size
        seen.update(fresh)
        sides.append(_joined(_ranges(side.spans, seen, numbers)))
    return Place(first, last, tuple(sides))


def _ranges(spans: Iterable[Span], seen: LineSet, numbers: dict[int, int]) -> Iterator[Range]:
    for span in spans:
        for part, whole in seen.parts(span):
            first = numbers[whole.start] + part.start - whole.start
            yield first, first + part.size


def _joined(ranges: Iterable[Range]) -> tuple[Range, ...]:
    joined: list[Range] = []
    for first, last in ranges:
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return tuple(joined)
