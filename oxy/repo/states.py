"""States: sets of changes, and their names (spec: states, S1 to S7).

A state is a bitmap over change numbers. The state of a change, which is the one it was recorded
in with it added, is kept as a difference along the first head of its context, and whole at
intervals, so naming any past state walks no history. Of changes that were each recorded on the
one that arrived before it, it is kept where they begin.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import repeat
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.errors import CorruptionError
from oxy.repo.tables import LINK, STATE, MalformedRowError, key, number, numbers, unpack_numbers
from oxy.store.protocol import IndexWriter, Reader

INTERVAL: Final = 64
"""How many differences are followed before a state is kept whole."""

CACHED: Final = 1024
"""How many states are kept in memory, as runs: a few hundred bytes each as a rule."""

LINKS_CACHED: Final = 4096

_ROWS: Final = 256
"""How many rows are read at once."""

_RUN: Final = b">"
_STEP: Final = b"+"
_DIFFERENCE: Final = b"~"
_WHOLE: Final = b"="
_BESIDE: Final = frozenset((_STEP, _DIFFERENCE))
"""Rows that follow from one that is close, as a rule."""


class NoStateError(CorruptionError):
    """Something names a change that the index has no rows of."""

    def __init__(self, change: int) -> None:
        super().__init__(f"the index has no state of change number {change}")
        self.change = change


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
    """Return the link of a row.

    Raises:
        MalformedRowError: it is none.
    """
    try:
        count, gone, *rest = unpack_numbers(data)
    except ValueError as error:
        what = "link"
        raise MalformedRowError(what) from error
    cut = count + gone
    return Link(Name(tuple(rest[:count]), tuple(rest[count:cut])), tuple(rest[cut:]))


class States:
    """The states of a store's changes."""

    __slots__ = ("_known", "_links", "_reader")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: OrderedDict[int, BitMap] = OrderedDict()
        self._links: dict[int, Link] = {}

    def forget(self) -> None:
        """Drop what is remembered: a transaction that held some of it was rolled back."""
        self._known.clear()
        self._links.clear()

    def link(self, change: int) -> Link:
        """Return what a change names.

        Raises:
            NoStateError: the index has no such change.
        """
        found = self._links.get(change)
        if found is None:
            row = self._reader.row(LINK, key(change))
            if row is None:
                raise NoStateError(change)
            found = unpack_link(row)
            self._remember_link(change, found)
        return found

    def learn(self, changes: Iterable[int]) -> None:
        """Read the links of changes, some hundred with a query."""
        rows = self._reader.rows_many(LINK, (key(c) for c in changes if c not in self._links))
        for row_key, row in rows.items():
            self._remember_link(number(row_key), unpack_link(row))

    def links(self, state: BitMap, after: int = 0) -> Iterator[tuple[int, Link]]:
        """Yield the members of a state that came after a change with their links, ascending.

        Cost: a row for each, read as far as it is asked.
        """
        start, size = state.rank(after), 1
        while start < len(state):
            some = list(state[start : start + size])
            rows = self._reader.rows_many(LINK, map(key, some))
            for change in some:
                row = rows.get(key(change))
                if row is None:
                    raise NoStateError(change)
                yield change, unpack_link(row)
            start, size = start + size, min(2 * size, _ROWS)

    def of_change(self, change: int) -> BitMap:
        """Return the state of a change; not to be modified.

        Cost: at most INTERVAL rows, which two queries give where the numbers are close.

        Raises:
            NoStateError: the index has no such change.
        """
        chain: list[tuple[int, bytes]] = []
        near: dict[bytes, bytes] = {}
        at = change
        while at not in self._known:
            row = near.get(key(at)) or self._reader.row(STATE, key(at))
            if row is None:
                raise NoStateError(at)
            if chain and not near and row[:1] in _BESIDE:
                below = range(max(1, at - INTERVAL + 1), at)
                near = self._reader.rows_many(STATE, map(key, below))
            chain.append((at, row))
            if row[:1] == _WHOLE:
                break
            at = int.from_bytes(row[2:6], "big")
        state = self._known.get(at, BitMap())
        for at, row in reversed(chain):
            state = applied(state, at, row)
            self._remember(at, state)
        if not chain:
            self._known.move_to_end(change)
        return state

    def name_of_change(self, change: int) -> Name:
        """Return the name of the state of a change. Cost: one row.

        Its context has the changes that it names, so the change is its only head, and what its
        context's members name and lack is what its own members name and lack.
        """
        return Name((change,), self.link(change).context.absent)

    def members(self, name: Name) -> BitMap:
        """Return the changes of a named state (S4); not to be modified.

        The states of the heads together are that state, if what they name and lack is what the
        name says is absent. What else is absent is taken out of them, if it hides nothing.

        Cost: its heads and what is absent; a walk of history only where an absent change is all
        that leads to a member.
        """
        if len(name.heads) == 1 and name.absent == self.link(name.heads[0]).context.absent:
            return self.of_change(name.heads[0])
        absent = set(name.absent)
        lacking: set[int] = set()
        state = BitMap()
        for head in name.heads:
            lacking.update(self.link(head).context.absent)
            state |= self.of_change(head)
        if any(change not in absent and change not in state for change in lacking):
            return self._walk(name)
        gone = state & BitMap(absent)
        return self._without(name, state, gone) if gone else state

    def _without(self, name: Name, state: BitMap, gone: BitMap) -> BitMap:
        """Return the union of the states of heads without what is absent."""
        sound = BitMap()
        for head in name.heads:
            own = self.of_change(head)
            if own.isdisjoint(gone):
                sound |= own
        left = state - gone
        beyond = {named for change in gone for named in self.link(change).named}
        return left if (BitMap(beyond) & left) <= sound else self._walk(name)

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
        """Return the name of the union of states. Cost: their heads and what they lack."""
        parts: list[Name] = []
        for name in names:
            parts += [name] if name.absent else [Name((head,)) for head in name.heads]
        members = [self.members(part) for part in parts]
        heads = {
            head
            for part in parts
            for head in part.heads
            if not any(map(_names, parts, members, repeat(head)))
        }
        lacking = {
            change
            for part in parts
            for change in part.absent
            if not any(change in state for state in members)
        }
        return Name(tuple(sorted(heads)), tuple(sorted(lacking)))

    def name_of(self, state: BitMap) -> Name:
        """Return the name of any closed set of changes. Cost: a row for each member."""
        named: set[int] = set()
        for change in state:
            named.update(self.link(change).named)
        heads = tuple(change for change in state if change not in named)
        return Name(heads, tuple(sorted(named - set(state))))

    def knows(self, change: int, state: BitMap) -> BitMap:
        """Return what a change reaches through contexts and dependencies inside a state.

        Cost: nothing more than its own state where that lies inside; else a walk down to such.
        """
        own = self._own(change, state)
        if own is not None:
            return own - BitMap([change])
        found = BitMap()
        work = [change]
        while work:
            for other in self.link(work.pop()).named:
                if other in state and other not in found:
                    own = self._own(other, state)
                    if own is None:
                        found.add(other)
                        work.append(other)
                    else:
                        found |= own
        return found

    def _own(self, change: int, state: BitMap) -> BitMap | None:
        """Return a change's own state if that is all that it reaches inside another."""
        own = self.of_change(change)
        lacking = self.link(change).context.absent
        if own <= state and not any(other in state for other in lacking):
            return own
        return None

    def record(self, writer: IndexWriter, change: int, link: Link) -> None:
        """Write the rows of a change's link and state."""
        writer.put(LINK, key(change), pack_link(link))
        self._remember_link(change, link)
        context = self.members(link.context)
        writer.put(STATE, key(change), self._row(change, link.context, context))
        state = BitMap(context)
        state.add(change)
        self._remember(change, state)

    def _row(self, change: int, context: Name, members: BitMap) -> bytes:
        if not context.heads:
            return _WHOLE + BitMap([change]).serialize()
        first = context.heads[0]
        row = self._reader.row(STATE, key(first))
        if row is None:
            raise NoStateError(first)
        base = self.of_change(first)
        is_same = members == base
        if is_same and first == change - 1 and row[:1] == _RUN:
            return row
        depth = 0 if row[:1] == _WHOLE else row[1]
        if depth + 1 >= INTERVAL:
            return _WHOLE + _packed(members | BitMap([change]))
        head = bytes([depth + 1]) + key(first)
        if is_same:
            return (_RUN if first == change - 1 else _STEP) + head
        return _DIFFERENCE + head + _packed(members ^ base)

    def _remember_link(self, change: int, link: Link) -> None:
        if len(self._links) >= LINKS_CACHED:
            self._links.clear()
        self._links[change] = link

    def _remember(self, change: int, state: BitMap) -> None:
        state.run_optimize()
        self._known[change] = state
        if len(self._known) > CACHED:
            self._known.popitem(last=False)


def _packed(members: BitMap) -> bytes:
    """Return the bytes of a bitmap, which follow from its members alone.

    Of two forms of one size a bitmap else keeps that of those from which it was worked out, and
    these hang on what was in memory.
    """
    packed = BitMap(members.to_array())
    packed.run_optimize()
    return packed.serialize()


def _names(part: Name, members: BitMap, change: int) -> bool:
    """Return whether a member of a named state names a change."""
    return change in part.absent or (change in members and change not in part.heads)


def applied(state: BitMap, change: int, row: bytes) -> BitMap:
    """Return the state of a change by its row, and by the state of the one that that names.

    Raises:
        MalformedRowError: it is none.
    """
    is_other = row[:1] == _DIFFERENCE
    try:
        if row[:1] == _WHOLE:
            return BitMap.deserialize(row[1:])
        if row[:1] == _RUN:
            return state | BitMap(range(int.from_bytes(row[2:6], "big") + 1, change + 1))
        own = state ^ BitMap.deserialize(row[6:]) if is_other else BitMap(state)
    except (ValueError, IndexError) as error:
        what = "state"
        raise MalformedRowError(what) from error
    own.add(change)
    return own
