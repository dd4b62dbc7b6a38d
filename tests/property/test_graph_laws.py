"""The laws of the line graph (spec: graph, G41 to G47), on random histories with merges."""

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oxy.graph.admission import admit
from oxy.graph.draft import flat
from oxy.graph.pack import PackedGraphError, pack, unpack
from oxy.graph.text import TextGraph
from tests.graphs.bridge import Bridge
from tests.graphs.consistency import assert_consistent, canonical
from tests.graphs.sketch import ways_to_show
from tests.naive.change import Key, State
from tests.naive.edits import Edit, edits_between
from tests.naive.history import History, replay
from tests.strategies.histories import histories, texts_on

RANDOMS = st.randoms(use_true_random=False)
LAW = settings(max_examples=max(500, settings().max_examples))


def bridged(history: History) -> tuple[Bridge, list[State]]:
    """Return the graph of a history, and the states of its replicas and of all changes."""
    played = replay(history)
    bridge = Bridge(played.text)
    for key in played.text.changes:
        bridge.take(key)
    return bridge, [*played.states, frozenset(played.text.changes)]


def arrival(bridge: Bridge, state: State, random: Random) -> list[Key]:
    """Return the changes of a state, each after what it depends on."""
    done: list[Key] = []
    while len(done) < len(state):
        ready = [
            key
            for key in sorted(state.difference(done))
            if bridge.naive.changes[key].dependencies <= set(done)
        ]
        done.append(random.choice(ready))
    return done


@LAW
@given(histories(), RANDOMS)
def test_any_order_of_application_gives_the_same_text_and_conflicts(
    history: History, random: Random
) -> None:
    bridge, states = bridged(history)
    other = Bridge(bridge.naive)
    for key in arrival(bridge, states[-1], random):
        other.take(key)
    for state in states:
        assert other.shown(state) == bridge.shown(state)
        assert other.pairs(state) == bridge.pairs(state)


@LAW
@given(histories(), RANDOMS)
def test_the_weave_stays_a_linear_extension_of_the_insert_order(
    history: History, random: Random
) -> None:
    bridge, states = bridged(history)
    other = Bridge(bridge.naive)
    for key in arrival(bridge, states[-1], random):
        other.take(key)
        assert_consistent(other.graph)


@LAW
@given(histories())
def test_applying_and_taking_back_restores_the_graph(history: History) -> None:
    played = replay(history)
    bridge = Bridge(played.text)
    for key in played.text.changes:
        before = canonical(bridge.graph)
        number = bridge.take(key)
        after = canonical(bridge.graph)
        deed = bridge.graph.deeds[number]
        bridge.graph.unapply(number)
        assert canonical(bridge.graph) == before
        assert_consistent(bridge.graph)
        bridge.graph.apply(number, deed)
        assert canonical(bridge.graph) == after


@LAW
@given(histories(), RANDOMS)
def test_unrecording_and_applying_again_is_the_identity(
    history: History, random: Random
) -> None:
    bridge, states = bridged(history)
    graph, everything = bridge.graph, states[-1]
    before = canonical(graph, has_order=False)
    shown = [bridge.shown(state) for state in states]
    gone = bridge.naive.dependents([random.choice(sorted(everything))], everything)
    order = [bridge.numbers[key] for key in arrival(bridge, everything, random) if key in gone]
    deeds = {number: graph.deeds[number] for number in order}
    for number in reversed(order):
        graph.unapply(number)
    assert_consistent(graph)
    for state in states:
        assert bridge.shown(state - gone) == _shown_apart(bridge, state - gone, random)
    for number in order:
        graph.apply(number, deeds[number])
    assert canonical(graph, has_order=False) == before
    assert [bridge.shown(state) for state in states] == shown


def _shown_apart(bridge: Bridge, state: State, random: Random) -> object:
    """Return what a state shows in a graph that never held anything else."""
    apart = Bridge(bridge.naive)
    for key in arrival(bridge, state, random):
        apart.take(key)
    return apart.shown(state)


@LAW
@given(histories(), st.data())
def test_what_was_recorded_reads_back(history: History, data: st.DataObject) -> None:
    bridge, states = bridged(history)
    state = data.draw(st.sampled_from(states))
    text = data.draw(texts_on(bridge.naive, state))
    reading = data.draw(st.sampled_from(ways_to_show(bridge.read(state))))
    old = bridge.text(tuple(flat(reading))).decode()
    key = b"\x80new"
    edits = edits_between(old, text)
    assume(edits or reading.conflicts)
    bridge.naive.add(bridge.record(state, reading, text, edits, key))
    bridge.take(key)
    after = bridge.read(state | {key})
    assert after.is_clean or reading.twins
    assert not after.conflicts
    assert bridge.text(tuple(after.spans())).decode() == "".join(text)
    assert_consistent(bridge.graph)


