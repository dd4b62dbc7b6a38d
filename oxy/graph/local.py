"""Recording on a disputed text that reads clean: what is to be said is found beside the edits.

(spec: graph, G17 to G25; conflicts, C4 to C6.) A state that reads clean has settled every pair
that exists in it, so a new line can only come into pairs that lines beside it are settled in,
or that the changes of these make. Pure.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from oxy.typed import Final

from pyroaring import BitMap

from oxy.graph.draft import Edits
from oxy.graph.naming import strong
from oxy.graph.net import Net
from oxy.graph.paths import Paths
from oxy.graph.plain import plain_deed
from oxy.graph.reading import Reading
from oxy.graph.text import EDGE, Block, Deed, Deletion, Span, TextGraph, Verdict, point
from oxy.graph.weave import SHIFT, Position
from oxy.model.operation import OUT, TEXT

MANY: Final = 2
"""Lines that are needed for another to lie between them."""


def local_deed(
    graph: TextGraph,
    state: BitMap,
    reading: Reading,
    edits: Edits,
    change: int,
) -> Deed | None:
    """Return what edits of a clean reading do, or None if the whole text has to be looked at.

    It is what `oxy.graph.settle` finds. Cost: what was said about the lines beside the edits,
    and the ghosts between two neighbours that a block goes between.
    """
    beside = _Beside(graph, state, change)
    deed = plain_deed(reading, edits, change)
    if not all(map(beside.is_enough, deed.blocks)):
        return None
    verdicts = [
        verdict for deletion in deed.deletions for verdict in beside.decisions(deletion)
    ]
    for deletion in deed.deletions:
        if deletion.block is not None:
            verdicts += beside.inherited(deletion, deletion.block)
    for block in deed.blocks:
        verdicts += beside.surrounding(block)
    if not verdicts:
        return deed
    deed = deed._replace(verdicts=tuple(sorted(set(verdicts))))
    return deed._replace(needs=tuple(sorted(strong(deed))))


class _Beside:
    """What a state says about the lines beside the edits of a change."""

    __slots__ = ("_hunks", "_stretches", "change", "graph", "net", "paths", "state")

    def __init__(self, graph: TextGraph, state: BitMap, change: int) -> None:
        self.graph = graph
        self.state = state
        self.change = change
        self.paths = Paths(graph, state)
        self.net: Net | None = None
        """The state as a whole, once a question is asked that needs it."""
        self._hunks: dict[int, list[tuple[Block, Deletion]]] = {}
        """The deletions of a change that have a block, in the order of these."""
        self._stretches: dict[int, list[tuple[Position, Position, Deletion]]] = {}
        """Where the lines of a change's deletions begin and end, by change."""

    def is_enough(self, block: Block) -> bool:
        """Return whether the points of a block put it where it is to read, and no line inside.

        Neighbours are to be joined by insert edges alone, and what follows a line that is
        replaced is to follow its out.
        """
        left, right = block.left, block.right
        if left == EDGE:
            return True
        if self.paths.has_inside(left >> 2):
            return False
        if right == EDGE or right & 3 == OUT or self._is_one_run(left >> 2, right >> 2):
            return True
        return self.paths.reaches(self._run_end(left >> 2, OUT), right >> 2, has_orders=False)

    def _is_one_run(self, one: int, other: int) -> bool:
        chunk, place = self.graph.weave.find(one)
        start = chunk.starts[place]
        return start <= other < start + chunk.sizes[place]

    def _run_end(self, line: int, side: int) -> int:
        """Return a point of the last line of the run that holds a line."""
        chunk, place = self.graph.weave.find(line)
        return point(chunk.starts[place] + chunk.sizes[place] - 1, side)

    def decisions(self, deletion: Deletion) -> Iterator[Verdict]:
        """Yield the triples of lines that are deleted and that others kept on purpose."""
        for span in deletion.spans:
            for kept, keeper in self.graph.kept.get(span.start >> SHIFT, ()):
                part = _common(span, kept)
                if part is not None and keeper in self.state:
                    yield Verdict(part, self.change, keeper)

    def inherited(self, deletion: Deletion, block: Block) -> Iterator[Verdict]:
        """Yield the pairs of a block that stands for what the lines it replaces stood for."""
        if any(map(self._is_suspect, deletion.spans)):
            new = Span(block.start, block.size)
            for named in self._stood_for(deletion.spans):
                yield Verdict(new, named, 0)

    def _is_suspect(self, span: Span) -> bool:
        owner = span.start >> SHIFT
        return owner in self.graph.doubled or next(self._settled(span), None) is not None

    def _settled(self, span: Span) -> Iterator[int]:
        """Yield the deletions against which lines of a span are settled."""
        state = self.state
        for claim in self.graph.claims.get(span.start >> SHIFT, ()):
            if (
                not claim.keeper
                and claim.change in state
                and claim.deletion in state
                and _common(span, claim.span) is not None
            ):
                yield claim.deletion

    def _stood_for(self, spans: Iterable[Span]) -> set[int]:
        """Return the other changes that delete a line which the lines of spans stand for.

        What a line on the way is settled against, it does not pass on. So a line of a state
        that reads clean passes on only its own change's deletion, for which it is in no pair,
        and lines older than those that this deletes need not be looked at.
        """
        graph, weave = self.graph, self.graph.weave
        found: set[int] = set()
        seen: set[tuple[Block, frozenset[int], int]] = set()
        nothing: frozenset[int] = frozenset()
        work = [
            (part, nothing, self._oldest(part)) for span in spans for part in self._runs(span)
        ]
        while work:
            span, settled, oldest = work.pop()
            owner = span.start >> SHIFT
            if owner <= oldest:
                continue
            settled = settled.union(self._settled(span))
            for block, deletion in self._replaced(span.start):
                if (block, settled, oldest) in seen:
                    continue
                seen.add((block, settled, oldest))
                for start in (x for part in deletion.spans for x in weave.covering(*part)):
                    counting = graph.counting(weave.fate(start), self.state)
                    if owner in counting:
                        found.update(n for n in counting if n != owner and n not in settled)
                        work.append((Span(start, 1), settled, oldest))
        found.discard(self.change)
        return found

    def _replaced(self, line: int) -> Iterator[tuple[Block, Deletion]]:
        """Yield the deletions whose place a line's block took. Cost: once a change, all its."""
        owner = line >> SHIFT
        hunks = self._hunks.get(owner)
        if hunks is None:
            hunks = self._hunks[owner] = sorted(
                (deletion.block, deletion)
                for deletion in self.graph.deeds[owner].deletions
                if deletion.block is not None
            )
        place = bisect_right(hunks, line, key=_first)
        while place:
            place -= 1
            block, deletion = hunks[place]
            if block.start + block.size <= line:
                return
            yield block, deletion

    def _oldest(self, span: Span) -> int:
        """Return the oldest change of lines that the change of some lines deletes."""
        deletions = self.graph.deeds[span.start >> SHIFT].deletions
        owners = (gone.start >> SHIFT for deletion in deletions for gone in deletion.spans)
        return min(owners, default=span.start >> SHIFT)

    def _runs(self, span: Span) -> Iterator[Span]:
        """Yield a line of each run that a span has lines of."""
        line, end = span.start, span.start + span.size
        while line < end:
            yield Span(line, 1)
            chunk, place = self.graph.weave.find(line)
            line = chunk.starts[place] + chunk.sizes[place]

    def surrounding(self, block: Block) -> Iterator[Verdict]:
        """Yield the pairs of a block that lies between two lines of one deletion.

        A neighbour of the block lies between them too, so it is settled against that deletion,
        or is a line of it that was restored, or one that the deletion's change inserted.
        """
        left, right = block.left, block.right
        if EDGE in {left, right}:
            return
        line = right >> 2
        position = self.graph.weave.position
        ends = position(left >> 2), position(line)
        chunk, place = self.graph.weave.find(line)
        named = {*self._settled(Span(line, 1)), line >> SHIFT}
        named.update(self.graph.fates[chunk.fates[place]].deletions)
        for change in named:
            if change in self.state and any(
                self._surrounds(change, deletion, left, right)
                for first, last, deletion in self._stretches_of(change)
                if self.paths.is_bent or (first < ends[0] and ends[1] < last)
            ):
                yield Verdict(Span(block.start, block.size), change, 0)

    def _stretches_of(self, change: int) -> list[tuple[Position, Position, Deletion]]:
        """Return where a change's deletions of more than a line begin and end.

        A deletion's lines are in the order of the text, which is that of the weave where no
        order goes against it; so it surrounds only what lies between its first and its last.
        """
        found = self._stretches.get(change)
        if found is None:
            position = self.graph.weave.position
            found = self._stretches[change] = [
                (
                    position(deletion.spans[0].start),
                    position(deletion.spans[-1].start + deletion.spans[-1].size - 1),
                    deletion,
                )
                for deletion in self.graph.deeds[change].deletions
                if len(deletion.spans) > 1 or deletion.spans[0].size > 1
            ]
        return found

    def _surrounds_bent(self, gone: Sequence[int], left: int, right: int) -> bool:
        """Return what `_surrounds` does where orders go against the weave, by a net."""
        if self.net is None:
            self.net = Net(self.graph, self.state)
        net, find = self.net, self.graph.weave.find
        runs = [net.index[start] for start in gone]
        ends = []
        for line in (left, right):
            chunk, place = find(line)
            ends.append(net.index[chunk.starts[place]])
        before, after = ends
        return net.leads_any(runs, [before]) and net.leads_any([after], runs)

    def _surrounds(self, change: int, deletion: Deletion, left: int, right: int) -> bool:
        """Return whether lines of a deletion come before one point and after another."""
        graph, weave, paths = self.graph, self.graph.weave, self.paths
        runs = [start for span in deletion.spans for start in weave.covering(*span)]
        gone = [
            start for start in runs if change in graph.counting(weave.fate(start), self.state)
        ]
        if len(gone) < MANY:
            return False
        if self.paths.is_bent:
            return self._surrounds_bent(gone, left >> 2, right >> 2)
        ends = [self._run_end(start, TEXT) for start in gone]
        after = self._run_end(right >> 2, TEXT)
        return paths.leads(ends, [left >> 2]) and paths.leads([after], gone)


def _first(hunk: tuple[Block, Deletion]) -> int:
    return hunk[0].start


def _common(one: Span, other: Span | Block) -> Span | None:
    """Return the lines that two ranges share."""
    start = max(one.start, other.start)
    end = min(one.start + one.size, other.start + other.size)
    return Span(start, end - start) if start < end else None
