"""What is always true of a text graph, and what makes two of them the same."""

from itertools import pairwise

from oxy.graph.text import EDGE, Deed, Fate, Span, TextGraph, point
from oxy.graph.weave import CHUNK, SHIFT, Weave
from oxy.model.operation import IN, OUT, TEXT
from tests.graphs.translation import lines_in

Row = tuple[int, int, Fate]


def rows(graph: TextGraph, *, has_order: bool = True) -> list[Row]:
    """Return the runs of a graph; neighbours that continue each other are one.

    Without order they come by line: the weave of the same changes may differ (G32).
    """
    joined: list[Row] = []
    for start, size, number in graph.weave.runs() if has_order else sorted(graph.weave.runs()):
        fate = graph.fates[number]
        if joined and joined[-1][0] + joined[-1][1] == start and joined[-1][2] == fate:
            joined[-1] = (joined[-1][0], joined[-1][1] + size, fate)
        else:
            joined.append((start, size, fate))
    return joined


def canonical(graph: TextGraph, *, has_order: bool = True) -> tuple[object, ...]:
    """Return what two graphs that are the same have in common."""
    return (
        rows(graph, has_order=has_order),
        {change: graph.deeds[change] for change in graph.touched},
        {owner: sorted(claims) for owner, claims in graph.claims.items() if claims},
        {owner: sorted(kept) for owner, kept in graph.kept.items() if kept},
        frozenset(graph.ordering),
        graph.disputing,
        frozenset(graph.doubled),
        graph.is_disputed,
    )


def assert_consistent(graph: TextGraph) -> None:
    """Check every invariant of a graph (spec: graph, G27 to G36)."""
    deeds = {change: graph.deeds[change] for change in graph.touched}
    _assert_indexed(graph.weave)
    lines = [
        line for start, size, _ in graph.weave.runs() for line in range(start, start + size)
    ]
    inserted = [
        line
        for deed in deeds.values()
        for block in deed.blocks
        for line in range(block.start, block.start + block.size)
    ]
    assert sorted(lines) == sorted(inserted)
    _assert_extension(deeds, {line: place for place, line in enumerate(lines)})
    _assert_cut(graph, deeds)
    _assert_fates(graph, deeds)
    _assert_disputes(graph, deeds)


def _assert_indexed(weave: Weave) -> None:
    starts = [start for start, _, _ in weave.runs()]
    assert all(size > 0 for _, size, _ in weave.runs())
    assert len(weave) == len(starts) == len(set(starts))
    cuts = {change: found for change, found in weave.cuts.items() if found}
    assert sorted(starts) == sorted(start for found in cuts.values() for start in found)
    for change, found in cuts.items():
        assert found == sorted(found)
        assert all(start >> SHIFT == change for start in found)
    for chunk in weave.chunks:
        assert 0 < len(chunk.starts) <= CHUNK
        assert len(chunk.starts) == len(chunk.sizes) == len(chunk.fates)
        assert all(weave.home[start] is chunk for start in chunk.starts)


def _assert_extension(deeds: dict[int, Deed], place: dict[int, int]) -> None:
    """Check that every insert edge points forward in the weave, whatever lies inside lines."""
    blocks = [block for deed in deeds.values() for block in deed.blocks]
    ends = dict(place)
    for block in sorted(blocks, key=lambda block: -place[block.start]):
        if block.right != EDGE and block.right & 3 == OUT:
            last = block.start + block.size - 1
            assert block.left == block.right - OUT + TEXT
            assert place[block.right >> 2] < place[block.start]
            ends[block.right >> 2] = max(ends[block.right >> 2], ends[last])
    for start, size, left, right in blocks:
        for upper, lower in pairwise(range(start, start + size)):
            assert ends[upper] < place[lower]
        if left != EDGE:
            before = place if left & 3 == TEXT else ends
            assert before[left >> 2] < place[start]
        if right != EDGE and right & 3 == IN:
            assert ends[start + size - 1] < place[right >> 2]


def _spans(deed: Deed) -> list[Span]:
    return [
        *(Span(block.start, block.size) for block in deed.blocks),
        *(span for deletion in deed.deletions for span in deletion.spans),
        *(cancel.span for cancel in deed.cancels),
        *(verdict.span for verdict in deed.verdicts),
        *deed.keeps,
    ]


def _assert_cut(graph: TextGraph, deeds: dict[int, Deed]) -> None:
    """Check that what operations name ends where runs end."""
    starts = {start for start, _, _ in graph.weave.runs()}
    ends = {start + size for start, size, _ in graph.weave.runs()}
    for deed in deeds.values():
        for start, size in _spans(deed):
            if start >> SHIFT in deeds:
                assert start in starts
                assert start + size in ends
        for block in deed.blocks:
            assert block.left == EDGE or (block.left >> 2) + 1 in ends
            is_in = block.right != EDGE and block.right & 3 == IN
            assert not is_in or block.right >> 2 in starts
        for order in deed.orders:
            assert order.a + 1 in ends
            assert order.b in starts


def _assert_fates(graph: TextGraph, deeds: dict[int, Deed]) -> None:
    deletions: dict[int, set[int]] = {}
    cancels: dict[int, set[tuple[int, int]]] = {}
    for change, deed in deeds.items():
        for deletion in deed.deletions:
            for line in lines_in(deletion.spans):
                deletions.setdefault(line, set()).add(change)
        for span, named in deed.cancels:
            for line in lines_in([span]):
                cancels.setdefault(line, set()).update((d, change) for d in named)
    for start, size, fate in graph.weave.runs():
        for line in range(start, start + size):
            assert graph.fates[fate] == Fate(
                tuple(sorted(deletions.get(line, ()))), tuple(sorted(cancels.get(line, ())))
            )
    shared = (named for named in deletions.values() if len(named) > 1)
    assert graph.doubled == {change for named in shared for change in named}


def _assert_disputes(graph: TextGraph, deeds: dict[int, Deed]) -> None:
    claims = sorted(
        (verdict.span, verdict.deletion, verdict.keeper, change)
        for change, deed in deeds.items()
        for verdict in deed.verdicts
    )
    kept = sorted(
        (span, change)
        for change, deed in deeds.items()
        for span in (*(cancel.span for cancel in deed.cancels), *deed.keeps)
    )
    assert sorted(claim for found in graph.claims.values() for claim in found) == claims
    assert sorted(pair for found in graph.kept.values() for pair in found) == kept
    assert graph.ordering == {c for c, deed in deeds.items() if deed.orders or deed.unorders}
    leading = sorted(
        (point(a, TEXT if inside else OUT), change, place, b)
        for change, deed in deeds.items()
        for place, (a, b, inside) in enumerate(deed.orders)
    )
    assert sorted((p, *x) for p, found in graph.leading.items() for x in found) == leading
    replacing = sorted((*n, c) for c, deed in deeds.items() for n in deed.unorders)
    assert sorted((*n, c) for n, found in graph.replacing.items() for c in found) == replacing
    assert graph.disputing == {c for c, deed in deeds.items() if any(deed[3:])}
    blocks = {block for deed in deeds.values() for block in deed.blocks}
    assert {block for found in graph.anchored.values() for block in found} == blocks
