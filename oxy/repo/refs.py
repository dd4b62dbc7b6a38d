"""What names hold: bookmarks, tags and the working copy (spec: states, S17, S18)."""

from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

import msgpack

from oxy.repo.states import Name
from oxy.repo.tables import REF, MalformedRowError
from oxy.store.protocol import IndexWriter, Reader

BOOKMARK: Final = 1
TAG: Final = 2
WORKING: Final = 3
"""What the working copy was made from; its name is empty."""

REMOTE: Final = 4
"""A bookmark as another repository was last seen to hold it: NAME@REMOTE."""

SHELF: Final = 5
"""What was put aside: a state with one change that no bookmark holds."""


SEARCH: Final = 6
"""A search for the change that made something bad; its name is empty."""


ADDRESS: Final = 7
"""A remote: the name of another repository, and where it is."""


DISCARDED: Final = 8
"""What was thrown away last: a state with one change that no bookmark holds; of no name."""


UPSTREAM: Final = b"oxy:upstream"
"""The field of a bookmark that says which remote's bookmark of its name it follows."""


LAZY: Final = b"oxy:lazy"
"""The field of a remote that has promised the blobs that are lacked here (SY87)."""

WORKSPACE: Final = 9
"""A workspace: what another working copy of the store is called, and where it is."""

WORKSPACE_PATH: Final = b"oxy.path"
"""The field of a workspace that says in which directory it is."""

KEPT: Final = 10
"""A ref of another system that is none of these, by its full name: it can go back there."""

STEP: Final = 11
"""What was done last to files without moving any other name; of no name."""

OWN: Final = frozenset({WORKING, SEARCH, DISCARDED, STEP})
"""Kinds that each working copy has for itself. Its own one has no name (S70)."""

FIRST: Final = b"."
"""What the working copy beside the store is called where another is one's own."""


class Target(NamedTuple):
    """What a name holds: a state, fields of a bridge, and for a working copy its bookmark."""

    state: Name
    extra: tuple[tuple[bytes, bytes], ...] = ()
    bookmark: bytes | None = None

    def is_like(self, other: "Target") -> bool:
        """Tell whether the state and the bookmark are those of another target."""
        return (self.state, self.bookmark) == (other.state, other.bookmark)


class Ref(NamedTuple):
    """A kind of name and the name itself."""

    kind: int
    name: bytes


HERE: Final = Ref(WORKING, b"")


def stored(ref: Ref, workspace: bytes) -> Ref:
    """Return what the store calls a name that a workspace sees."""
    if not workspace or ref.kind not in OWN:
        return ref
    return ref._replace(name={b"": workspace, FIRST: b""}.get(ref.name, ref.name))


def seen(ref: Ref, workspace: bytes) -> Ref:
    """Return what a workspace calls a name of the store: the reverse of `stored`."""
    if not workspace or ref.kind not in OWN:
        return ref
    return ref._replace(name={workspace: b"", b"": FIRST}.get(ref.name, ref.name))


def is_elsewhere(ref: Ref) -> bool:
    """Tell whether a name, as it is seen, belongs to another working copy."""
    return ref.kind in OWN and bool(ref.name)


def pack_target(target: Target) -> bytes:
    """Return the row of a target."""
    packed: bytes = msgpack.packb((*target.state, target.extra, target.bookmark))
    return packed


def unpack_target(row: bytes) -> Target:
    """Return the target of a row.

    Raises:
        MalformedRowError: it is none.
    """
    try:
        heads, absent, extra, bookmark = msgpack.unpackb(row, use_list=False)
    except (ValueError, TypeError) as error:
        what = "name"
        raise MalformedRowError(what) from error
    return Target(Name(heads, absent), extra, bookmark)


class Refs:
    """The names of a repository, as one of its workspaces sees them."""

    __slots__ = ("_reader", "_workspace")

    def __init__(self, reader: Reader, workspace: bytes = b"") -> None:
        self._reader = reader
        self._workspace = workspace

    def get(self, ref: Ref) -> Target | None:
        """Return what a name holds, or None."""
        row = self._reader.row(REF, _key(stored(ref, self._workspace)))
        return None if row is None else unpack_target(row)

    def all(self, kind: int) -> Iterator[tuple[bytes, Target]]:
        """Yield the names of one kind with what they hold, in order."""
        for key, row in self._reader.rows(REF, bytes([kind])):
            yield seen(Ref(kind, key[1:]), self._workspace).name, unpack_target(row)

    def lender(self) -> bytes | None:
        """Return the remote that has promised what is lacked here; None where nothing is."""
        found = (name for name, target in self.all(ADDRESS) if LAZY in dict(target.extra))
        return next(found, None)

    def names(self, kind: int) -> list[bytes]:
        """Return the names of one kind, in order."""
        rows = self._reader.rows(REF, bytes([kind]))
        return [seen(Ref(kind, key[1:]), self._workspace).name for key, _ in rows]


def set_ref(writer: IndexWriter, ref: Ref, target: Target | None) -> None:
    """Make a name of the store hold a target, or nothing."""
    if target is None:
        writer.delete(REF, _key(ref))
    else:
        writer.put(REF, _key(ref), pack_target(target))


def _key(ref: Ref) -> bytes:
    return bytes([ref.kind]) + ref.name
