"""The graph against the naive model (spec: graph, G48): readings, pairs, blame, recordings."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from oxy.graph.local import local_deed
from oxy.graph.naming import edit_of
from oxy.graph.settle import record_disputed
from tests.graphs.bridge import Bridge, shown_by_model
from tests.graphs.consistency import assert_consistent
from tests.graphs.sketch import ways_to_show
from tests.naive.change import Key, NaiveChange, State
from tests.naive.history import History, Record, Replay, replay
from tests.strategies.histories import histories


def assert_alike(bridge: Bridge, state: State) -> None:
    """Check that graph and model show a state alike: lines by identity, sides, open pairs."""
    assert bridge.shown(state) == shown_by_model(bridge.naive, state)
    assert bridge.pairs(state) == bridge.naive.flags(state)


def _ranges_aside(change: NaiveChange) -> tuple[object, ...]:
    """Return a change without the order in which it lists what has none."""
    return (
        change.texts,
        change.inserts,
        change.orders,
        frozenset(change.hunks),
        frozenset(change.restores),
        frozenset(change.unorders),
        frozenset(change.keeps),
        change.context,
        frozenset(pair for pair in change.settles if pair.deletion != change.key),
    )


@given(histories())
def test_every_state_of_a_history_reads_as_in_the_model(history: History) -> None:
    played = Replay(history.replicas)
    bridge = Bridge(played.text)
    for step in history.steps:
        state = played.apply(step)
        if isinstance(step, Record):
            bridge.take(step.key)
        assert_alike(bridge, state)
    assert_alike(bridge, frozenset(played.text.changes))
    assert_consistent(bridge.graph)


@given(histories())
def test_the_graph_records_what_the_model_records(history: History) -> None:
    played = Replay(history.replicas)
    bridge = Bridge(played.text)
    for step in history.steps:
        state = played.states[step.replica]
        if isinstance(step, Record):
            reading = ways_to_show(bridge.read(state))[-1 if step.last_first else 0]
            mine = bridge.record(state, reading, step.text, step.edits, step.key)
            played.apply(step)
            bridge.take(step.key)
            theirs = played.text.changes[step.key]
            assert _ranges_aside(mine) == _ranges_aside(theirs)
            assert played.text.closure(mine.dependencies) <= state
        else:
            played.apply(step)


@given(history=histories(), random=st.randoms(use_true_random=False), are_known=st.booleans())
def test_what_a_history_reads_does_not_depend_on_the_order_of_arrival(
    history: History, random: Random, *, are_known: bool
) -> None:
    played = replay(history)
    keys = list(_shuffled(played, random))
    bridge = Bridge(played.text, known=keys if are_known else ())
    for key in keys:
        bridge.take(key)
        assert_consistent(bridge.graph)
    for state in {*played.states, frozenset(keys)}:
        assert_alike(bridge, state)


@given(histories())
def test_what_is_found_beside_the_edits_is_what_the_whole_text_says(history: History) -> None:
    played = Replay(history.replicas)
    bridge = Bridge(played.text)
    for step in history.steps:
        state = played.states[step.replica]
        if isinstance(step, Record):
            reading = bridge.read(state)
            if reading.is_clean:
                told = (bridge.graph, bridge.bits(state), reading, step.edits, len(bridge.keys))
                found = local_deed(*told)
                whole = record_disputed(*told).deed
                assert found is None or edit_of(found, _same) == edit_of(whole, _same)
                assert found is None or found.needs == whole.needs
        played.apply(step)
        if isinstance(step, Record):
            bridge.take(step.key)


def _same(number: int) -> int:
    return number


def _shuffled(played: Replay, random: Random) -> list[Key]:
    """Return the changes in some order in which each comes after what it depends on."""
    changes = played.text.changes
    done: list[Key] = []
    while len(done) < len(changes):
        ready = [k for k, c in changes.items() if k not in done and c.dependencies <= set(done)]
        done.append(random.choice(ready))
    return done
