"""Cases played on the line graph, on the naive model and in a repository."""

from collections.abc import Iterable, Sequence

from pyroaring import BitMap

from oxy.graph.text import Cancel, Deed, Deletion, Span
from oxy.graph.weave import SHIFT
from tests.builders.replica import Looks, Replica
from tests.cases.script import State
from tests.graphs.sketch import Sketch
from tests.naive.change import Hunk, Key, NaiveChange, Restore
from tests.naive.text import NaiveText


def inverse_of(deed: Deed, change: int) -> Deed:
    """Return what takes back what a change did to a text."""
    gone = [span for spans, _ in deed.deletions for span in spans]
    return Deed(
        (*sorted({span.start >> SHIFT for span in gone} | {change}),),
        deletions=tuple(
            Deletion((Span(block.start, block.size),), None) for block in deed.blocks
        ),
        cancels=tuple(Cancel(span, (change,)) for span in gone),
    )


class OnGraph:
    """Plays a case on the line graph; `ranks` are the ids of the changes."""

    __slots__ = ("numbers", "sketch")

    def __init__(self, ranks: Sequence[int] = ()) -> None:
        self.sketch = Sketch(ranks)
        self.numbers: dict[str, int] = {}

    def bits(self, state: State) -> BitMap:
        return BitMap([self.numbers[name] for name in state])

    def tell(self, state: State, name: str, text: str) -> None:
        before = self.bits(state)
        (self.numbers[name],) = self.sketch.tell(before, text) - before

    def revert(self, state: State, name: str, of: str) -> None:
        inverse = inverse_of(self.sketch.graph.deeds[self.numbers[of]], self.numbers[of])
        self.numbers[name] = self.sketch.do(self.bits(state), inverse)

    def dependents(self, state: State, names: State) -> State:
        before = self.bits(state)
        stays = self.sketch.without(before, *self.bits(names))
        return frozenset(name for name in state if self.numbers[name] not in stays)

    def blame(self, state: State) -> list[str]:
        """Return the change of every line outside conflicts."""
        names = {number: name for name, number in self.numbers.items()}
        return [names[number] for number in self.sketch.blame(self.bits(state))]


class OnModel:
    """Plays a case on the naive model; `ranks` are the ids of the changes."""

    __slots__ = ("keys", "ranks", "text")

    def __init__(self, ranks: Sequence[int] = ()) -> None:
        self.text = NaiveText()
        self.ranks = ranks
        self.keys: dict[str, Key] = {}

    def named(self, state: Iterable[str]) -> frozenset[Key]:
        return frozenset(self.keys[name] for name in state)

    def tell(self, state: State, name: str, text: str) -> None:
        key, on = self._next(), self.named(state)
        ways = [self.text.record(on, text, key, last_first=last) for last in (False, True)]
        self._add(name, min(ways, key=lambda change: len(change.texts)))

    def revert(self, state: State, name: str, of: str) -> None:
        undone = self.text.changes[self.keys[of]]
        change = NaiveChange(
            self._next(),
            hunks=tuple(Hunk(undone.block(n), None) for n in range(len(undone.inserts))),
            restores=tuple(Restore(line, undone.key) for line in undone.deletes()),
            dependencies=frozenset(
                {undone.key} | {line.change for line in undone.deletes()},
            ),
            context=self.text.view(self.named(state)).heads(),
        )
        self._add(name, change)

    def dependents(self, state: State, names: State) -> State:
        gone = self.text.dependents(self.named(names), self.named(state))
        return frozenset(name for name in state if self.keys[name] in gone)

    def _next(self) -> Key:
        number = len(self.keys)
        return bytes((self.ranks[number] if self.ranks else 0, number))

    def _add(self, name: str, change: NaiveChange) -> None:
        self.text.add(change)
        self.keys[name] = change.key


class OnRepository:
    """Plays a case in a repository; `lines` tells whether each letter of a text is a line."""

    __slots__ = ("ids", "lines", "replica")

    def __init__(self, *, lines: bool = True) -> None:
        self.replica = Replica(b"Ann <ann@x>")
        self.lines = lines
        self.ids: dict[str, bytes] = {}

    def tell(self, state: State, name: str, text: str) -> None:
        replica = self._at(state)
        data = "".join(letter + "\n" for letter in text) if self.lines else text
        if state:
            replica.edit(1, data.encode())
        else:
            replica.create(b"f", data.encode())
        (self.ids[name],) = replica.state - self.named(state)

    def revert(self, state: State, name: str, of: str) -> None:
        replica = self._at(state)
        graph = replica.repository.nodes.graph(1)
        (change,) = replica.bits([self.ids[of]])
        replica.do(1, inverse_of(graph.deeds[change], change))
        (self.ids[name],) = replica.state - self.named(state)

    def dependents(self, state: State, names: State) -> State:
        replica = self._at(state)
        for name in names & state:
            if self.ids[name] in replica.state:
                replica.unrecord(self.ids[name])
        return frozenset(name for name in state if self.ids[name] not in replica.state)

    def named(self, state: State) -> frozenset[bytes]:
        return frozenset(self.ids[name] for name in state)

    def _at(self, state: State) -> Replica:
        self.replica.state = self.named(state)
        return self.replica


def notation(looks: Looks, *, lines: bool) -> str:
    """Return a text as a case tells it; a side always ends in LF."""
    parts = looks.data.decode().splitlines(keepends=True)
    for moved, (line, sides) in enumerate(looks.conflicts):
        at = line + moved
        texts = sorted(text.decode() for _, text in sides)
        size = sum(text.count("\n") for text in texts)
        parts[at : at + size] = ["{" + "|".join(texts) + "}"]
    return "".join(parts).replace("\n", "") if lines else "".join(parts)
