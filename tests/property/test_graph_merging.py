"""Branches that are edited, and merged as Git's merges are imported."""

from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.diff.lines import edits_of_lines
from oxy.graph.candidates import candidates
from oxy.graph.draft import flat
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.reading import Reading
from oxy.graph.record import record
from oxy.graph.render import is_sole, survivors
from oxy.graph.straight import straighten
from oxy.graph.text import TextGraph
from oxy.graph.weave import SHIFT

BRANCHES = 3
LAW = settings(max_examples=max(300, settings().max_examples))


class Branches:
    """One text on some branches, each of which always reads clean."""

    def __init__(self) -> None:
        self.graph = TextGraph()
        self.letters: dict[int, bytes] = {}
        self.states = [BitMap() for _ in range(BRANCHES)]
        self.seen: list[BitMap] = []
        """The states that were recorded, the latest last."""
        self.count = 0

    def text(self, reading: Reading) -> list[bytes]:
        """Return the lines of a reading, the sides of conflicts one after the other."""
        spans = flat(reading) if reading.conflicts else list(reading.spans())
        return [
            self.letters[line] for start, size in spans for line in range(start, start + size)
        ]

    def record(self, state: BitMap, reading: Reading, new: list[bytes]) -> BitMap:
        """Record a text on a state and return the state with it, which reads as the text."""
        self.count += 1
        made = record(
            self.graph, state, reading, edits_of_lines(self.text(reading), new), self.count
        )
        line = self.count << SHIFT
        for size, start, moved in made.sources:
            for step in range(size):
                where = moved.start + step if moved is not None else -1
                self.letters[line] = self.letters[where] if moved else new[(start or 0) + step]
                line += 1
        self.graph.apply(self.count, made.deed)
        straighten(self.graph)
        after = state | BitMap([self.count])
        assert self.text(survivors(self.graph, after)) == new
        assert is_sole(self.graph, after)
        self.seen.append(after)
        return after

    def merge(self, one: BitMap, other: BitMap, random: Random) -> BitMap:
        """Record what somebody made of two branches."""
        union = one | other
        net = Net(self.graph, union)
        assert open_pairs(net, one ^ other).pairs == open_pairs(net).pairs
        rank = "{:08}".format
        named = lambda change: rank(change).encode()  # noqa: E731 - said twice below
        reading = candidates(self.graph, union, [one, other], named)
        grounds = [state for state in reversed(self.seen) if state <= one & other]
        above = candidates(self.graph, union, [one, other], named, grounds)
        assert self.text(above) == self.text(reading)
        assert above.conflicts == reading.conflicts
        reading = random.choice([reading, above])
        if reading.is_clean and random.random() < 0.5:
            return union
        return self.record(union, reading, edited(self.text(reading), random))


def edited(lines: list[bytes], random: Random) -> list[bytes]:
    """Return lines with a few dropped, replaced or added."""
    new = list(lines)
    for _ in range(random.randint(1, 3)):
        at = random.randint(0, len(new))
        fresh = [bytes([random.choice(b"abcdef")]) for _ in range(random.randint(0, 2))]
        new[at : at + random.randint(0, 3)] = fresh
    return new


@LAW
@given(st.integers(0, 1 << 32))
@example(528)
def test_merges_ask_for_pairs_only_where_there_can_be_any(seed: int) -> None:
    random = Random(seed)  # noqa: S311 - a case is made, no secret
    branches = Branches()
    root = branches.record(BitMap(), Reading([], []), [b"a", b"b", b"c", b"d", b"e"])
    branches.states = [root] * BRANCHES
    for _ in range(random.randint(4, 16)):
        place = random.randrange(BRANCHES)
        state = branches.states[place]
        if random.random() < 0.6:
            reading = survivors(branches.graph, state)
            new = edited(branches.text(reading), random)
            if new != branches.text(reading):
                state = branches.record(state, reading, new)
        else:
            other = branches.states[random.randrange(BRANCHES)]
            if other - state and state - other:
                state = branches.merge(state, other, random)
            else:
                state |= other
        branches.states[place] = state
