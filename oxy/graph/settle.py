"""Recording on a text whose lines were disputed (spec: graph, recording; conflicts). Pure.

Everything that the edits alone do not say is said: the order that insert edges leave open, dead
lines that are kept, twins that go, and every pair that the result would show anew.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from pyroaring import BitMap

from oxy.graph.lineset import LineSet
from oxy.graph.lore import Lore
from oxy.graph.net import Net
from oxy.graph.pairs import Pair, open_pairs
from oxy.graph.reading import Reading, of_spans
from oxy.graph.recorded import Recorded, Source
from oxy.graph.text import (
    EDGE,
    Block,
    Cancel,
    Deed,
    Deletion,
    Precedence,
    Span,
    TextGraph,
    Verdict,
    point,
)
from oxy.graph.weave import SHIFT
from oxy.model.operation import IN, OUT, TEXT

Known: TypeAlias = dict[tuple[int, int], LineSet]
"""The lines of the pairs that were open before, by deletion and keeper."""

ROUNDS = 3
"""How often the result is looked at again for pairs that settling others brought up."""


def flat(reading: Reading) -> list[Span]:
    """Return the spans as edits number them: the sides of a conflict one after the other."""
    spans: list[Span] = []
    done = 0
    for conflict in reading.conflicts:
        spans += map(Span, reading.starts[done : conflict.position], reading.sizes[done:])
        done = conflict.position
        for side in conflict.sides:
            spans += LineSet(spans).without(side.spans)
    spans += map(Span, reading.starts[done:], reading.sizes[done:])
    return spans


class _Piece(NamedTuple):
    """Lines of the result: kept ones, or new ones with what they replace."""

    kept: Span | None
    source: Source
    dropped: tuple[Span, ...] = ()


class _Draft:
    """A change being worked out on one text."""

    __slots__ = (
        "change",
        "deletions",
        "graph",
        "insert_net",
        "is_conflict",
        "lore",
        "net",
        "old",
        "reading",
        "state",
        "touched",
    )

    def __init__(
        self, graph: TextGraph, state: BitMap, reading: Reading, change: int, lore: Lore
    ) -> None:
        self.graph = graph
        self.state = state
        self.reading = reading
        self.change = change
        self.lore = lore
        self.is_conflict = bool(reading.conflicts)
        self.old = _uncoalesced(flat(reading))
        self.deletions: list[Deletion] = []
        self.touched: list[Span] = []

    def look(self, edits: Sequence[tuple[int, int, int, int]]) -> None:
        """Cut the weave where the edits cut, and take the nets of the state."""
        weave = self.graph.weave
        for old, dropped, _, _ in edits:
            for number in (old, old + dropped):
                if number < self.old.total:
                    weave.cut(self.old.line(number))
                if number:
                    weave.cut_after(self.old.line(number - 1))
        self.net = Net(self.graph, self.state)
        self.insert_net = Net(self.graph, self.state, has_orders=False)

    def pieces(self, edits: Sequence[tuple[int, int, int, int]]) -> list[_Piece]:
        """Return the result as pieces, noting what is dropped."""
        pieces: list[_Piece] = []
        done = 0
        for old, dropped, new, inserted in edits:
            pieces += self._kept(done, old)
            done = old + dropped
            spans = tuple(self.old.between(old, done))
            if spans:
                self.deletions.append(Deletion(spans, None))
            self._retire_twins(spans, old, done)
            if inserted:
                pieces.append(_Piece(None, Source(inserted, new, None), spans))
        pieces += self._kept(done, self.old.total)
        return list(self._against_the_order(pieces)) if self.is_conflict else pieces

    def _kept(self, first: int, last: int) -> Iterator[_Piece]:
        for span in self.old.between(first, last):
            for run in self.net.runs_in(*span):
                start, size = self.net.starts[run], self.net.sizes[run]
                yield _Piece(Span(start, size), Source(size, None, None))

    def _retire_twins(self, dropped: tuple[Span, ...], first: int, last: int) -> None:
        near = [*dropped]
        near += self.old.between(first - 1, first) if first else []
        near += self.old.between(last, last + 1) if last < self.old.total else []
        beside = LineSet(near)
        for twin in self.reading.twins:
            if not beside.clip(twin.shown):
                continue
            self.touched += (*twin.shown, *twin.hidden)
            gone = LineSet(span for deletion in self.deletions for span in deletion.spans)
            for span in gone.without(twin.hidden):
                self._drop_each(span)

    def _drop_each(self, span: Span) -> None:
        """Delete lines one by one: they are no stretch that something could be missing from."""
        for line in range(span.start, span.start + span.size):
            self.deletions.append(Deletion((Span(line, 1),), None))

    def _against_the_order(self, pieces: Sequence[_Piece]) -> Iterator[_Piece]:
        kept = 0
        for piece in pieces:
            if piece.kept is not None:
                run = self.net.index[piece.kept.start]
                if self.insert_net.reach[run] & kept:
                    self._drop_each(piece.kept)
                    yield _Piece(None, Source(piece.kept.size, None, piece.kept))
                    continue
                kept |= 1 << run
            yield piece


def _uncoalesced(spans: Iterable[Span]) -> Reading:
    spans = list(spans)
    return Reading([span.start for span in spans], [span.size for span in spans])


class _Layout(NamedTuple):
    """The result in order: spans, blocks among them, and where new lines come from."""

    out: tuple[Span, ...]
    blocks: tuple[Block, ...]
    sources: tuple[Source, ...]


def _lay_out(draft: _Draft, pieces: Sequence[_Piece]) -> _Layout:
    out: list[Span] = []
    blocks: list[Block] = []
    sources: list[Source] = []
    line = draft.change << SHIFT
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if piece.kept is not None:
            out.append(piece.kept)
            place += 1
            continue
        end = place
        while end < len(pieces) and pieces[end].kept is None:
            end += 1
        fresh = pieces[place:end]
        dropped = next((p.dropped for p in reversed(fresh) if p.dropped), ())
        size = sum(p.source.size for p in fresh)
        following = [p.kept for p in pieces[end:] if p.kept is not None]
        if dropped and not draft.is_conflict:
            last = dropped[-1].start + dropped[-1].size - 1
            left, right = point(last, TEXT), point(last, OUT)
        else:
            left, right = _points(draft, out[-1] if out else None, following)
        blocks.append(Block(line, size, left, right))
        sources += [p.source for p in fresh]
        out.append(Span(line, size))
        line += size
        place = end
    return _Layout(tuple(out), tuple(blocks), tuple(sources))


def _points(draft: _Draft, before: Span | None, following: Sequence[Span]) -> tuple[int, int]:
    """Return the points of a block between kept runs, by insert edges alone."""
    net = draft.insert_net
    left, reached = EDGE, -1
    if before is not None:
        run = net.index[before.start]
        inside = bool(following) and net.is_inside(net.index[following[0].start], run)
        left = point(before.start + before.size - 1, TEXT if inside else OUT)
        reached = net.after(run, is_inside=inside)
    for span in following:
        if before is None or reached >> net.index[span.start] & 1:
            return left, point(span.start, IN)
    return left, EDGE


def _linked(
    deletions: Iterable[Deletion], blocks: Iterable[Block], *, is_conflict: bool
) -> tuple[Deletion, ...]:
    """Return deletions with the block that lies inside their last line."""
    hosts = {} if is_conflict else {b.left >> 2: b for b in blocks if b.right & 3 == OUT}
    return tuple(
        Deletion(d.spans, hosts.get(d.spans[-1].start + d.spans[-1].size - 1))
        for d in deletions
    )


def _restored(draft: _Draft, layout: _Layout) -> tuple[Cancel, ...]:
    net, graph = draft.net, draft.graph
    return tuple(
        Cancel(span, graph.counting(net.fates[net.index[span.start]], net.state))
        for span in layout.out
        if span.start >> SHIFT != draft.change and not net.alive[net.index[span.start]]
    )


def _kept_on_purpose(draft: _Draft, layout: _Layout) -> tuple[Span, ...]:
    shown = LineSet(
        span
        for conflict in draft.reading.conflicts
        for side in conflict.sides
        for span in side.spans
    )
    return shown.clip(layout.out)


def _order(draft: _Draft, layout: _Layout) -> Deed:
    """Return the order operations that the result needs beyond its edges."""
    net = Net(draft.graph, draft.state | BitMap([draft.change]))
    edges = Net(draft.graph, net.state, has_orders=False)
    runs = [run for span in layout.out for run in net.runs_in(*span)]
    pairs = list(pairwise(runs))
    bad = {(a, b) for a, b in pairs if not net.follows(a, b) or net.follows(b, a)}
    if not bad:
        return Deed()
    deeds = draft.graph.deeds
    gone: tuple[tuple[int, int], ...] = ()
    if any(net.follows(b, a) for a, b in bad):
        gone = tuple((c, n) for c in net.state for n in range(len(deeds[c].orders)))
    orders = tuple(
        Precedence(net.starts[a] + net.sizes[a] - 1, net.starts[b], int(edges.is_inside(b, a)))
        for a, b in pairs
        if not edges.follows(a, b) and (gone or (a, b) in bad)
    )
    return Deed(orders=orders, unorders=gone)


def _verdicts(draft: _Draft, before: Known) -> Deed:
    """Return the pairs to settle so that the result shows what was meant."""
    state = draft.state | BitMap([draft.change])
    net = Net(draft.graph, state)
    found = open_pairs(net).pairs
    if not found:
        return Deed()
    decided = LineSet(draft.touched)
    return Deed(
        verdicts=tuple(
            Verdict(Span(net.starts[pair.run], net.sizes[pair.run]), *pair[1:])
            for pair in sorted(found)
            if draft.is_conflict
            or not _is_known(net, pair, before)
            or decided.clip((Span(net.starts[pair.run], net.sizes[pair.run]),))
        )
    )


def _by_deletion(net: Net) -> Known:
    known: dict[tuple[int, int], list[Span]] = {}
    for run, deletion, keeper in open_pairs(net).pairs:
        span = Span(net.starts[run], net.sizes[run])
        known.setdefault((deletion, keeper), []).append(span)
    return {key: LineSet(spans) for key, spans in known.items()}


def _is_known(net: Net, pair: Pair, before: Known) -> bool:
    lines = before.get((pair.deletion, pair.keeper))
    return lines is not None and bool(lines.clip((Span(net.starts[pair.run], 1),)))


def record_disputed(
    graph: TextGraph,
    state: BitMap,
    reading: Reading,
    edits: Sequence[tuple[int, int, int, int]],
    change: int,
    lore: Lore,
) -> Recorded:
    """Return what a change does, with all that must be said for its text to read back.

    Cost: the runs of the text, a few times over.
    """
    draft = _Draft(graph, state, reading, change, lore)
    draft.look(edits)
    layout = _lay_out(draft, draft.pieces(edits))
    before = _by_deletion(draft.net)
    deed = Deed(
        (),
        layout.blocks,
        _linked(draft.deletions, layout.blocks, is_conflict=draft.is_conflict),
        _restored(draft, layout),
        keeps=_kept_on_purpose(draft, layout),
    )
    deed = _with_scratch(draft, deed, layout, before)
    return Recorded(deed, layout.sources, of_spans(layout.out))


def _with_scratch(draft: _Draft, deed: Deed, layout: _Layout, before: Known) -> Deed:
    """Add orders and verdicts to a deed by looking at the graph with it applied."""
    graph, change = draft.graph, draft.change
    is_disputed = graph.is_disputed
    graph.apply(change, deed)
    try:
        said = _order(draft, layout)
        deed = deed._replace(orders=said.orders, unorders=said.unorders)
        for _ in range(ROUNDS):
            graph.unapply(change)
            graph.apply(change, deed)
            more = _verdicts(draft, before).verdicts
            if not more:
                break
            deed = deed._replace(verdicts=(*deed.verdicts, *more))
    finally:
        graph.unapply(change)
        graph.is_disputed = is_disputed
    return deed
