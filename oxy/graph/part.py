"""The runs of one region as a net of their own (spec: conflicts, C12). Pure.

Nothing outside of the region reaches in: edges lead from its runs to its runs, and of a
deletion only the lines that are here count.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from oxy.typed import Final, NamedTuple, TypeAlias

from pyroaring import BitMap

from oxy.graph.finder import Finder
from oxy.graph.net import NOWHERE, Net
from oxy.graph.text import EDGE, Claim, Deletion, Span, TextGraph, point
from oxy.graph.weave import SHIFT
from oxy.model.operation import OUT, TEXT

Row: TypeAlias = tuple[int, int, int]
"""First line, size and fate of a run."""

SPENT: Final = -1
"""The fate of lines that are dead whoever deletes them, and come into no pair."""


class Basis(NamedTuple):
    """What parts are of: a text, what is looked up of it, and the ground that they stand on."""

    graph: TextGraph
    finder: Finder
    ground: BitMap | None


class Part(Net):
    """Some runs of a state, in weave order, as a directed graph.

    Above a ground, its runs follow each other, whatever was left out between them.
    """

    __slots__ = ("_by_owner", "_deletions", "_rows")

    def __init__(self, whole: Net | Basis, state: BitMap, rows: Sequence[Row]) -> None:
        """Take runs of a net in a state of its own, which has to hold their changes."""
        self._rows = rows
        self._by_owner: dict[int, list[int]] = {}
        self._deletions: dict[int, dict[int, Deletion]] | None = None
        super().__init__(whole.graph, state, finder=whole.finder, ground=whole.ground)

    def _take_runs(self) -> None:
        alive = {SPENT: False}
        for run, (start, size, fate) in enumerate(self._rows):
            self.starts.append(start)
            self.sizes.append(size)
            self.fates.append(fate)
            if fate not in alive:
                alive[fate] = not self.counting(fate)
            self.alive.append(alive[fate])
            self.index[start] = run
            self.ends[start + size] = run
            self._by_owner.setdefault(start >> SHIFT, []).append(start)
        for starts in self._by_owner.values():
            starts.sort()

    def _take_blocks(self) -> None:
        index, ends, edges = self.index, self.ends, self.edges
        ground = self._chain()
        for run, (start, size, _) in enumerate(self._rows):
            if start >> SHIFT in ground:
                continue
            blocks = self.graph.deeds[start >> SHIFT].blocks
            block = blocks[bisect_right(blocks, (start + 1,)) - 1]
            if start == block.start and block.left != EDGE:
                before = ends.get((block.left >> 2) + 1)
                if before is not None:
                    node = 2 * before + (block.left & 3 != TEXT)
                    edges.setdefault(node, []).append(2 * run)
            end = start + size
            is_last = end == block.start + block.size
            self.following[run] = self._node(block.right) if is_last else self._node(end << 2)
        assert len(index) == len(self._rows)  # noqa: S101 - no run is given twice

    def _chain(self) -> BitMap:
        """Let each run of the ground follow the one before it; return the ground."""
        ground = BitMap() if self.ground is None else self.ground
        runs = [run for run, row in enumerate(self._rows) if row[0] >> SHIFT in ground]
        for before, after in pairwise(runs):
            self.following[before] = 2 * after
        return ground

    def _node(self, right: int) -> int:
        """Return the node that a right point is in, if it is here."""
        if right == EDGE:
            return NOWHERE
        if right & 3 == OUT:
            run = self.ends.get((right >> 2) + 1)
            return NOWHERE if run is None else 2 * run + 1
        run = self.index.get(right >> 2)
        return NOWHERE if run is None else 2 * run

    def _take_orders(self) -> None:
        graph, state = self.graph, self.state
        if not graph.leading:
            return
        replacing = graph.replacing
        for end, before in self.ends.items():
            for side in (TEXT, OUT):
                for change, place, b in graph.leading.get(point(end - 1, side), ()):
                    after = self.index.get(b)
                    is_gone = any(c in state for c in replacing.get((change, place), ()))
                    if after is None or change not in state or is_gone:
                        continue
                    self.edges.setdefault(2 * before + (side == OUT), []).append(2 * after)
                    self.is_bent = self.is_bent or before >= after

    def runs_in(self, start: int, size: int) -> list[int]:
        """Return the indexes of those runs in a range of one change's lines that are here."""
        starts = self._by_owner.get(start >> SHIFT)
        if starts is None:
            return []
        first, last = bisect_left(starts, start), bisect_left(starts, start + size)
        return [self.index[here] for here in starts[first:last]]

    def deletions(self, changes: BitMap) -> Iterator[tuple[int, Deletion]]:
        """Yield what some changes delete here."""
        if self._deletions is None:
            self._deletions = self._hunks()
        for change, found in self._deletions.items():
            if change in changes:
                for deletion in found.values():
                    yield change, deletion

    def _hunks(self) -> dict[int, dict[int, Deletion]]:
        """Return the deletions of lines that are here, by change."""
        found: dict[int, dict[int, Deletion]] = {}
        for start, _, fate in self._rows:
            named = () if fate == SPENT else self.finder.deleting(fate, self.state)
            for change in named:
                deletion = self.finder.hunk(start, change)
                found.setdefault(change, {})[deletion.spans[0].start] = deletion
        return found

    def claims(self) -> Iterator[Claim]:
        """Yield what is settled about the lines here."""
        for owner in self._by_owner:
            for claim in self.graph.claims.get(owner, ()):
                if claim.change in self.state:
                    yield claim

    def kept(self) -> Iterator[tuple[Span, int]]:
        """Yield the lines here that were restored or kept on purpose, and by whom."""
        for owner in self._by_owner:
            for entry in self.graph.kept.get(owner, ()):
                if entry[1] in self.state:
                    yield entry

    def counting(self, fate: int) -> tuple[int, ...]:
        """Return the deletions of a fate that count."""
        return () if fate == SPENT else super().counting(fate)
