"""Random histories of a few replicas of one text, with letters as lines."""

from collections.abc import Iterator

from hypothesis import strategies as st

from tests.naive.change import State
from tests.naive.edits import edits_between
from tests.naive.history import History, Merge, Pick, Record, Replay, Step, Unrecord
from tests.naive.rendering import Conflict
from tests.naive.text import NaiveText

# Few letters make twins and repeated lines; many make conflicts of different sides.
ALPHABETS = ("ab", "abcd", "abcdefghijkl")
MOST_LINES = 12
MOST_CHANGES = 14


@st.composite
def histories(draw: st.DrawFn, *, most_steps: int = 12) -> History:
    """Draw a history: a base that all replicas have, then edits, merges, picks, unrecordings.

    A recording on a conflicted state takes a side, all sides or something else, and may edit
    around it. Change ids are drawn too, so that their order says nothing about arrival.
    """
    letters = st.sampled_from(draw(st.sampled_from(ALPHABETS)))
    played = Replay(draw(st.integers(2, 4)))
    count = len(played.states)
    base = tuple(draw(st.lists(letters, max_size=6)))
    steps: list[Step] = [_recording(draw, played, 0, base)]
    steps.extend(Merge(replica, 0) for replica in range(1, count))
    for step in steps:
        played.apply(step)
    for _ in range(draw(st.integers(1, most_steps))):
        step = _step(draw, played, letters)
        played.apply(step)
        steps.append(step)
    return History(count, tuple(steps))


@st.composite
def texts_on(draw: st.DrawFn, text: NaiveText, state: State) -> tuple[str, ...]:
    """Draw a text that may be recorded on a state, near to what it shows or far from it."""
    letters = st.sampled_from(draw(st.sampled_from(ALPHABETS)))
    if draw(st.booleans()):
        return tuple(draw(st.lists(letters, max_size=MOST_LINES)))
    return _text(draw, text, state, letters)


def _step(draw: st.DrawFn, played: Replay, letters: st.SearchStrategy[str]) -> Step:
    """Draw the next step; what a replica does not have enough for becomes a merge."""
    replicas = st.integers(0, len(played.states) - 1)
    replica, source = draw(replicas), draw(replicas)
    state, other = played.states[replica], played.states[source]
    kind = draw(st.sampled_from(("record",) * 4 + ("merge",) * 2 + ("pick", "unrecord")))
    if kind == "record" and len(played.text.changes) < MOST_CHANGES:
        text = _text(draw, played.text, state, letters)
        return _recording(draw, played, replica, text)
    if kind == "pick" and other:
        return Pick(replica, draw(st.sampled_from(sorted(other))))
    if kind == "unrecord" and state:
        return Unrecord(replica, draw(st.sampled_from(sorted(state))))
    return Merge(replica, source)


def _recording(draw: st.DrawFn, played: Replay, replica: int, text: tuple[str, ...]) -> Record:
    """Record a text under an id whose first byte is drawn and whose second is unique."""
    key = bytes((draw(st.integers(0, 255)), len(played.text.changes)))
    state = played.states[replica]
    last_first = played.text.rendering(state).conflicted and draw(st.booleans())
    shown = played.text.shown(state, last_first=last_first)
    return Record(replica, key, text, edits_between(shown, text), last_first)


def _text(
    draw: st.DrawFn, text: NaiveText, state: State, letters: st.SearchStrategy[str]
) -> tuple[str, ...]:
    """Draw a text near to what a state shows: conflicts resolved, and a few splices."""
    lines = list(_resolved(draw, text, state, letters))
    fewest = 0 if text.rendering(state).conflicted else 1
    for _ in range(draw(st.integers(fewest, 2))):
        start = draw(st.integers(0, len(lines)))
        end = draw(st.integers(start, min(len(lines), start + 3)))
        lines[start:end] = draw(st.lists(letters, max_size=3))
    return tuple(lines[:MOST_LINES])


def _resolved(
    draw: st.DrawFn, text: NaiveText, state: State, letters: st.SearchStrategy[str]
) -> Iterator[str]:
    """Yield the lines of a state with each conflict resolved one way or another."""
    view = text.view(state)
    for item in text.render(state):
        if not isinstance(item, Conflict):
            yield view.text(item.id)
            continue
        how = draw(st.sampled_from(("one side", "all sides", "something else")))
        if how == "something else" or not item.sides:
            yield from draw(st.lists(letters, max_size=3))
            continue
        sides = draw(st.permutations(item.sides))
        for side in sides[:1] if how == "one side" else sides:
            yield from map(view.text, side)
