"""Taking back what one change did to a text, on random histories (spec: graph, G51 to G53)."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oxy.graph.admission import admit
from oxy.graph.draft import flat
from oxy.graph.inverse import inverse
from oxy.graph.text import Deed
from tests.graphs.bridge import Bridge, shown_by_model
from tests.graphs.consistency import assert_consistent
from tests.graphs.translation import change_of_deed
from tests.naive.change import Key, State
from tests.naive.edits import edits_between
from tests.naive.history import History, Record, Replay
from tests.strategies.histories import histories, texts_on

LAW = settings(max_examples=max(400, settings().max_examples))


class Told:
    """A history as it was told: the graph, and each recording with the state that it was on."""

    def __init__(self, history: History) -> None:
        played = Replay(history.replicas)
        self.records: list[tuple[Key, State]] = []
        for step in history.steps:
            state = played.states[step.replica]
            played.apply(step)
            if isinstance(step, Record) and step.key in played.text.changes:
                self.records.append((step.key, state))
        self.bridge = Bridge(played.text)
        for key in played.text.changes:
            self.bridge.take(key)
        self.states = played.states

    def revert(self, key: Key, known: State, state: State) -> Key:
        """Record on a state what takes a change back; the key of that change."""
        bridge = self.bridge
        number, own = len(bridge.keys), bytes((255, len(bridge.keys)))
        bits = bridge.bits(state)
        made = inverse(bridge.graph, bridge.numbers[key], bridge.bits(known), bits, number)
        admit(bridge.graph, number, made.deed)
        change = change_of_deed(
            made.deed,
            lambda named: own if named == number else bridge.keys[named],
            [],
            bridge.naive.view(known if made.is_disputed else state).heads(),
            own,
        )
        bridge.naive.add(change)
        bridge.take(own)
        is_idle = made.deed == Deed()
        assert is_idle or made.is_disputed or bridge.read(state | {own}).is_clean
        return own


@LAW
@given(histories(), st.data())
def test_taking_back_what_was_just_recorded_is_as_before(
    history: History, data: st.DataObject
) -> None:
    told = Told(history)
    key, before = data.draw(st.sampled_from(told.records))
    after = before | {key}
    own = told.revert(key, after, after)
    bridge = told.bridge
    assert bridge.shown(after | {own}) == shown_by_model(bridge.naive, after | {own})
    if not bridge.naive.rendering(before).conflicted:
        assert bridge.shown(after | {own}) == bridge.shown(before)


@LAW
@given(histories(), st.data())
def test_taking_back_what_took_back_is_as_if_nothing_was(
    history: History, data: st.DataObject
) -> None:
    told = Told(history)
    key, before = data.draw(st.sampled_from(told.records))
    after = before | {key}
    own = told.revert(key, after, after)
    again = told.revert(own, after | {own}, after | {own})
    assert told.bridge.shown(after | {own, again}) == told.bridge.shown(after)


@LAW
@given(histories(), st.data())
def test_what_the_change_did_not_make_stays_live(history: History, data: st.DataObject) -> None:
    told = Told(history)
    key, before = data.draw(st.sampled_from(told.records))
    holding = [state for state in told.states if key in state]
    state = data.draw(st.sampled_from(holding)) if holding else before | {key}
    known = (before & state) | {key}
    naive = told.bridge.naive
    live = {x for x in naive.view(state).live if x.change != key}
    live -= {restore.line for restore in naive.changes[key].restores}
    state |= {told.revert(key, known, state)}
    assert live <= set(naive.view(state).live)
    assert told.bridge.shown(state) == shown_by_model(naive, state)


@LAW
@given(histories(), st.data())
def test_what_is_recorded_on_a_revert_reads_back(history: History, data: st.DataObject) -> None:
    told = Told(history)
    bridge = told.bridge
    key, before = data.draw(st.sampled_from(told.records))
    holding = [state for state in told.states if key in state]
    state = data.draw(st.sampled_from(holding)) if holding else before | {key}
    state |= {told.revert(key, (before & state) | {key}, state)}
    text = data.draw(texts_on(bridge.naive, state))
    reading = bridge.read(state)
    edits = edits_between(bridge.text(tuple(flat(reading))).decode(), text)
    assume(edits or reading.conflicts)
    new = b"\x80new"
    bridge.naive.add(bridge.record(state, reading, text, edits, new))
    bridge.take(new)
    after = bridge.read(state | {new})
    assert not after.conflicts
    assert bridge.text(tuple(after.spans())).decode() == "".join(text)
    assert_consistent(bridge.graph)
