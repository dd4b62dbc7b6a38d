"""What is read and recorded above a ground is what the whole text says (spec: graph, G54)."""

from collections.abc import Iterable, Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.graph.base import bases
from oxy.graph.draft import flat
from oxy.graph.grounds import Grounds
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.reading import Reading, of_spans
from oxy.graph.record import record
from oxy.graph.recorded import Recorded
from oxy.graph.regions import bases_of_net, render_net
from oxy.graph.render import is_sole, render
from oxy.graph.text import Span
from tests.graphs.bridge import Bridge
from tests.graphs.sketch import seen
from tests.graphs.translation import lines_in
from tests.naive.edits import edits_between
from tests.naive.history import History, Replay
from tests.strategies.histories import ALPHABETS, histories

LAW = settings(max_examples=max(200, settings().max_examples))
LETTERS = st.sampled_from(ALPHABETS).flatmap(st.sampled_from)


def above(ground: BitMap) -> Grounds:
    """Return what is known where one state is."""
    grounds = Grounds()
    grounds.note(ground)
    return grounds


def told(spans: Iterable[tuple[Span, ...]]) -> list[list[int]]:
    """Return spans as lines."""
    return [list(lines_in(each)) for each in spans]


def sources(made: Recorded) -> list[int]:
    """Return where each new line comes from; that recording cuts runs makes no difference."""
    return [
        step + (moved.start if moved is not None else new or 0)
        for size, new, moved in made.sources
        for step in range(size)
    ]


class Known:
    """A history with all that its states read, found from the whole text each time."""

    def __init__(self, history: History) -> None:
        played = Replay(history.replicas)
        states = {played.apply(step) for step in history.steps}
        states |= {one | other for one in played.states for other in states}
        every = frozenset(played.text.changes)
        view = played.text.view(every)
        states |= {every, *(view.known(key) | {key} for key in every)}
        self.bridge = Bridge(played.text)
        for key in played.text.changes:
            self.bridge.take(key)
        self.states = [self.bridge.bits(state) for state in sorted(states, key=sorted)]
        self.soles = [state for state in self.states if state and self.is_sole(state)]

    def is_sole(self, state: BitMap) -> bool:
        """Return whether a state reads in one way."""
        net = Net(self.bridge.graph, state)
        return net.is_total() and not open_pairs(net).is_open

    def reading(self, state: BitMap) -> Reading:
        """Return what a state reads."""
        net = Net(self.bridge.graph, state)
        if self.is_sole(state):
            return of_spans(Span(net.starts[run], net.sizes[run]) for run in net.live())
        return render_net(net, open_pairs(net), self.bridge, {})

    def told(self, state: BitMap) -> tuple[tuple[object, ...], bool, list[list[int]]]:
        """Return what a state reads, whether in one way, and what its conflicts share."""
        reading = self.reading(state)
        net = Net(self.bridge.graph, state)
        shared = bases_of_net(net, open_pairs(net), self.bridge) if reading.conflicts else ()
        return seen(reading), self.is_sole(state), told(shared)

    def grounded(self) -> Iterator[tuple[BitMap, BitMap]]:
        """Yield each state with each ground below it, while that is all that is known."""
        graph = self.bridge.graph
        for state in self.states:
            for ground in self.soles:
                if ground < state:
                    graph.grounds = above(ground)
                    yield state, ground
        graph.grounds = Grounds()


@LAW
@given(histories())
def test_a_state_reads_the_same_above_each_ground(history: History) -> None:
    known = Known(history)
    bridge, graph = known.bridge, known.bridge.graph
    read = {bytes(state.serialize()): known.told(state) for state in known.states}
    for state, ground in known.grounded():
        reading, is_one, shared = read[bytes(state.serialize())]
        assert seen(render(graph, state, bridge)) == reading
        graph.grounds = above(ground)
        assert is_sole(graph, state) == is_one
        graph.grounds = above(ground)
        assert told(bases(graph, state, known.reading(state), bridge)) == shared


@LAW
@given(histories(), st.data())
def test_what_is_recorded_is_the_same_above_each_ground(
    history: History, data: st.DataObject
) -> None:
    known = Known(history)
    bridge = known.bridge
    graph = bridge.graph
    state = data.draw(st.sampled_from(known.states))
    reading = known.reading(state)
    old = bridge.text(tuple(flat(reading))).decode()
    new = list(old)
    for _ in range(data.draw(st.integers(0, 2))):
        start = data.draw(st.integers(0, len(new)))
        end = data.draw(st.integers(start, min(len(new), start + 3)))
        new[start:end] = data.draw(st.lists(LETTERS, max_size=3))
    edits = edits_between(old, "".join(new))
    number = len(bridge.keys)
    graph.grounds = Grounds()
    whole = record(graph, state, reading, edits, number)
    for above, _ in known.grounded():
        if above == state:
            made = record(graph, state, reading, edits, number)
            assert made.deed == whole.deed
            assert sources(made) == sources(whole)
            assert seen(made.reading) == seen(whole.reading)