@given(histories(), RANDOMS)
def test_recording_leaves_the_graph_as_it_was(history: History, random: Random) -> None:
    bridge, states = bridged(history)
    state = random.choice(states)
    before = canonical(bridge.graph)
    reading = bridge.read(state)
    old = bridge.text(tuple(flat(reading))).decode()
    bridge.record(state, reading, "ab", edits_between(old, "ab"), b"\x80new")
    assert canonical(bridge.graph) == before
    assert_consistent(bridge.graph)


@LAW
@given(histories(), RANDOMS)
def test_splitting_runs_changes_no_rendering(history: History, random: Random) -> None:
    bridge, states = bridged(history)
    before = [(bridge.shown(state), bridge.pairs(state)) for state in states]
    runs = list(bridge.graph.weave.runs())
    for start, size, _ in random.sample(runs, len(runs) // 2):
        bridge.graph.weave.cut(start + random.randrange(size))
    assert [(bridge.shown(state), bridge.pairs(state)) for state in states] == before


@LAW
@given(histories(), st.data())
def test_lines_that_came_and_went_change_no_reading(
    history: History, data: st.DataObject
) -> None:
    """Dead lines never change live ones: G46, for lines that nothing else refers to."""
    bridge, states = bridged(history)
    state = data.draw(st.sampled_from(states))
    reading = bridge.read(state)
    assume(reading.is_clean)
    before = [bridge.shown(other | state) for other in states]
    old = bridge.text(tuple(reading.spans())).decode()
    place = data.draw(st.integers(0, len(old)))
    come, went = b"\x80come", b"\x80went"
    text = old[:place] + "x" + old[place:]
    coming = bridge.record(state, reading, text, [Edit(place, 0, place, 1)], come)
    assume(not coming.orders)
    bridge.naive.add(coming)
    bridge.take(come)
    state |= {come}
    going = bridge.record(state, bridge.read(state), old, [Edit(place, 1, place, 0)], went)
    bridge.naive.add(going)
    bridge.take(went)
    state |= {went}
    assert [bridge.shown(other | state) for other in states] == before


@given(histories())
def test_a_packed_graph_is_the_same_graph(history: History) -> None:
    bridge, states = bridged(history)
    packed = pack(bridge.graph)
    loaded = unpack(packed)
    shown = [bridge.shown(state) for state in states]
    assert pack(loaded) == packed
    before, bridge.graph = bridge.graph, loaded
    assert [bridge.shown(state) for state in states] == shown
    assert canonical(loaded) == canonical(before)
    assert_consistent(loaded)


@given(histories(), RANDOMS)
def test_changes_go_into_a_loaded_graph_as_into_the_first(
    history: History, random: Random
) -> None:
    played = replay(history)
    bridge = Bridge(played.text)
    for key in played.text.changes:
        bridge.take(key)
        if random.random() < 0.5:
            bridge.graph = unpack(pack(bridge.graph))
    assert canonical(bridge.graph) == canonical(bridged(history)[0].graph)
    assert_consistent(bridge.graph)


@given(histories(), RANDOMS)
def test_whatever_is_recorded_is_admitted_in_every_order_of_arrival(
    history: History, random: Random
) -> None:
    bridge, states = bridged(history)
    keys = arrival(bridge, states[-1], random)
    other = Bridge(bridge.naive, known=keys)
    for key in keys:
        before = canonical(other.graph)
        admit(other.graph, other.numbers[key], other.bound(other.numbers[key]))
        assert canonical(other.graph) == before
        other.take(key)


@given(histories(most_steps=4), st.data())
def test_no_damage_to_a_packed_graph_goes_unnoticed(
    history: History, data: st.DataObject
) -> None:
    packed = pack(bridged(history)[0].graph)
    place = data.draw(st.integers(0, len(packed) - 1))
    flip = data.draw(st.integers(1, 255))
    damaged = bytes((*packed[:place], packed[place] ^ flip, *packed[place + 1 :]))
    with pytest.raises(PackedGraphError):
        unpack(damaged)
    with pytest.raises(PackedGraphError):
        unpack(packed[:place])


def test_an_empty_graph_packs() -> None:
    assert canonical(unpack(pack(TextGraph()))) == canonical(TextGraph())
