"""The weave: every line that a text ever had, as runs in an order that keeps all insert edges.

(spec: graph, G27 to G36.) A line is one integer, `change << 32 | index`; a run is its first
line, its size, and its fate, an index into the graph's table of fates. Runs are kept in chunks,
so that finding a line and inserting beside it never walk the whole weave. Pure.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from itertools import groupby
from oxy.typed import Final, TypeAlias

from oxy.errors import CorruptionError

SHIFT: Final = 32

Position: TypeAlias = tuple[int, int]
"""Where a run stands: comparable."""

CHUNK: Final = 64
"""Runs in a chunk before it is halved."""
FILL: Final = 48
"""Runs in a chunk that is loaded, which leaves it room."""


class NoLineError(CorruptionError):
    """An operation names a line that the text does not have."""

    def __init__(self, line: int) -> None:
        super().__init__(
            f"line {line & 0xFFFFFFFF} of change {line >> SHIFT} is not in the text"
        )
        self.line = line


class Chunk:
    """Neighbouring runs as three lists that go together."""

    __slots__ = ("fates", "sizes", "starts")

    def __init__(self, starts: list[int], sizes: list[int], fates: list[int]) -> None:
        self.starts = starts
        self.sizes = sizes
        self.fates = fates


class Weave:
    """A sequence of runs that finds any line without walking."""

    __slots__ = ("chunks", "cuts", "home")

    def __init__(self) -> None:
        self.chunks: list[Chunk] = []
        self.home: dict[int, Chunk] = {}
        self.cuts: dict[int, list[int]] = {}

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self.home)

    def runs(self) -> Iterator[tuple[int, int, int]]:
        """Yield (first line, size, fate) of every run, in order."""
        for chunk in self.chunks:
            yield from zip(chunk.starts, chunk.sizes, chunk.fates, strict=True)

    def append(self, start: int, size: int, fate: int) -> None:
        """Put a run of new lines last; how a weave is loaded. Cost: constant, amortised."""
        if not self.chunks or len(self.chunks[-1].starts) >= CHUNK:
            self.chunks.append(Chunk([], [], []))
        chunk = self.chunks[-1]
        chunk.starts.append(start)
        chunk.sizes.append(size)
        chunk.fates.append(fate)
        self._register(start, chunk)

    def load(self, starts: list[int], sizes: list[int], fates: list[int]) -> None:
        """Fill an empty weave with runs in order. Cost: a sort of the runs."""
        for first in range(0, len(starts), FILL):
            part = slice(first, first + FILL)
            chunk = Chunk(starts[part], sizes[part], fates[part])
            self.chunks.append(chunk)
            self.home.update(dict.fromkeys(chunk.starts, chunk))
        for change, cuts in groupby(sorted(starts), key=_change):
            self.cuts[change] = list(cuts)

    def insert_before(self, line: int, start: int, size: int) -> None:
        """Put new, living lines directly before a line.

        Raises:
            NoLineError: the text does not have that line.
        """
        chunk, place = self.cut(line)
        self._insert(chunk, place, start, size, 0)

    def insert_after(self, line: int, start: int, size: int) -> None:
        """Put new, living lines directly after a line.

        Raises:
            NoLineError: the text does not have that line.
        """
        chunk, place = self.cut_after(line)
        self._insert(chunk, place + 1, start, size, 0)

    def find(self, line: int) -> tuple[Chunk, int]:
        """Return the chunk and the place in it of the run that holds a line.

        Raises:
            NoLineError: the text does not have that line.
        """
        cuts = self.cuts.get(line >> SHIFT)
        place = bisect_right(cuts, line) - 1 if cuts else -1
        if cuts is None or place < 0:
            raise NoLineError(line)
        start = cuts[place]
        chunk = self.home[start]
        inside = chunk.starts.index(start)
        if line - start >= chunk.sizes[inside]:
            raise NoLineError(line)
        return chunk, inside

    def cut(self, line: int) -> tuple[Chunk, int]:
        """Make a run begin at a line; return its chunk and place."""
        chunk, place = self.find(line)
        before = line - chunk.starts[place]
        if before == 0:
            return chunk, place
        rest = chunk.sizes[place] - before
        chunk.sizes[place] = before
        return self._insert(chunk, place + 1, line, rest, chunk.fates[place])

    def cut_after(self, line: int) -> tuple[Chunk, int]:
        """Make a run end with a line; return its chunk and place."""
        chunk, place = self.find(line)
        size = line - chunk.starts[place] + 1
        rest = chunk.sizes[place] - size
        if rest:
            chunk.sizes[place] = size
            self._insert(chunk, place + 1, line + 1, rest, chunk.fates[place])
            return self.find(line)
        return chunk, place

    def at(self, start: int) -> tuple[Chunk, int]:
        """Return the chunk and the place in it of the run that begins at a line."""
        chunk = self.home[start]
        return chunk, chunk.starts.index(start)

    def within(self, start: int, size: int) -> list[int]:
        """Cut at both ends of a range of one change's lines; return the first line of each run.

        Raises:
            NoLineError: the text lacks lines of the range.
        """
        chunk, place = self.cut(start)
        if chunk.sizes[place] == size:
            return [start]
        self.cut_after(start + size - 1)
        return self.covering(start, size)

    def covering(self, start: int, size: int) -> list[int]:
        """Return the first line of each run that begins in a range of one change's lines.

        Raises:
            NoLineError: the text lacks lines of the range.
        """
        cuts = self.cuts.get(start >> SHIFT, [])
        firsts = cuts[bisect_left(cuts, start) : bisect_left(cuts, start + size)]
        if sum(self.size(first) for first in firsts) < size:
            raise NoLineError(start)
        return firsts

    def size(self, start: int) -> int:
        """Return the size of the run that begins at a line."""
        chunk = self.home[start]
        return chunk.sizes[chunk.starts.index(start)]

    def fate(self, start: int) -> int:
        """Return the fate of the run that begins at a line."""
        chunk = self.home[start]
        return chunk.fates[chunk.starts.index(start)]

    def set_fate(self, start: int, fate: int) -> None:
        """Give the run that begins at a line another fate."""
        chunk = self.home[start]
        chunk.fates[chunk.starts.index(start)] = fate

    def position(self, line: int) -> Position:
        """Return where the run that holds a line stands: comparable positions."""
        chunk, place = self.find(line)
        return self.chunks.index(chunk), place

    def remove(self, change: int) -> None:
        """Take every run of a change out. Cost: its runs."""
        for start in self.cuts.pop(change, ()):
            chunk = self.home.pop(start)
            place = chunk.starts.index(start)
            del chunk.starts[place], chunk.sizes[place], chunk.fates[place]
            if not chunk.starts:
                self.chunks.remove(chunk)

    def _register(self, start: int, chunk: Chunk) -> None:
        self.home[start] = chunk
        cuts = self.cuts.setdefault(start >> SHIFT, [])
        if cuts and start < cuts[-1]:
            insort(cuts, start)
        else:
            cuts.append(start)

    def _insert(
        self, chunk: Chunk, place: int, start: int, size: int, fate: int
    ) -> tuple[Chunk, int]:
        chunk.starts.insert(place, start)
        chunk.sizes.insert(place, size)
        chunk.fates.insert(place, fate)
        self._register(start, chunk)
        if len(chunk.starts) < CHUNK:
            return chunk, place
        half = CHUNK // 2
        other = Chunk(chunk.starts[half:], chunk.sizes[half:], chunk.fates[half:])
        del chunk.starts[half:], chunk.sizes[half:], chunk.fates[half:]
        self.chunks.insert(self.chunks.index(chunk) + 1, other)
        for moved in other.starts:
            self.home[moved] = other
        return (chunk, place) if place < half else (other, place - half)


def _change(line: int) -> int:
    return line >> SHIFT
