"""One text on many branches, made at will: what the curves and the slow tests are drawn of."""

from collections.abc import Iterable, Sequence

from pyroaring import BitMap

from oxy.diff.lines import edits_of_lines
from oxy.graph.draft import Edits, flat
from oxy.graph.reading import Reading
from oxy.graph.record import record
from oxy.graph.render import render
from oxy.graph.straight import straighten
from oxy.graph.text import Span, TextGraph
from oxy.graph.weave import SHIFT

INDEX = (1 << SHIFT) - 1
DIGITS = 8
COLLIDES = 50
"""Which of a hundred edits is of one line by both sides."""


class Text:
    """A text graph with the lines of each change, and what each change knew.

    It is what rendering asks of the world, too. Ids are in the order of the numbers.
    """

    def __init__(self) -> None:
        self.graph = TextGraph()
        self.lines: dict[int, list[bytes]] = {}
        self.known: dict[int, BitMap] = {}
        self.reading = Reading([], [])
        """What the state reads that was written last."""

    def knows(self, change: int, state: BitMap) -> BitMap:
        """Return the changes of a state that a change was recorded on."""
        return self.known[change] & state

    def rank(self, change: int) -> bytes:
        """Return an id."""
        return change.to_bytes(DIGITS, "big")

    def text(self, spans: Iterable[Span]) -> bytes:
        """Return the bytes of lines."""
        return b"".join(self.of(spans))

    def of(self, spans: Iterable[Span]) -> list[bytes]:
        """Return lines one by one."""
        found: list[bytes] = []
        for start, size in spans:
            first = start & INDEX
            found += self.lines[start >> SHIFT][first : first + size]
        return found

    def read(self, state: BitMap) -> Reading:
        """Return what a state reads."""
        return render(self.graph, state, self)

    def write(self, state: BitMap, new: Sequence[bytes], reading: Reading) -> BitMap:
        """Record lines on a state that reads something; return the state with the change."""
        old = self.of(flat(reading))
        return self.edit(state, edits_of_lines(old, list(new)), new, reading)

    def edit(
        self,
        state: BitMap,
        edits: Edits,
        new: Sequence[bytes],
        reading: Reading,
        kept: frozenset[int] = frozenset(),
    ) -> BitMap:
        """Record edits of what a state reads, and return the state with the change.

        Some conflicts may be left alone.
        """
        change = len(self.known) + 1
        made = record(self.graph, state, reading, edits, change, kept)
        mine: list[bytes] = []
        for size, start, moved in made.sources:
            mine += (
                new[start : start + size]
                if start is not None
                else self.of([moved or Span(0, 0)])
            )
        self.lines[change] = mine
        self.known[change] = BitMap(state)
        self.graph.apply(change, made.deed)
        straighten(self.graph)
        self.reading = made.reading
        return state | BitMap([change])


def lines(count: int) -> list[bytes]:
    """Return distinct lines."""
    return [b"line %d\n" % number for number in range(count)]


def in_rounds(count: int) -> tuple[Text, BitMap]:
    """Let two sides replace one line round after round, and one of them resolve it."""
    text = Text()
    state = text.write(BitMap(), [b"a\n", b"0\n", b"z\n"], Reading([], []))
    for _ in range(count):
        state = next_round(text, state)
    return text, state


def next_round(text: Text, state: BitMap) -> BitMap:
    """Let two sides replace the line of a text of three, and one resolve it."""
    number = len(text.known)
    reading = text.reading
    mine, theirs = (
        text.write(state, [b"a\n", b"%d %d\n" % (number, side), b"z\n"], reading)
        for side in (1, 2)
    )
    union = mine | theirs
    shown = text.read(union)
    assert len(shown.conflicts) == 1
    return text.write(union, [b"a\n", b"%d 1\n" % number, b"z\n"], shown)


def sides(count: int) -> tuple[Text, BitMap]:
    """Let as many sides insert a line at one place."""
    text = Text()
    base = text.write(BitMap(), [b"a\n", b"z\n"], Reading([], []))
    reading = text.read(base)
    union = BitMap(base)
    for number in range(count):
        union |= text.write(base, [b"a\n", b"side %d\n" % number, b"z\n"], reading)
    return text, union


def rivals(count: int) -> tuple[Text, BitMap]:
    """Let as many sides replace one line."""
    text = Text()
    base = text.write(BitMap(), [b"a\n", b"m\n", b"z\n"], Reading([], []))
    reading = text.read(base)
    union = BitMap(base)
    for number in range(count):
        union |= text.write(base, [b"a\n", b"side %d\n" % number, b"z\n"], reading)
    return text, union


def runs(total: int, count: int) -> tuple[Text, BitMap, BitMap]:
    """Cut a file into runs by one side's edits, and edit the lines beside them on another.

    Every hundredth edit, from the fiftieth on, is of one line by both.
    """
    text = Text()
    old = lines(total)
    base = text.write(BitMap(), old, Reading([], []))
    reading = text.read(base)
    step = total * 2 // count
    mine = [(at, 1, at // step, 1) for at in range(0, total - step + 1, step)]
    new = [b"mine %d\n" % n for n in range(len(mine))]
    one = text.edit(base, mine, new, reading)
    theirs = [
        (at + (0 if n % 100 == COLLIDES else step // 2), 1, n, 1)
        for n, (at, _, _, _) in enumerate(mine)
    ]
    other = text.edit(base, theirs, [b"theirs %d\n" % n for n in range(len(theirs))], reading)
    return text, one, other


def concurrent(count: int) -> tuple[Text, BitMap]:
    """Let as many sides edit one file, each a line of its own."""
    text = Text()
    old = lines(count * 4)
    base = text.write(BitMap(), old, Reading([], []))
    reading = text.read(base)
    union = BitMap(base)
    for number in range(count):
        union |= text.edit(base, [(4 * number, 1, 0, 1)], [b"by %d\n" % number], reading)
    return text, union
