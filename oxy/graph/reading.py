"""What a state reads of one text: live lines in order, conflicts where there is no order.

(spec: graph, conflicts.) Lines come as spans, so what was never edited is one span. Pure.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from oxy.typed import TYPE_CHECKING, NamedTuple

from oxy.graph.deed import Span

if TYPE_CHECKING:
    from pyroaring import BitMap

    from oxy.graph.net import Net


class Side(NamedTuple):
    """What one of the changes in a conflict makes of its region."""

    change: int
    spans: tuple[Span, ...]


class Conflict(NamedTuple):
    """A region with more than one reading; it stands before the span at a position."""

    position: int
    sides: tuple[Side, ...]


class Twin(NamedTuple):
    """The same lines made twice: those shown, and those that live on beneath them.

    `dead` are the dead lines that are in dispute there. Where none is shown nothing tells what
    is beside them, so any edit decides them.
    """

    shown: tuple[Span, ...]
    hidden: tuple[Span, ...]
    dead: tuple[Span, ...] = ()


class Reading:
    """The spans of a text in order; neighbours that continue each other are one span."""

    __slots__ = ("_offsets", "conflicts", "fresh", "ground", "net", "sizes", "starts", "twins")

    def __init__(
        self,
        starts: list[int],
        sizes: list[int],
        conflicts: tuple[Conflict, ...] = (),
        twins: tuple[Twin, ...] = (),
    ) -> None:
        self.starts = starts
        self.sizes = sizes
        self.conflicts = conflicts
        self.twins = twins
        self.fresh: BitMap | None = None
        """The changes that open pairs can be of, where that is known; see `open_pairs`."""
        self.ground: BitMap | None = None
        """A state below those that reads in one way, if a net above it is enough."""
        self.net: tuple[Net, int] | None = None
        """The net that it was found from, and how many runs the weave had then."""
        self._offsets: list[int] | None = None

    @property
    def is_clean(self) -> bool:
        """Whether there is one reading and nothing hidden beneath it."""
        return not self.conflicts and not self.twins

    @property
    def offsets(self) -> list[int]:
        """The number of the first line of each span, and the number of lines last."""
        if self._offsets is None:
            self._offsets = list(accumulate(self.sizes, initial=0))
        return self._offsets

    @property
    def total(self) -> int:
        """The number of lines outside conflicts."""
        return self.offsets[-1]

    def spans(self) -> Iterator[Span]:
        """Yield the spans outside conflicts, in order."""
        return map(Span, self.starts, self.sizes)

    def line(self, number: int) -> int:
        """Return the line at a number from 0. Cost: the logarithm of the spans."""
        place = bisect_right(self.offsets, number) - 1
        return self.starts[place] + number - self.offsets[place]

    def between(self, first: int, last: int) -> list[Span]:
        """Return the spans of the lines numbered from first up to last, last excluded."""
        spans: list[Span] = []
        place = bisect_right(self.offsets, first) - 1
        while first < last:
            skip = first - self.offsets[place]
            size = min(self.sizes[place] - skip, last - first)
            spans.append(Span(self.starts[place] + skip, size))
            first += size
            place += 1
        return spans

    def replaced(self, edits: Sequence[tuple[int, int, int]], new: int) -> "Reading":
        """Return the reading after edits of a clean one.

        Args:
            edits: (first line, lines dropped, lines inserted), ascending.
            new: the first inserted line; the others follow it.

        Cost: a copy of the spans, and each edit.
        """
        starts: list[int] = []
        sizes: list[int] = []
        done = 0
        for first, dropped, inserted in edits:
            self._copy(done, first, starts, sizes)
            if inserted:
                extend(starts, sizes, new, inserted)
                new += inserted
            done = first + dropped
        self._copy(done, self.total, starts, sizes)
        return Reading(starts, sizes)

    def _copy(self, first: int, last: int, starts: list[int], sizes: list[int]) -> None:
        if first >= last:
            return
        offsets = self.offsets
        place = bisect_right(offsets, first) - 1
        skip = first - offsets[place]
        size = min(self.sizes[place] - skip, last - first)
        extend(starts, sizes, self.starts[place] + skip, size)
        final = bisect_right(offsets, last - 1) - 1
        if final == place:
            return
        starts += self.starts[place + 1 : final]
        sizes += self.sizes[place + 1 : final]
        extend(starts, sizes, self.starts[final], last - offsets[final])


def extend(starts: list[int], sizes: list[int], start: int, size: int) -> None:
    """Add a span at the end, joined to the last one where it continues that."""
    if starts and starts[-1] + sizes[-1] == start:
        sizes[-1] += size
    else:
        starts.append(start)
        sizes.append(size)


def of_spans(spans: Iterable[Span]) -> Reading:
    """Return the clean reading of spans in order."""
    starts: list[int] = []
    sizes: list[int] = []
    for start, size in spans:
        extend(starts, sizes, start, size)
    return Reading(starts, sizes)
