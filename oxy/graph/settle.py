"""Recording on a text whose lines were disputed (spec: graph, G17 to G25; conflicts). Pure.

Everything that the edits alone do not say is said: the order that insert edges leave open, dead
lines that are kept, twins that go, and every pair that the result would show anew.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.graph.draft import Draft, Edits
from oxy.graph.holding import KeptConflictError, spilt
from oxy.graph.layout import Layout, lay_out
from oxy.graph.lineset import LineSet
from oxy.graph.naming import strong, weak
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.reading import Conflict, Reading, of_spans
from oxy.graph.recorded import Recorded
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
)
from oxy.graph.weave import SHIFT
from oxy.model.operation import OUT

SPILLS: Final = 4
"""How often dead lines may come into kept regions, each time others that came with them."""


def record_disputed(
    graph: TextGraph,
    state: BitMap,
    reading: Reading,
    edits: Edits,
    change: int,
    kept: frozenset[int] = frozenset(),
) -> Recorded:
    """Return what a change does, with all that must be said for its text to read back.

    Cost: the runs of the text, a few times over.

    Raises:
        KeptConflictError: the edits do not leave a conflict alone that is kept.
    """
    draft = Draft(graph, state, reading, change, edits, kept)
    layout = lay_out(draft, draft.pieces(edits))
    deed = Deed(
        (),
        layout.blocks,
        _linked(draft.deletions, layout.blocks),
        _restored(draft, layout),
        keeps=draft.shown.clip(layout.out),
    )
    graph.apply(change, deed)
    try:
        net, order = _result(draft, layout)
        said = _in_order(draft, deed, net, order, is_anew=False)
        if said is not deed:
            _reapply(graph, change, said)
            net, order = _result(draft, layout)
        if said.orders and not said.unorders and _loose(net, order):
            # What the state orders leads round to where the result begins.
            _reapply(graph, change, deed)
            said = _in_order(draft, deed, *_result(draft, layout), is_anew=True)
            _reapply(graph, change, said)
            net, order = _result(draft, layout)
        deed = said._replace(verdicts=_verdicts(draft, net))
        if draft.helds:
            deed = _apart(draft, deed)
    finally:
        graph.unapply(change)
    deed = _leaning(draft, deed)
    needs = (strong(deed) | draft.leans.keys()) - {change}
    deed = deed._replace(needs=tuple(sorted(needs)))
    return Recorded(deed, layout.sources, _reading_after(draft, layout))


def _apart(draft: Draft, deed: Deed) -> Deed:
    """Return a deed that deletes what would come into kept regions, and settles that.

    Where the line that a region reached to goes, dead lines beyond it do: they would live on
    sides whose changes do not know their deletion.
    """
    graph, change = draft.graph, draft.change
    for _ in range(SPILLS):
        _reapply(graph, change, deed)
        net = Net(graph, draft.state | BitMap([change]))
        spills = list(spilt(net, change, draft.helds))
        if not spills:
            return deed
        lines = (line for start, size in spills for line in range(start, start + size))
        more = (Deletion((Span(line, 1),), None) for line in lines)
        deed = deed._replace(deletions=(*deed.deletions, *more), verdicts=())
        _reapply(graph, change, deed)
        net = draft.net_of(draft.state | BitMap([change]))
        deed = deed._replace(verdicts=_verdicts(draft, net))
    raise KeptConflictError(draft.helds[0].conflict, "dead lines keep coming in beside it")


def _reading_after(draft: Draft, layout: Layout) -> Reading:
    """Return what the state with the change reads."""
    if not layout.holes:
        return of_spans(layout.out)
    starts: list[int] = []
    sizes: list[int] = []
    conflicts: list[Conflict] = []
    done = 0
    for position, kept in (*layout.holes, (len(layout.out), None)):
        after = of_spans(layout.out[done:position])
        starts += after.starts
        sizes += after.sizes
        done = position
        if kept is not None:
            sides = draft.reading.conflicts[kept.conflict].sides
            conflicts.append(Conflict(len(starts), sides))
    decided = LineSet(draft.touched)
    twins = (t for t in draft.reading.twins if not decided.clip((*t.shown, *t.dead)))
    return Reading(starts, sizes, tuple(conflicts), tuple(twins))


def _leaning(draft: Draft, deed: Deed) -> Deed:
    """Return a deed that names each change it leans on, as every dependency has to be named.

    Where nothing else does, it says that the kept twin is meant to outlive its deletions.
    """
    named = strong(deed) | weak(deed)
    verdicts = (Verdict(draft.leans[c], draft.change, 0) for c in draft.leans.keys() - named)
    return deed._replace(verdicts=(*deed.verdicts, *sorted(verdicts)))


def _linked(deletions: Iterable[Deletion], blocks: Iterable[Block]) -> tuple[Deletion, ...]:
    """Return deletions with the block that lies inside their last line."""
    hosts = {b.left >> 2: b for b in blocks if b.right != EDGE and b.right & 3 == OUT}
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


def _reapply(graph: TextGraph, change: int, deed: Deed) -> None:
    graph.unapply(change)
    graph.apply(change, deed)


class _Order(NamedTuple):
    """The order that a result is to have.

    Attributes:
        steps: runs that are to follow each other.
        places: for each run how many are to come before it; those of a kept conflict are at
            one place.
    """

    steps: list[tuple[int, int]]
    places: dict[int, int]


def _result(draft: Draft, layout: Layout) -> tuple[Net, _Order]:
    """Return the net with the change applied, and the order of the runs of the result."""
    net = draft.net_of(draft.state | BitMap([draft.change]))
    steps: list[tuple[int, int]] = []
    places: dict[int, int] = {}
    lasts: list[int] = []
    done = 0
    for position, kept in (*layout.holes, (len(layout.out), None)):
        for span in layout.out[done:position]:
            for run in net.runs_in(*span):
                steps += [(last, run) for last in lasts]
                places[run] = len(places)
                lasts = [run]
        done = position
        if kept is not None:
            steps += [(last, net.index[start]) for last in lasts for start in kept.firsts]
            places.update(dict.fromkeys((net.index[s] for s in kept.runs), len(places)))
            lasts = [net.index[start] for start in kept.lasts]
    return net, _Order(steps, places)


def _loose(net: Net, order: _Order) -> set[tuple[int, int]]:
    """Return the neighbours of a result that have not the order that they are to have."""
    return {(a, b) for a, b in order.steps if not net.leads(a, b) or _leads_back(net, a, b)}


def _in_order(draft: Draft, deed: Deed, net: Net, order: _Order, *, is_anew: bool) -> Deed:
    """Return the deed with the orders that the result needs beyond its edges.

    Where the state's orders contradict the result, or if asked to, all orders are stated anew
    but those inside kept conflicts.
    """
    loose = _loose(net, order)
    if not loose:
        return deed
    edges: Net = net
    number: Sequence[int] = range(len(net.starts))
    if not draft.graph.ordering.isdisjoint(net.state):
        edges = Net(draft.graph, net.state, has_orders=False)
        number = [edges.index[start] for start in net.starts]
    gone: tuple[tuple[int, int], ...] = ()
    if is_anew or any(net.leads(b, a) for a, b in loose):
        gone = tuple(_unordered(draft, net))
    places = {number[run]: place for run, place in order.places.items()}
    orders = tuple(
        Precedence(
            net.starts[a] + net.sizes[a] - 1,
            net.starts[b],
            int(_is_followed(edges, number[a], places)),
        )
        for a, b in order.steps
        if (gone or (a, b) in loose) and not edges.leads(number[a], number[b])
    )
    return deed._replace(orders=orders, unorders=gone)


def _is_followed(edges: Net, run: int, places: Mapping[int, int]) -> bool:
    """Return whether a line of the result that comes after a run lies inside it."""
    return any(places.get(inner, -1) > places[run] for inner in edges.inside(run))


def _unordered(draft: Draft, net: Net) -> Iterator[tuple[int, int]]:
    """Yield the orders of a state, but those inside kept conflicts, by change and place."""
    runs = LineSet(
        Span(start, draft.net.sizes[draft.net.index[start]])
        for kept in draft.helds
        for start in kept.runs
    )
    for change in sorted(c for c in draft.graph.ordering if c in net.state):
        for place, (a, b, _) in enumerate(draft.graph.deeds[change].orders):
            if not (runs.clip((Span(a, 1),)) and runs.clip((Span(b, 1),))):
                yield change, place


def _leads_back(net: Net, a: int, b: int) -> bool:
    """Return whether a run that leads to another also follows it, on a cycle."""
    return net.has_cycle and net.leads(b, a)


def _verdicts(draft: Draft, net: Net) -> tuple[Verdict, ...]:
    """Return the pairs to settle so that the result, a net, shows what was meant.

    Those are what the state did not show, and what the edits decide: all where there was a
    conflict, else what stands in collapsed regions beside them.
    """
    fresh = draft.reading.fresh
    if fresh is not None:
        fresh = fresh | BitMap([draft.change])
    found = open_pairs(net, fresh, draft.change).pairs
    if not found:
        return ()
    known = _open_before(draft)
    decided = LineSet(draft.touched)
    return tuple(
        Verdict(Span(net.starts[run], net.sizes[run]), deletion, keeper)
        for run, deletion, keeper in sorted(found)
        if (net.starts[run], deletion, keeper) not in known
        or decided.clip((Span(net.starts[run], 1),))
    )


def _open_before(draft: Draft) -> frozenset[tuple[int, int, int]]:
    """Return the pairs that are open and may stay so."""
    if draft.is_conflict:
        return frozenset(pair for kept in draft.helds for pair in kept.pairs)
    net = draft.net_of(draft.state)
    found = open_pairs(net)
    return frozenset(
        (net.starts[run], deletion, keeper) for run, deletion, keeper in found.pairs
    )
