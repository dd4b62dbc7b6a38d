"""What a store offers, whoever implements it (spec: store, ST32).

A store keeps objects and rows. An **object** is (kind, id, payload): immutable, proven by its
id, and true. It has a dense **number** within its kind, from 1 in order of arrival, never
reused and never shown. A **row** is (table, key, value): derived from the objects by whoever
uses the store, and rebuilt from them at any time. The store knows nothing of what a payload
means.

Ids are 32 bytes. One thread uses a store; other processes may read it and write it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from oxy.typed import Final, Literal, NamedTuple, Protocol, TypeAlias

CHANGE: Final = 1
BLOB: Final = 2
OPERATION: Final = 3
SIGNATURE: Final = 4

Durability: TypeAlias = Literal["safe", "fast"]
"""`safe`: what is committed survives power loss. `fast`: it survives a killed process only."""

Identify: TypeAlias = Callable[[int, bytes], bytes | None]
"""(kind, payload) to the id that the payload really has, or None if it cannot be said."""


Recorded: TypeAlias = tuple[int, bytes, tuple[int, int, int, int]]
"""An object of a frame: kind, id, and place, of which the last two count: slot and size."""


class Whole(NamedTuple):
    """A frame of small objects as it is stored, and the records that it was proven to hold."""

    frame: bytes
    raw: bytes


class Reader(Protocol):
    """Reads objects and rows.

    While a transaction of the same store is open, both the store and the transaction read what
    it has written so far. Each call sees committed data; two calls may see different commits.

    Raises:
        CorruptionError: in any method: an object, a segment or the database is damaged.
        StateError: in any method: the system refuses to read.
    """

    def number_of(self, kind: int, object_id: bytes) -> int | None:
        """Return the object's number, or None if it is not stored."""

    def numbers_of(self, kind: int, object_ids: Iterable[bytes]) -> dict[bytes, int]:
        """Return the numbers of those that are stored. Cost: a query for hundreds."""

    def id_of(self, kind: int, number: int) -> bytes:
        """Return the id of the object with this number."""

    def ids_of(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """Yield the ids of many numbers, in the order asked. Cost: a query for hundreds."""

    def count(self, kind: int) -> int:
        """Return how many objects of this kind there are, which is the highest number."""

    def all_gone(self, kind: int) -> list[int]:
        """Return the numbers of the objects that were removed, in order.

        Their ids are still told; reading one raises `ObjectGoneError`.
        """

    def with_prefix(self, kind: int, prefix: str, limit: int) -> list[bytes]:
        """Return the smallest ids whose hexadecimal form begins so, at most `limit`."""

    def size(self, kind: int, number: int) -> int:
        """Return the payload's length in bytes without reading it."""

    def read(self, kind: int, number: int) -> bytes:
        """Return the payload, proven to be what its id says."""

    def read_many(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """Yield many payloads in the order asked.

        Cost: each shared frame is decompressed once if the numbers are in order.
        """

    def read_starts(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """Yield the beginnings of many payloads: 1 MiB each, or all of one that is shorter."""

    def read_part(self, kind: int, number: int, offset: int, size: int) -> bytes:
        """Return `size` bytes of the payload from `offset` on, fewer only at its end.

        Of an object over 1 MiB only the pieces that hold them are read, and proven as `chunks`
        does; those read last are remembered. A smaller one is read whole.
        """

    def chunks(self, kind: int, number: int) -> Iterator[bytes]:
        """Yield the payload in pieces of at most 1 MiB, in bounded memory.

        Each piece is proven to be as it was written and to belong to this object; that the
        whole has the object's id is for the caller to prove while the pieces pass.
        """

    def row(self, table: int, key: bytes) -> bytes | None:
        """Return the row's value, or None."""

    def rows(
        self,
        table: int,
        prefix: bytes = b"",
        *,
        reverse: bool = False,
        after: bytes | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield (key, value) in key order, of the keys that begin with `prefix`.

        Args:
            table: which table.
            prefix: what the keys begin with.
            reverse: whether the order is descending.
            after: begin beyond this key, which need not exist.
        """

    def rows_many(self, table: int, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values of those keys that exist."""


class IndexWriter(Reader, Protocol):
    """Reads everything and writes rows."""

    def put(self, table: int, key: bytes, value: bytes) -> None:
        """Write a row, in place of the one with the same key."""

    def delete(self, table: int, key: bytes) -> None:
        """Remove a row if it exists."""


class Transaction(IndexWriter, Protocol):
    """One unit of writing: all of it becomes visible together, or nothing."""

    def append(self, kind: int, object_id: bytes, payload: bytes) -> int:
        """Store an object and return its number; one that is there already keeps its number.

        The caller answers for the id: content is hashed once. Append last what must not be
        found without the rest: after a crash a transaction's first objects may be there alone.

        Raises:
            ObjectSizeError: the payload is over the limit.
        """

    def append_chunks(
        self, kind: int, object_id: bytes, size: int, chunks: Iterable[bytes]
    ) -> int:
        """Store a large object from its pieces, of any length, in bounded memory.

        Where the pieces raise, nothing of the object is stored, and the transaction goes on.

        Raises:
            ObjectSizeError: it is over the limit, or the pieces do not add up to `size`.
        """

    def append_whole(self, whole: Whole, objects: Sequence[Recorded]) -> None:
        """Store the objects of a frame, and the frame as it is.

        Args:
            whole: the frame, which may be from elsewhere, but is proven to hold its records.
            objects: all of them; none is stored, no two are the same, and none is larger than
                a piece.
        """


Reindex: TypeAlias = Callable[[IndexWriter, int, int, bytes, bytes | None], None]
"""Writes the rows that follow from one object: (writer, kind, number, id, payload).

The payload is None for an object over 1 MiB, to be had with `read` or `chunks` if it matters.
"""


class Store(Reader, Protocol):
    """Objects and rows, with transactions."""

    def wholes(self, kind: int, numbers: Iterable[int]) -> Iterator[Whole | int]:
        """Yield many objects in the order asked, together where they make up a frame.

        Where what is asked is all that a frame holds, in its order, it is that frame as it is;
        else it is the object's number. Cost: a query for hundreds; memory for one frame.
        """

    def snapshot(self) -> AbstractContextManager[Reader]:
        """Read from one commit until the end of the `with` block.

        Many reads in it cost a tenth. Commits of other processes wait for its end, so it is
        short and no transaction begins in it; inside a transaction or another snapshot it adds
        nothing.
        """

    def transaction(
        self, durability: Durability | None = None
    ) -> AbstractContextManager[Transaction]:
        """Begin a transaction, committed at the end of its `with` block.

        An exception in the block rolls it back and goes on. Memory does not grow with what is
        written, but one that changes more than 32 MiB of the database keeps readers waiting
        until it ends: bulk work commits every some ten thousand objects.

        Args:
            durability: for this transaction, other than the store's own.

        Raises:
            StoreLockedError: another process is writing and did not end in time.
            CommitUncertainError: the commit failed where it may have happened.
        """

    def joining(self) -> AbstractContextManager[Transaction]:
        """Write in the transaction that is open, to end with it; without one, in one's own.

        Raises: as `transaction`.
        """

    def close(self) -> None:
        """Release files and locks; the store is not used afterwards."""
