"""What a merge may have kept is the same everywhere, and any text can be made of it."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from oxy.graph.candidates import candidates
from oxy.graph.draft import flat
from oxy.graph.reading import Reading
from tests.graphs.bridge import Bridge
from tests.naive.change import State
from tests.naive.edits import edits_between
from tests.naive.history import History, replay
from tests.strategies.histories import histories


def told(bridge: Bridge, parents: list[State]) -> Reading:
    union = bridge.bits(frozenset().union(*parents))
    return candidates(bridge.graph, union, list(map(bridge.bits, parents)), bridge.rank)


@given(histories(), st.randoms(use_true_random=False))
def test_candidates_do_not_depend_on_the_order_of_arrival(
    history: History, random: Random
) -> None:
    played = replay(history)
    changes = played.text.changes
    bridge, other = Bridge(played.text), Bridge(played.text)
    for key in changes:
        bridge.take(key)
    while len(other.numbers) < len(changes):
        ready = [
            key
            for key, change in changes.items()
            if key not in other.numbers and change.dependencies <= other.numbers.keys()
        ]
        other.take(random.choice(ready))
    parents = [state for state in played.states if bridge.read(state).is_clean]
    one, two = told(bridge, parents), told(other, parents)
    assert bridge.identities(flat(one)) == other.identities(flat(two))
    assert [conflict.position for conflict in one.conflicts] == [
        conflict.position for conflict in two.conflicts
    ]


@given(histories(), st.text("abcx", max_size=10))
def test_any_text_can_be_made_of_candidates(history: History, text: str) -> None:
    played = replay(history)
    bridge = Bridge(played.text)
    for key in played.text.changes:
        bridge.take(key)
    parents = [state for state in played.states if bridge.read(state).is_clean]
    union: State = frozenset().union(*parents)
    reading = told(bridge, parents)
    old = bridge.text(tuple(flat(reading))).decode()
    key = b"\x80new"
    made = bridge.record(union, reading, text, edits_between(old, text), key)
    bridge.naive.add(made)
    bridge.take(key)
    after = bridge.read(union | {key})
    assert after.is_clean
    assert bridge.text(tuple(after.spans())).decode() == text
