"""What is recorded beside conflicts that are left alone (spec: conflicts, C34 and C32)."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oxy.graph.base import bases
from oxy.graph.draft import flat
from oxy.graph.holding import KeptConflictError
from oxy.graph.places import places
from oxy.graph.reading import Reading
from oxy.graph.record import record
from tests.graphs.bridge import Bridge, shown_by_model
from tests.graphs.sketch import seen
from tests.naive.change import Key, State
from tests.naive.edits import Edit, edits_between
from tests.naive.history import History, Replay
from tests.strategies.histories import ALPHABETS, histories

LAW = settings(max_examples=max(500, settings().max_examples))
LETTERS = st.sampled_from(ALPHABETS).flatmap(st.sampled_from)


def bridged(history: History) -> tuple[Bridge, list[State]]:
    """Return the graph of a history, and the states that its replicas had and their unions.

    Those that show conflicts, if any does.
    """
    played = Replay(history.replicas)
    states = {played.apply(step) for step in history.steps}
    states |= {one | other for one in played.states for other in played.states}
    bridge = Bridge(played.text)
    for key in played.text.changes:
        bridge.take(key)
    ordered = sorted(states, key=sorted)
    disputed = [state for state in ordered if bridge.read(state).conflicts]
    return bridge, disputed or ordered


def stretches(reading: Reading, kept: Sequence[int]) -> list[tuple[int, int]]:
    """Return the flat lines around kept conflicts."""
    total = sum(span.size for span in flat(reading))
    where = places(reading)
    ends = [(0, 0), *((where[n].first, where[n].last) for n in kept), (total, total)]
    return [(upper[1], lower[0]) for upper, lower in pairwise(ends)]


@st.composite
def edited(draw: st.DrawFn, lines: str) -> str:
    """Draw a text near to another one."""
    new = list(lines)
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(new)))
        end = draw(st.integers(start, min(len(new), start + 3)))
        new[start:end] = draw(st.lists(LETTERS, max_size=3))
    return "".join(new)


@LAW
@given(histories(), st.data())
def test_kept_conflicts_stay_as_they_are_and_the_rest_reads_as_recorded(
    history: History, data: st.DataObject
) -> None:
    bridge, states = bridged(history)
    state = data.draw(st.sampled_from(states))
    reading = bridge.read(state)
    count = len(reading.conflicts)
    kept = [n for n in range(count) if data.draw(st.integers(0, 3))]
    old = bridge.text(tuple(flat(reading))).decode()
    around = stretches(reading, kept)
    news = [data.draw(edited(old[first:last])) for first, last in around]
    text = ""
    edits: list[Edit] = []
    for place, ((first, last), new) in enumerate(zip(around, news, strict=True)):
        for edit in edits_between(old[first:last], new):
            o, d, n, i = edit
            edits.append(Edit(first + o, d, len(text) + n, i))
        text += new
        if place < len(kept):
            text += old[last : around[place + 1][0]]
    assume(edits or count > len(kept))
    key = b"\x80new"
    is_possible = all(news[1:-1])
    try:
        made = record(
            bridge.graph, bridge.bits(state), reading, edits, len(bridge.keys), frozenset(kept)
        )
    except KeptConflictError:
        assert not is_possible
        return
    assert is_possible
    bridge.naive.add(bridge.change(made, state, text, key))
    bridge.take(key)
    after = bridge.read(state | {key})
    shown = [list(reading.conflicts[n].sides) for n in kept]
    assert [list(conflict.sides) for conflict in after.conflicts] == shown
    starts = [0, *(conflict.position for conflict in after.conflicts), len(after.starts)]
    spans = list(after.spans())
    assert [
        bridge.text(tuple(spans[first:last])).decode() for first, last in pairwise(starts)
    ] == news
    assert bridge.shown(state | {key}) == shown_by_model(bridge.naive, state | {key})
    assert not kept or seen(made.reading) == seen(after)


@LAW
@given(histories(), st.randoms(use_true_random=False))
def test_the_base_of_a_conflict_does_not_depend_on_the_order_of_arrival(
    history: History, random: Random
) -> None:
    bridge, states = bridged(history)
    other = Bridge(bridge.naive)
    for key in arrival(bridge, random):
        other.take(key)
    for state in states:
        told = bases(bridge.graph, bridge.bits(state), bridge.read(state), bridge)
        again = bases(other.graph, other.bits(state), other.read(state), other)
        assert [bridge.identities(spans) for spans in told] == [
            other.identities(spans) for spans in again
        ]
        assert len(told) == len(bridge.read(state).conflicts)


def arrival(bridge: Bridge, random: Random) -> list[Key]:
    """Return all changes, each after what it depends on."""
    changes = bridge.naive.changes
    done: list[Key] = []
    while len(done) < len(changes):
        ready = [k for k, c in changes.items() if k not in done and c.dependencies <= set(done)]
        done.append(random.choice(ready))
    return done
