"""A text graph told in letters: each letter a line, `{x|y}` a conflict (spec: conflicts)."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from pyroaring import BitMap

from oxy.graph.draft import flat
from oxy.graph.naming import edit_of, weak
from oxy.graph.reading import Reading
from oxy.graph.record import record
from oxy.graph.recorded import Recorded
from oxy.graph.render import render
from oxy.graph.text import Cancel, Deed, Span, TextGraph, bind
from oxy.graph.weave import SHIFT
from tests.graphs.translation import lines_in
from tests.naive.arrivals import arrivals

Edits = list[tuple[int, int, int, int]]


class Sketch:
    """A text with what each change knew; it is what rendering asks of the world, too.

    `ranks` are the ids of the changes, from the first on; others follow by number.
    """

    __slots__ = ("contexts", "graph", "letters", "ranks")

    def __init__(self, ranks: Sequence[int] = ()) -> None:
        self.graph = TextGraph()
        self.letters: dict[int, str] = {}
        self.contexts: dict[int, BitMap] = {}
        self.ranks = ranks

    def knows(self, change: int, state: BitMap) -> BitMap:
        reached = BitMap()
        ahead = [change]
        while ahead:
            named = self.contexts[ahead.pop()] & state - reached
            reached |= named
            ahead += named
        return reached

    def rank(self, change: int) -> bytes:
        known = change <= len(self.ranks)
        return bytes((self.ranks[change - 1] if known else 255, *change.to_bytes(2, "big")))

    def text(self, spans: Iterable[Span]) -> bytes:
        return "".join(self.letters[line] for line in lines_in(spans)).encode()

    def tell(self, state: Iterable[int], *texts: str) -> BitMap:
        """Record texts one after the other, and return the state after the last."""
        state = BitMap(state)
        for text in texts:
            change = self.next_change()
            ways = [self.made(state, text, way) for way in ways_to_show(self.read(state))]
            self.take(change, min(ways, key=_inserted), text, state)
            state |= BitMap([change])
        return state

    def made(self, state: BitMap, text: str, reading: Reading) -> Recorded:
        """Return what a change does that makes a text of what is shown, without applying it."""
        edits = edits_between(self.text(flat(reading)).decode(), text)
        return record(self.graph, state, reading, edits, self.next_change())

    def restored(self, state: BitMap, line: int) -> BitMap:
        """Record that the deletions of one line count no more; return the state after."""
        chunk, place = self.graph.weave.find(line)
        counting = self.graph.counting(chunk.fates[place], state)
        deed = Deed((line >> SHIFT,), cancels=(Cancel(Span(line, 1), counting),))
        return state | BitMap([self.do(state, deed)])

    def do(self, state: BitMap, deed: Deed) -> int:
        """Apply a change that inserts nothing, and return its number."""
        change = self.next_change()
        self.take(change, Recorded(deed, (), Reading([], [])), "", state)
        return change

    def take(self, change: int, made: Recorded, text: str, context: BitMap) -> None:
        """Apply what was recorded of a text."""
        line = change << SHIFT
        for size, new, moved in made.sources:
            lines = [] if moved is None else lines_in([moved])
            letters = (
                text[new : new + size] if new is not None else map(self.letters.get, lines)
            )
            for letter in letters:
                self.letters[line] = str(letter)
                line += 1
        self.contexts[change] = BitMap(context)
        self.graph.apply(change, made.deed)

    def passed_by(self, state: BitMap) -> BitMap:
        """Record a change that leaves this text alone; return the state after."""
        change = self.next_change()
        self.contexts[change] = BitMap(state)
        return state | BitMap([change])

    def next_change(self) -> int:
        return len(self.contexts) + 1

    def without(self, state: Iterable[int], *changes: int) -> BitMap:
        """Return a state without changes and all that depend on them."""
        gone = set(changes)
        for change in BitMap(state):
            if not gone.isdisjoint(self.graph.deeds[change].needs):
                gone.add(change)
        return BitMap(state) - BitMap(gone)

    def read(self, state: Iterable[int]) -> Reading:
        return render(self.graph, BitMap(state), self)

    def show(self, state: Iterable[int]) -> str:
        """Return what a state reads, the sides of each conflict in alphabetical order."""
        reading = self.read(state)
        parts = [self.text([span]).decode() for span in reading.spans()]
        for conflict in reversed(reading.conflicts):
            sides = sorted(self.text(side.spans).decode() for side in conflict.sides)
            parts.insert(conflict.position, "{" + "|".join(sides) + "}")
        return "".join(parts)

    def blame(self, state: Iterable[int]) -> list[int]:
        """Return the change of every line outside conflicts."""
        return [line >> SHIFT for line in lines_in(self.read(state).spans())]

    def line(self, state: Iterable[int], letter: str) -> int:
        """Return the one line that a state shows as a letter."""
        (line,) = (x for x in lines_in(flat(self.read(state))) if self.letters[x] == letter)
        return line

    def orders(self) -> Iterator[tuple[int, ...]]:
        """Return arrivals that respect dependencies: all, or of many changes a sample."""
        return arrivals({change: deed.needs for change, deed in self.graph.deeds.items()})

    def arriving(self, order: Sequence[int]) -> "Arrival":
        """Return the same changes as they arrive in another order."""
        return Arrival(self, order)


class Arrival:
    """The changes of a sketch under other numbers; old numbers name them here."""

    __slots__ = ("graph", "numbers", "old", "sketch")

    def __init__(self, sketch: Sketch, order: Sequence[int]) -> None:
        self.sketch = sketch
        self.graph = TextGraph()
        self.numbers = [0] * (max(order, default=0) + 1)
        self.old = [0, *order]
        named: dict[int, list[int]] = {}
        for change in order:
            for other in weak(sketch.graph.deeds[change]) - {change}:
                named.setdefault(other, []).append(change)
        for number, change in enumerate(order, 1):
            self.numbers[change] = number
            self.graph.apply(number, self._bound(change))
            for earlier in named.get(change, ()):
                if self.numbers[earlier]:
                    self.graph.rebind(self.numbers[earlier], self._bound(earlier))

    def _bound(self, change: int) -> Deed:
        """Return what a change does in the numbers of those that have arrived."""
        deed = self.sketch.graph.deeds[change]
        edit = edit_of(deed, lambda named: 0 if named == change else named)
        needs = tuple(sorted(self.numbers[need] for need in deed.needs))
        return bind(edit, [self.numbers[change], *self.numbers[1:]], needs)

    def knows(self, change: int, state: BitMap) -> BitMap:
        named = BitMap([self.old[number] for number in state])
        known = self.sketch.knows(self.old[change], named)
        return BitMap([self.numbers[number] for number in known])

    def rank(self, change: int) -> bytes:
        return self.sketch.rank(self.old[change])

    def text(self, spans: Iterable[Span]) -> bytes:
        return self.sketch.text(self.renamed(spans))

    def renamed(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return spans by the numbers of the sketch."""
        index = (1 << SHIFT) - 1
        return tuple(
            Span(self.old[start >> SHIFT] << SHIFT | start & index, size)
            for start, size in spans
        )

    def read(self, state: Iterable[int]) -> Reading:
        """Return what a state reads, by the numbers of the sketch."""
        reading = render(self.graph, BitMap([self.numbers[c] for c in state]), self)
        spans = self.renamed(reading.spans())
        return Reading(
            [span.start for span in spans],
            [span.size for span in spans],
            tuple(
                conflict._replace(
                    sides=tuple(
                        side._replace(
                            change=self.old[side.change], spans=self.renamed(side.spans)
                        )
                        for side in conflict.sides
                    )
                )
                for conflict in reading.conflicts
            ),
            tuple(
                twin._replace(shown=self.renamed(twin.shown), hidden=self.renamed(twin.hidden))
                for twin in reading.twins
            ),
        )


def ways_to_show(reading: Reading) -> list[Reading]:
    """Return a reading with the sides of its conflicts by id, and with the last side first.

    A replica shows its own side before the others.
    """
    if not reading.conflicts:
        return [reading]
    turned = tuple(c._replace(sides=c.sides[::-1]) for c in reading.conflicts)
    return [reading, Reading(reading.starts, reading.sizes, turned, reading.twins)]


def _inserted(made: Recorded) -> int:
    return sum(block.size for block in made.deed.blocks)


def edits_between(old: str, new: str) -> Edits:
    """Return edits from one text to another, in letters."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        (i1, i2 - i1, j1, j2 - j1)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def seen(reading: Reading) -> tuple[object, ...]:
    """Return all that a reading says, for comparing."""
    spans = tuple(lines_in(reading.spans()))
    conflicts = [
        (
            sum(reading.sizes[: conflict.position]),
            [(side.change, tuple(lines_in(side.spans))) for side in conflict.sides],
        )
        for conflict in reading.conflicts
    ]
    twins = [(sorted(lines_in(t.shown)), sorted(lines_in(t.hidden))) for t in reading.twins]
    return spans, conflicts, sorted(twins)
