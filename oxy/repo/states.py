"""States: sets of changes, and their names (spec: states, S1 to S9).

A state is a bitmap over change numbers. The state of a change, which is the one it was recorded
in with it added, is kept as a difference along the first head of its context, and whole at
intervals, so naming any past state walks no history.
"""

from collections import OrderedDict
from typing import Final, NamedTuple

from pyroaring import BitMap

from oxy.repo.tables import LINK, STATE, key, numbers, unpack_numbers
from oxy.store.protocol import IndexWriter, Reader

INTERVAL: Final = 64
"""How many differences are followed before a state is kept whole."""

CACHED: Final = 256

_STEP: Final = b"+"
_DIFFERENCE: Final = b"~"
_WHOLE: Final = b"="


class Name(NamedTuple):
    """The name of a state inside this repository: its heads and absent changes, by number."""

    heads: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


class Link(NamedTuple):
    """What a change names: the state that it was recorded in, and its dependencies."""

    context: Name
    deps: tuple[int, ...]

    @property
    def named(self) -> tuple[int, ...]:
        """Heads and dependencies: what the change knows directly."""
        return (*self.context.heads, *self.deps)


def pack_link(link: Link) -> bytes:
    """Return the row of a link."""
    heads, absent = link.context
    return numbers((len(heads), len(absent), *heads, *absent, *link.deps))


def unpack_link(data: bytes) -> Link:
    """Return the link of a row."""
    count, gone, *rest = unpack_numbers(data)
    cut = count + gone
    return Link(Name(tuple(rest[:count]), tuple(rest[count:cut])), tuple(rest[cut:]))


class States:
    """The states of a store's changes."""

    __slots__ = ("_known", "_reader")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: OrderedDict[int, BitMap] = OrderedDict()

    def link(self, change: int) -> Link:
        """Return what a change names."""
        row = self._reader.row(LINK, key(change))
        return unpack_link(row) if row is not None else Link(Name(), ())

    def of_change(self, change: int) -> BitMap:
        """Return the state of a change; not to be modified.

        Cost: at most INTERVAL rows.
        """
        chain: list[tuple[int, bytes]] = []
        at = change
        while at not in self._known:
            row = self._reader.row(STATE, key(at)) or _WHOLE
            chain.append((at, row))
            if row[:1] == _WHOLE:
                break
            at = int.from_bytes(row[2:6], "big")
        state = self._known.get(at, BitMap())
        for at, row in reversed(chain):
            state = _apply(state, at, row)
            self._remember(at, state)
        if not chain:
            self._known.move_to_end(change)
        return state

    def members(self, name: Name) -> BitMap:
        """Return the changes of a named state. Cost: its heads; with absent ones, a walk."""
        if name.absent:
            return self._walk(name)
        state = BitMap()
        for head in name.heads:
            state |= self.of_change(head)
        return state

    def _walk(self, name: Name) -> BitMap:
        absent = set(name.absent)
        found = BitMap()
        work = list(name.heads)
        while work:
            change = work.pop()
            if change not in found and change not in absent:
                found.add(change)
                work += self.link(change).named
        return found

    def join(self, names: tuple[Name, ...]) -> Name:
        """Return the name of the union of states. Cost: their heads, where none is absent."""
        heads = tuple(sorted({head for name in names for head in name.heads}))
        if any(name.absent for name in names):
            union = BitMap()
            for name in names:
                union |= self.members(name)
            return self.name_of(union)
        return Name(tuple(h for h in heads if not self._is_under(h, heads)), ())

    def _is_under(self, head: int, heads: tuple[int, ...]) -> bool:
        return any(other > head and head in self.of_change(other) for other in heads)

    def name_of(self, state: BitMap) -> Name:
        """Return the name of any closed set of changes. Cost: a row for each member."""
        named: set[int] = set()
        for change in state:
            named.update(self.link(change).named)
        heads = tuple(change for change in state if change not in named)
        return Name(heads, tuple(sorted(named - set(state))))

    def knows(self, change: int, state: BitMap) -> BitMap:
        """Return what a change reaches through contexts and dependencies inside a state.

        Cost: nothing more than its own state where that lies inside; else a walk.
        """
        own = self.of_change(change)
        if own <= state:
            return own - BitMap([change])
        found = BitMap()
        work = [change]
        while work:
            for other in self.link(work.pop()).named:
                if other in state and other not in found:
                    found.add(other)
                    work.append(other)
        return found

    def record(self, writer: IndexWriter, change: int, link: Link) -> None:
        """Write the rows of a change's link and state."""
        writer.put(LINK, key(change), pack_link(link))
        context = self.members(link.context)
        state = context | BitMap([change])
        writer.put(STATE, key(change), self._row(change, link.context, context))
        self._remember(change, state)

    def _row(self, change: int, context: Name, members: BitMap) -> bytes:
        if not context.heads:
            return _WHOLE + BitMap([change]).serialize()
        first = context.heads[0]
        row = self._reader.row(STATE, key(first)) or _WHOLE
        depth = 0 if row[:1] == _WHOLE else row[1]
        if depth + 1 >= INTERVAL:
            whole = members | BitMap([change])
            whole.run_optimize()
            return _WHOLE + whole.serialize()
        head = bytes([depth + 1]) + key(first)
        base = self.of_change(first)
        if members == base:
            return _STEP + head
        difference = members ^ base
        difference.run_optimize()
        return _DIFFERENCE + head + difference.serialize()

    def _remember(self, change: int, state: BitMap) -> None:
        self._known[change] = state
        if len(self._known) > CACHED:
            self._known.popitem(last=False)


def _apply(state: BitMap, change: int, row: bytes) -> BitMap:
    kind = row[:1]
    if kind == _WHOLE:
        return BitMap.deserialize(row[1:])
    if kind == _DIFFERENCE:
        state = state ^ BitMap.deserialize(row[6:])
    return state | BitMap([change])
