"""What takes back what one change did to a text (spec: graph, G51 to G53; conflicts, C8). Pure.

What the change made live is deleted, dead or not by now, so that what stands for it since shows
as a conflict. What it deleted is restored, its orders count no more, and those that it took
away are stated again.
"""

from collections.abc import Iterable, Iterator
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.graph.found import Pair
from oxy.graph.lineset import LineSet
from oxy.graph.naming import strong
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.render import survivors
from oxy.graph.text import Cancel, Deed, Deletion, Precedence, Span, TextGraph, Verdict
from oxy.graph.weave import SHIFT


class Inverse(NamedTuple):
    """What takes a change back, and whether the text reads in more than one way then."""

    deed: Deed
    is_disputed: bool


def inverse(
    graph: TextGraph, change: int, known: BitMap, state: BitMap, number: int
) -> Inverse:
    """Return what takes back what a change did.

    The graph is left as it was. The deed is empty where nothing of what it did is left.

    Args:
        graph: the text.
        change: the change that is to be taken back.
        known: it and what it knew, as far as the state has that.
        state: the state that it is to be taken back in.
        number: the number that the new change will have.

    Cost: the runs of the text, a few times over.
    """
    undoing = _Undoing(graph, change, known, state, number)
    deed = undoing.deed()
    graph.apply(number, deed)
    try:
        net = Net(graph, state | BitMap([number]))
        if deed.orders and net.has_cycle:
            # They contradict each other, so it was a conflict that these orders are of.
            graph.unapply(number)
            deed = deed._replace(orders=())
            graph.apply(number, deed)
            net = Net(graph, net.state)
        found = open_pairs(net).pairs
        settled = sorted(pair for pair in found if undoing.is_meant(net, pair))
        is_disputed = len(settled) < len(found) or not net.is_total()
    finally:
        graph.unapply(number)
    if not is_disputed and undoing.is_idle(deed):
        return Inverse(Deed(), is_disputed)
    verdicts = tuple(
        Verdict(Span(net.starts[run], net.sizes[run]), deletion, keeper)
        for run, deletion, keeper in settled
    )
    deed = deed._replace(verdicts=verdicts)
    needs = tuple(sorted(strong(deed) - {number}))
    return Inverse(deed._replace(needs=needs), is_disputed)


class _Undoing:
    """One change being taken back."""

    __slots__ = ("change", "graph", "known", "number", "state")

    def __init__(
        self, graph: TextGraph, change: int, known: BitMap, state: BitMap, number: int
    ) -> None:
        self.graph = graph
        self.change = change
        self.known = known | BitMap([number])
        self.state = state
        self.number = number

    def deed(self) -> Deed:
        """Return what is deleted, restored and ordered; nothing is settled yet."""
        gone, back = self._orders()
        return Deed((), (), tuple(self._stretches()), tuple(self._restored()), back, gone)

    def is_idle(self, deed: Deed) -> bool:
        """Tell whether a deed deletes only what is dead, and does nothing else."""
        graph, weave = self.graph, self.graph.weave
        return not (deed.cancels or deed.orders or deed.unorders) and not any(
            graph.is_alive(weave.fate(start), self.state)
            for deletion in deed.deletions
            for span in deletion.spans
            for start in weave.within(*span)
        )

    def is_meant(self, net: Net, pair: Pair) -> bool:
        """Tell whether a pair is new, and between what the change knew.

        Who kept one of the change's own lines left it as the change had made it.
        """
        run, deletion, keeper = pair
        owner = net.starts[run] >> SHIFT
        if self.number not in {deletion, keeper}:
            return False
        is_known = keeper in self.known or not keeper or owner == self.change
        return is_known and owner in self.known and deletion in self.known

    def _stretches(self) -> Iterator[Deletion]:
        """Yield what the change made live, stretch by stretch as its state read."""
        deed = self.graph.deeds[self.change]
        made = [Span(block.start, block.size) for block in deed.blocks]
        made += [cancel.span for cancel in deed.cancels]
        if not made:
            return
        read = list(survivors(self.graph, self.known).spans())
        yield from _contiguous(read, LineSet(made))
        for span in LineSet(read).without(made):
            yield from _each(span)

    def _restored(self) -> Iterator[Cancel]:
        """Yield the lines whose deletion by the change counts in the state."""
        graph, weave = self.graph, self.graph.weave
        for deletion in graph.deeds[self.change].deletions:
            for span in deletion.spans:
                for start in weave.within(*span):
                    if self.change in graph.counting(weave.fate(start), self.state):
                        yield Cancel(Span(start, weave.size(start)), (self.change,))

    def _orders(self) -> tuple[tuple[tuple[int, int], ...], tuple[Precedence, ...]]:
        """Return the orders of the change that count, and those that it alone took away."""
        deeds = self.graph.deeds
        ordering = self.graph.ordering
        others = {
            named
            for c in ordering
            if c in self.state and c != self.change
            for named in deeds[c].unorders
        }
        own = deeds[self.change]
        gone = ((self.change, place) for place in range(len(own.orders)))
        back = (
            deeds[c].orders[place]
            for c, place in own.unorders
            if c in self.state and (c, place) not in others
        )
        return tuple(x for x in gone if x not in others), tuple(back)


def _contiguous(read: Iterable[Span], made: LineSet) -> Iterator[Deletion]:
    """Yield the lines of a set as a text has them, those in one stretch as one hunk."""
    stretch: list[Span] = []
    for span in read:
        done = span.start
        for part in made.clip((span,)):
            if part.start != done and stretch:
                yield Deletion(tuple(stretch), None)
                stretch = []
            stretch.append(part)
            done = part.start + part.size
        if done != span.start + span.size and stretch:
            yield Deletion(tuple(stretch), None)
            stretch = []
    if stretch:
        yield Deletion(tuple(stretch), None)


def _each(span: Span) -> Iterator[Deletion]:
    """Yield lines one by one: they are no stretch that something could be missing from."""
    for line in range(span.start, span.start + span.size):
        yield Deletion((Span(line, 1),), None)
