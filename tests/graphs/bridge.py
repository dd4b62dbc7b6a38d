"""The fast graph beside the naive model: changes go across, readings are compared.

The naive model names changes by key, the graph by number, one for each arrival. What a change
names weakly may arrive after it, and is bound to it then.
"""

from collections.abc import Iterable, Sequence

from pyroaring import BitMap

from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.reading import Reading
from oxy.graph.record import record
from oxy.graph.recorded import Recorded
from oxy.graph.render import render
from oxy.graph.text import Deed, Span, TextGraph, bind
from oxy.graph.weave import SHIFT
from tests.graphs.translation import (
    INDEX,
    change_of_deed,
    edit_of_change,
    lines_in,
)
from tests.naive.change import Key, LineId, NaiveChange, Pair, State
from tests.naive.edits import Edit
from tests.naive.rendering import Conflict
from tests.naive.text import NaiveText

Shown = tuple[LineId | tuple[tuple[LineId, ...], ...], ...]


class Bridge:
    """One text graph beside a naive text; it is what rendering asks of the world, too.

    Numbers of changes that are known beforehand bind what is named weakly before it arrives.
    """

    __slots__ = ("graph", "keys", "naive", "numbers")

    def __init__(self, naive: NaiveText, known: Sequence[Key] = ()) -> None:
        self.naive = naive
        self.graph = TextGraph()
        self.keys: list[Key] = [b"", *known]
        self.numbers = {key: number for number, key in enumerate(known, 1)}

    def knows(self, change: int, state: BitMap) -> BitMap:
        view = self.naive.view(frozenset(self.keys[number] for number in state))
        return self.bits(view.known(self.keys[change]))

    def rank(self, change: int) -> bytes:
        return self.keys[change]

    def text(self, spans: tuple[Span, ...]) -> bytes:
        return b"".join(self.letter(line) for line in lines_in(spans))

    def letter(self, line: int) -> bytes:
        key, number = self.identity(line)
        return self.naive.changes[key].texts[number].encode()

    def bits(self, state: Iterable[Key]) -> BitMap:
        return BitMap([self.numbers[key] for key in state])

    def identity(self, line: int) -> LineId:
        return LineId(self.keys[line >> SHIFT], line & INDEX)

    def take(self, key: Key) -> int:
        """Apply a change of the naive text under the next number, and return that."""
        is_known = key in self.numbers
        if not is_known:
            self.numbers[key] = len(self.keys)
            self.keys.append(key)
        number = self.numbers[key]
        self.graph.apply(number, self.bound(number))
        for other in () if is_known else self.graph.touched:
            if other != number and key in edit_of_change(self._change(other))[1]:
                self.graph.rebind(other, self.bound(other))
        return number

    def bound(self, number: int) -> Deed:
        """Return what a change does, bound to the numbers that there are now."""
        change = self._change(number)
        edit, references = edit_of_change(change)
        needs = change.dependencies
        return bind(
            edit,
            [self.numbers.get(key, 0) for key in references],
            tuple(sorted(self.numbers[key] for key in needs)),
        )

    def _change(self, number: int) -> NaiveChange:
        return self.naive.changes[self.keys[number]]

    def read(self, state: State) -> Reading:
        return render(self.graph, self.bits(state), self)

    def shown(self, state: State) -> Shown:
        """Return what a state reads as, by the identities of its lines."""
        reading = self.read(state)
        conflicts = iter((*reading.conflicts, None))
        ahead = next(conflicts)
        items: list[LineId | tuple[tuple[LineId, ...], ...]] = []
        for place, span in enumerate((*reading.spans(), Span(0, 0))):
            while ahead is not None and ahead.position == place:
                items.append(tuple(self.identities(side.spans) for side in ahead.sides))
                ahead = next(conflicts)
            items += self.identities([span])
        return tuple(items)

    def identities(self, spans: Iterable[Span]) -> tuple[LineId, ...]:
        return tuple(map(self.identity, lines_in(spans)))

    def pairs(self, state: State) -> frozenset[Pair]:
        """Return the open pairs of a state, by line."""
        net = Net(self.graph, self.bits(state))
        return frozenset(
            Pair(line, self.keys[deletion], self.keys[keeper] if keeper else None)
            for run, deletion, keeper in open_pairs(net).pairs
            for line in self.identities([Span(net.starts[run], net.sizes[run])])
        )

    def record(
        self,
        state: State,
        reading: Reading,
        text: Sequence[str],
        edits: Sequence[Edit],
        key: Key,
    ) -> NaiveChange:
        """Return the change by which the graph records edits of what a state shows."""
        number = len(self.keys)
        made = record(self.graph, self.bits(state), reading, edits, number)
        return self.change(made, state, text, key)

    def change(
        self, made: Recorded, state: State, text: Sequence[str], key: Key
    ) -> NaiveChange:
        """Return what was recorded on a state as a change of the naive text."""
        number = len(self.keys)
        return change_of_deed(
            made.deed,
            lambda named: key if named == number else self.keys[named],
            self._texts(made, text),
            self.naive.view(state).heads(),
            key,
        )

    def _texts(self, made: Recorded, text: Sequence[str]) -> list[str]:
        texts: list[str] = []
        for size, new, moved in made.sources:
            if moved is not None:
                texts += map(bytes.decode, map(self.letter, lines_in([moved])))
            elif new is not None:
                texts += text[new : new + size]
        return texts


def shown_by_model(naive: NaiveText, state: State) -> Shown:
    """Return what the naive model shows of a state, by the identities of its lines."""
    return tuple(
        item.sides if isinstance(item, Conflict) else item.id for item in naive.render(state)
    )
