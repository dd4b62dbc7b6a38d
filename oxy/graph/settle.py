"""Recording on a text whose lines were disputed (spec: graph, G17 to G25; conflicts). Pure.

Everything that the edits alone do not say is said: the order that insert edges leave open, dead
lines that are kept, twins that go, and every pair that the result would show anew.
"""

from collections.abc import Iterable
from itertools import pairwise

from pyroaring import BitMap

from oxy.graph.draft import Draft, Edits
from oxy.graph.layout import Layout, lay_out
from oxy.graph.lineset import LineSet
from oxy.graph.naming import strong, weak
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.reading import Reading, of_spans
from oxy.graph.recorded import Recorded
from oxy.graph.text import Block, Cancel, Deed, Deletion, Precedence, Span, TextGraph, Verdict
from oxy.graph.weave import SHIFT
from oxy.model.operation import OUT


def record_disputed(
    graph: TextGraph, state: BitMap, reading: Reading, edits: Edits, change: int
) -> Recorded:
    """Return what a change does, with all that must be said for its text to read back.

    Cost: the runs of the text, a few times over.
    """
    draft = Draft(graph, state, reading, change, edits)
    layout = lay_out(draft, draft.pieces(edits))
    deed = Deed(
        (),
        layout.blocks,
        _linked(draft.deletions, layout.blocks, is_conflict=draft.is_conflict),
        _restored(draft, layout),
        keeps=draft.shown.clip(layout.out),
    )
    graph.apply(change, deed)
    try:
        deed = _in_order(draft, deed, layout)
        graph.unapply(change)
        graph.apply(change, deed)
        deed = deed._replace(verdicts=_verdicts(draft))
    finally:
        graph.unapply(change)
    deed = _leaning(draft, deed)
    needs = (strong(deed) | draft.leans.keys()) - {change}
    deed = deed._replace(needs=tuple(sorted(needs)))
    return Recorded(deed, layout.sources, of_spans(layout.out))


def _leaning(draft: Draft, deed: Deed) -> Deed:
    """Return a deed that names each change it leans on, as every dependency has to be named.

    Where nothing else does, it says that the kept twin is meant to outlive its deletions.
    """
    named = strong(deed) | weak(deed)
    verdicts = (Verdict(draft.leans[c], draft.change, 0) for c in draft.leans.keys() - named)
    return deed._replace(verdicts=(*deed.verdicts, *sorted(verdicts)))


def _linked(
    deletions: Iterable[Deletion], blocks: Iterable[Block], *, is_conflict: bool
) -> tuple[Deletion, ...]:
    """Return deletions with the block that lies inside their last line."""
    hosts = {} if is_conflict else {b.left >> 2: b for b in blocks if b.right & 3 == OUT}
    return tuple(
        Deletion(d.spans, hosts.get(d.spans[-1].start + d.spans[-1].size - 1))
        for d in deletions
    )


def _restored(draft: Draft, layout: Layout) -> tuple[Cancel, ...]:
    net, graph = draft.net, draft.graph
    return tuple(
        Cancel(span, graph.counting(net.fates[net.index[span.start]], net.state))
        for span in layout.out
        if span.start >> SHIFT != draft.change and not net.alive[net.index[span.start]]
    )


def _in_order(draft: Draft, deed: Deed, layout: Layout) -> Deed:
    """Return the deed with the orders that the result needs beyond its edges."""
    net = Net(draft.graph, draft.state | BitMap([draft.change]))
    runs = [run for span in layout.out for run in net.runs_in(*span)]
    steps = list(pairwise(runs))
    loose = {(a, b) for a, b in steps if not net.leads(a, b) or _leads_back(net, a, b)}
    if not loose:
        return deed
    edges = Net(draft.graph, net.state, has_orders=False)
    gone: tuple[tuple[int, int], ...] = ()
    if any(net.leads(b, a) for a, b in loose):
        ordering = sorted(c for c in draft.graph.ordering if c in net.state)
        deeds = draft.graph.deeds
        gone = tuple((c, n) for c in ordering for n in range(len(deeds[c].orders)))
    orders = tuple(
        Precedence(
            net.starts[a] + net.sizes[a] - 1,
            net.starts[b],
            int(not edges.inside(a).isdisjoint(runs[place + 1 :])),
        )
        for place, (a, b) in enumerate(steps)
        if (gone or (a, b) in loose) and not edges.leads(a, b)
    )
    return deed._replace(orders=orders, unorders=gone)


def _leads_back(net: Net, a: int, b: int) -> bool:
    """Return whether a run that leads to another also follows it, on a cycle."""
    return net.has_cycle and net.leads(b, a)


def _verdicts(draft: Draft) -> tuple[Verdict, ...]:
    """Return the pairs to settle so that the result shows what was meant.

    Those are what the state did not show, and what the edits decide: all where there was a
    conflict, else what stands in collapsed regions beside them.
    """
    net = Net(draft.graph, draft.state | BitMap([draft.change]))
    found = open_pairs(net).pairs
    if not found:
        return ()
    known = _open_before(draft)
    decided = LineSet(draft.touched)
    return tuple(
        Verdict(Span(net.starts[run], net.sizes[run]), deletion, keeper)
        for run, deletion, keeper in sorted(found)
        if draft.is_conflict
        or (net.starts[run], deletion, keeper) not in known
        or decided.clip((Span(net.starts[run], 1),))
    )


def _open_before(draft: Draft) -> set[tuple[int, int, int]]:
    net = Net(draft.graph, draft.state)
    return {
        (net.starts[run], deletion, keeper) for run, deletion, keeper in open_pairs(net).pairs
    }
