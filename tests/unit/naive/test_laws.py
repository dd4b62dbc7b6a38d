"""Laws of the naive model over random histories."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive.history import History, replay
from tests.naive.rendering import Conflict
from tests.naive.text import EMPTY, NaiveText
from tests.strategies.histories import histories, texts_on

# No deadline: a shrunk history is quick, a drawn one may be slow on a busy machine.
law = settings(deadline=None)


@law
@given(histories(), st.data())
def test_what_was_recorded_reads_back(history: History, data: st.DataObject) -> None:
    played = replay(history)
    text = played.text
    for state in (*played.states, EMPTY.union(*played.states)):
        wanted = data.draw(texts_on(text, state))
        key = bytes((data.draw(st.integers(0, 255)), len(text.changes)))
        recorded = text.commit(state, wanted, key)
        assert not text.rendering(recorded).conflicted
        assert text.shown(recorded) == list(wanted)


@law
@given(histories())
def test_a_clean_text_hides_no_line_but_those_beneath_a_twin(history: History) -> None:
    played = replay(history)
    for state in played.states:
        rendering = played.text.rendering(state)
        if not rendering.conflicted:
            shown = rendering.shown()
            beneath = {line for twins in rendering.twins for line in twins.beneath}
            assert sorted(shown) == sorted(set(played.text.view(state).live) - beneath)


@law
@given(histories())
def test_a_conflict_shows_at_least_one_side(history: History) -> None:
    played = replay(history)
    for state in played.states:
        for item in played.text.render(state):
            assert not isinstance(item, Conflict) or item.sides


@law
@given(histories(), st.randoms())
def test_a_state_reads_the_same_in_every_order_of_arrival(
    history: History, rng: Random
) -> None:
    played = replay(history)
    changes = dict(played.text.changes)
    again = NaiveText()
    waiting = sorted(changes)
    while waiting:
        ready = [key for key in waiting if changes[key].dependencies <= again.changes.keys()]
        key = rng.choice(ready)
        again.add(changes[key])
        waiting.remove(key)
    for state in played.states:
        assert again.rendering(state) == played.text.rendering(state)


@law
@given(histories())
def test_recording_the_text_as_it_is_says_nothing_on_a_clean_state(history: History) -> None:
    played = replay(history)
    for state in played.states:
        if not played.text.rendering(state).conflicted:
            change = played.text.record(state, played.text.shown(state), b"again")
            assert change._replace(context=EMPTY) == type(change)(b"again")


@law
@given(histories())
def test_the_inserts_of_a_set_never_form_a_cycle(history: History) -> None:
    played = replay(history)
    view = played.text.view(EMPTY.union(*played.states))
    order = view.insert_order()
    assert not any(order.before(line, line) for line in view.lines)
