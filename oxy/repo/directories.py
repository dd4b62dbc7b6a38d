"""Where directories show in a state (spec: names, N12, N14, N15, N20; model, M15).

Rows keep a place as an *identity path*: the names of the directories on the way, each with NUL
and its k behind it where that is not 0, and the name. Where no directory was ever moved, that
is the path. Else the path in a state follows from the live places of the directories above.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from oxy.typed import Final, NamedTuple, TypeAlias

from pyroaring import BitMap

from oxy.model.digest import ROOT, NodeId, directory_id
from oxy.model.operation import PLACE
from oxy.repo.registers import Registers, Value
from oxy.repo.tables import DIRECTORY, number
from oxy.repo.tree import DISPUTED_DIRECTORY
from oxy.store.protocol import Reader

MARK: Final = b".~"
"""Between a name and the digits that tell apart who loses it."""

DIGITS: Final = 8

_K: Final = b"\0"

Rank: TypeAlias = Callable[[int], bytes]


class Way(NamedTuple):
    """The path of a directory, and the bit that tells whether it is in conflict."""

    path: bytes
    flags: int


class Moving(NamedTuple):
    """A directory, by its identity path, that a change moves to a path."""

    identity: bytes
    path: bytes
    replaces: tuple[int, ...]


def under(parent: bytes, name: bytes) -> bytes:
    """Return the path of a name in a directory."""
    return parent + b"/" + name if parent else name


def component(name: bytes, k: int) -> bytes:
    """Return a directory's own part of its identity path."""
    return name + _K + b"%d" % k if k else name


def parted(identity: bytes) -> tuple[tuple[bytes, int], ...]:
    """Return the names and ks of an identity path."""
    parts = [part.partition(_K) for part in identity.split(b"/")] if identity else []
    return tuple((name, int(k or 0)) for name, _, k in parts)


def identity_of(identity: bytes) -> NodeId:
    """Return the node of a directory."""
    node = ROOT
    for name, k in parted(identity):
        node = directory_id(node, name, k)
    return node


def moved_ever(reader: Reader) -> dict[bytes, Registers]:
    """Return the writes of every directory that was ever moved. Cost: those."""
    found: dict[bytes, Registers] = {}
    for row_key, row in reader.rows(DIRECTORY):
        identity = row_key[:-5]
        found.setdefault(identity, Registers(0)).add(number(row_key), row)
    return found


class Ways:
    """Where directories show in one state.

    Args:
        moved: the writes of every directory that was ever moved.
        state: the state.
        rank: the id of a change.
    """

    __slots__ = ("_known", "_rank", "places")

    def __init__(self, moved: Mapping[bytes, Registers], state: BitMap, rank: Rank) -> None:
        self._rank = rank
        self._known: dict[bytes, Way] = {}
        self.places: dict[bytes, list[Value]] = {}
        """The live places of each directory that is moved in the state."""
        for identity, registers in moved.items():
            values = registers.values(PLACE, state)
            placed = [value for value in values if value.value is not None]
            if placed:
                self.places[identity] = placed

    def path(self, place: bytes) -> bytes:
        """Return the path of a place."""
        if not self.places and _K not in place:
            return place
        above, _, name = place.rpartition(b"/")
        return under(self.directory(above).path, name)

    def flags(self, place: bytes) -> int:
        """Return the bit that tells whether a directory above a place is in conflict."""
        return self.directory(place.rpartition(b"/")[0]).flags if self.places else 0

    def directory(self, identity: bytes) -> Way:
        """Return where a directory shows. Cost: the directories above it, once."""
        chain: dict[bytes, None] = {}
        at = identity
        while at and at not in self._known:
            if at in chain:
                looped = list(chain)
                self._cut(looped[looped.index(at) :])
                chain, at = {}, identity
                continue
            chain[at] = None
            at = self.above(at)
        for one in reversed(chain):
            above, _, name = self.place(one).rpartition(b"/")
            way = self._known[above] if above else Way(b"", 0)
            torn = DISPUTED_DIRECTORY if len(self.places.get(one, ())) > 1 else 0
            self._known[one] = Way(under(way.path, name), way.flags | torn)
        return self._known[identity] if identity else Way(b"", 0)

    def above(self, identity: bytes) -> bytes:
        """Return the directory that a directory, or what has a place, lies in."""
        return self.place(identity).rpartition(b"/")[0]

    def place(self, identity: bytes) -> bytes:
        """Return the place of a directory that shows, as an identity path."""
        values = self.places.get(identity)
        if values is None:
            above, _, own = identity.rpartition(b"/")
            return under(above, own.partition(_K)[0])
        held = (min(values, key=self._oldest) if len(values) > 1 else values[0]).value
        return held if isinstance(held, bytes) else b""

    def _oldest(self, value: Value) -> bytes:
        return min(map(self._rank, value.changes))

    def _cut(self, loop: list[bytes]) -> None:
        """Let the smallest of the moved directories of a circle show at the root."""
        first = min((one for one in loop if one in self.places), key=identity_of)
        digits = min(map(self._oldest, self.places[first])).hex()[:DIGITS].encode()
        name = self.place(first).rpartition(b"/")[2]
        self._known[first] = Way(name + MARK + digits, DISPUTED_DIRECTORY)

    def at(self, path: bytes) -> bytes:
        """Return the directory that what is added at a path goes into, as an identity path.

        A directory that was moved there has it before one that never was; of several the
        smallest. Else it is the one of that name with the smallest k that is not elsewhere.
        """
        identity = shown = b""
        for name in path.split(b"/") if path else ():
            shown = under(shown, name)
            moved = [one for one in self.places if self.directory(one).path == shown]
            identity = min(moved, key=identity_of) if moved else self._free(identity, shown)
        return identity

    def _free(self, parent: bytes, path: bytes) -> bytes:
        name, k = path.rpartition(b"/")[2], 0
        # No more than are moved can be elsewhere.
        while k < len(self.places):
            if self.directory(under(parent, component(name, k))).path == path:
                break
            k += 1
        return under(parent, component(name, k))

    def moved(self, moves: Iterable[Moving], change: int) -> "Ways":
        """Return the ways once a change has moved directories, one after the other."""
        after = self
        for identity, path, _ in moves:
            above, _, name = path.rpartition(b"/")
            held = Value(under(after.at(above), name), (change,))
            ways = Ways({}, BitMap(), self._rank)
            ways.places = {**after.places, identity: [held]}
            after = ways
        return after


def shifted(old: Ways, new: Ways) -> Iterator[bytes]:
    """Yield the old path of each directory that shows elsewhere, or otherwise in conflict."""
    for identity in old.places.keys() | new.places.keys():
        before = old.directory(identity)
        if before != new.directory(identity):
            yield before.path
