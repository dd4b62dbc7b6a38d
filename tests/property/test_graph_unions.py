"""What is known of united clean states, and of sorted weaves, changes no answer."""

from unittest.mock import patch

from hypothesis import assume, given, settings

from oxy.graph import pairs
from oxy.graph.net import Net
from oxy.graph.orders import is_bent
from oxy.graph.pairs import open_pairs
from oxy.graph.straight import straighten
from oxy.graph.weave import SHIFT
from tests.graphs.bridge import Bridge
from tests.graphs.consistency import assert_consistent
from tests.naive.change import State
from tests.naive.history import History, replay
from tests.strategies.histories import histories

LAW = settings(max_examples=max(500, settings().max_examples))


def bridged(history: History) -> tuple[Bridge, list[State]]:
    """Return the graph of a history, and the states of its replicas."""
    played = replay(history)
    bridge = Bridge(played.text)
    for key in played.text.changes:
        bridge.take(key)
    return bridge, list(played.states)


def revived_runs(bridge: Bridge, union: Net, states: list[State]) -> bool:
    """Return whether a live run of a union is dead in every state that has it."""
    nets = [Net(bridge.graph, bridge.bits(state)) for state in states]
    living = {
        start
        for net in nets
        for start, is_live in zip(net.starts, net.alive, strict=True)
        if is_live
    }
    return any(
        is_live and start not in living
        for start, is_live in zip(union.starts, union.alive, strict=True)
    )


@LAW
@given(histories())
def test_pairs_of_united_clean_states_are_of_what_they_do_not_share(history: History) -> None:
    bridge, states = bridged(history)
    clean = [s for s in states if bridge.read(s).is_clean and not bridge.pairs(s)]
    assume(len(clean) > 1)
    for place, one in enumerate(clean):
        for other in clean[place + 1 :]:
            mine, theirs = bridge.bits(one), bridge.bits(other)
            net = Net(bridge.graph, mine | theirs)
            if not revived_runs(bridge, net, [one, other]):
                assert open_pairs(net, mine ^ theirs).pairs == open_pairs(net).pairs


@LAW
@given(histories())
def test_a_weave_that_is_sorted_reads_as_before(history: History) -> None:
    bridge, states = bridged(history)
    graph = bridge.graph
    before = [(bridge.shown(state), bridge.pairs(state)) for state in states]
    was_bent = is_bent(graph, graph.touched)
    is_done = straighten(graph)
    assert_consistent(graph)
    assert [(bridge.shown(state), bridge.pairs(state)) for state in states] == before
    assert is_done == (was_bent and not Net(graph, graph.touched).has_cycle)
    assert not is_done or not is_bent(graph, graph.touched)
    assert all(start >> SHIFT in graph.touched for start, _, _ in graph.weave.runs())


@LAW
@given(histories())
def test_pairs_that_are_found_together_are_those_found_one_by_one(history: History) -> None:
    bridge, states = bridged(history)
    for state in {*states, frozenset().union(*states)}:
        net = Net(bridge.graph, bridge.bits(state))
        found = []
        for many in (2, 100):
            with patch.object(pairs, "MANY", many):
                found.append(open_pairs(net))
        together, apart = found
        assert together.pairs == apart.pairs
        assert together.drawn == apart.drawn
        assert together.is_open == apart.is_open == bool(apart.pairs)
        for runs in (frozenset({run}) for run in range(len(net.starts))):
            assert together.of(runs) == apart.of(runs)
            assert together.deletions(runs) == apart.deletions(runs)
            assert together.named(runs, net.starts) == apart.named(runs, net.starts)
        every = frozenset(range(len(net.starts)))
        assert together.named(every, net.starts) == apart.named(every, net.starts)
        assert together.deletions(every) == apart.deletions(every)
