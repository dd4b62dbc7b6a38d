"""The store in memory: the same behaviour without files (spec: store, ST32)."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from oxy.store.errors import NumberUnknownError, TransactionStateError
from oxy.store.index import beyond, prefix_bounds
from oxy.store.limits import PIECE_SIZE
from oxy.store.protocol import Durability, Reader, Recorded, Transaction, Whole
from oxy.store.record import RECORD_HEAD
from oxy.store.transaction import exact_pieces


class _Table:
    """Rows in key order. Cost: a new key moves the keys after it."""

    __slots__ = ("keys", "values")

    def __init__(self) -> None:
        self.keys: list[bytes] = []
        self.values: dict[bytes, bytes] = {}

    def write(self, key: bytes, value: bytes | None) -> None:
        """Write a row, or remove it."""
        there = key in self.values
        if value is None:
            if there:
                del self.values[key]
                del self.keys[bisect_left(self.keys, key)]
            return
        self.values[key] = value
        if not there:
            insort(self.keys, key)

    def between(self, prefix: bytes) -> list[bytes]:
        """Return the keys that begin so."""
        ceiling = beyond(prefix)
        end = len(self.keys) if ceiling is None else bisect_left(self.keys, ceiling)
        return self.keys[bisect_left(self.keys, prefix) : end]


class MemoryReader:
    """A Reader in memory (see protocol)."""

    __slots__ = ("_numbers", "_objects", "_tables")

    def __init__(
        self,
        numbers: dict[tuple[int, bytes], int],
        objects: dict[int, list[tuple[bytes, bytes]]],
        tables: dict[int, _Table],
    ) -> None:
        self._numbers = numbers
        self._objects = objects
        self._tables = tables

    def number_of(self, kind: int, object_id: bytes) -> int | None:
        """See Reader."""
        return self._numbers.get((kind, object_id))

    def numbers_of(self, kind: int, object_ids: Iterable[bytes]) -> dict[bytes, int]:
        """See Reader."""
        found = ((each, self.number_of(kind, each)) for each in object_ids)
        return {each: number for each, number in found if number is not None}

    def id_of(self, kind: int, number: int) -> bytes:
        """See Reader."""
        return self._object(kind, number)[0]

    def ids_of(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        return (self.id_of(kind, number) for number in numbers)

    def count(self, kind: int) -> int:
        """See Reader."""
        return len(self._objects.get(kind, ()))

    def all_gone(self, kind: int) -> list[int]:  # noqa: ARG002 - nothing here is ever removed
        """See Reader."""
        return []

    def with_prefix(self, kind: int, prefix: str, limit: int) -> list[bytes]:
        """See Reader."""
        bounds = prefix_bounds(prefix)
        if bounds is None:
            return []
        low, high = bounds
        found = (object_id for object_id, _ in self._objects.get(kind, ()))
        return sorted(each for each in found if low <= each <= high)[:limit]

    def size(self, kind: int, number: int) -> int:
        """See Reader."""
        return len(self._object(kind, number)[1])

    def read(self, kind: int, number: int) -> bytes:
        """See Reader."""
        return self._object(kind, number)[1]

    def read_many(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        return (self.read(kind, number) for number in numbers)

    def read_starts(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        return (self.read_part(kind, number, 0, PIECE_SIZE) for number in numbers)

    def read_part(self, kind: int, number: int, offset: int, size: int) -> bytes:
        """See Reader."""
        return self.read(kind, number)[offset : offset + size]

    def chunks(self, kind: int, number: int) -> Iterator[bytes]:
        """See Reader."""
        payload = self.read(kind, number)
        for start in range(0, len(payload), PIECE_SIZE):
            yield payload[start : start + PIECE_SIZE]

    def wholes(self, kind: int, numbers: Iterable[int]) -> Iterator[Whole | int]:  # noqa: ARG002 -- there are no kinds of frames here
        """See Reader."""
        yield from numbers

    def row(self, table: int, key: bytes) -> bytes | None:
        """See Reader."""
        held = self._tables.get(table)
        return None if held is None else held.values.get(key)

    def rows(
        self,
        table: int,
        prefix: bytes = b"",
        *,
        reverse: bool = False,
        after: bytes | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        """See Reader."""
        held = self._tables.get(table)
        if held is None:
            return
        keys = held.between(prefix)
        if after is not None and reverse:
            del keys[bisect_left(keys, after) :]
        elif after is not None:
            del keys[: bisect_right(keys, after)]
        for key in reversed(keys) if reverse else keys:
            value = held.values.get(key)
            if value is not None:
                yield key, value

    def rows_many(self, table: int, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """See Reader."""
        found = ((key, self.row(table, key)) for key in keys)
        return {key: value for key, value in found if value is not None}

    def _object(self, kind: int, number: int) -> tuple[bytes, bytes]:
        objects = self._objects.get(kind, ())
        if not 0 < number <= len(objects):
            raise NumberUnknownError(kind, number)
        return objects[number - 1]


class MemoryTransaction(MemoryReader):
    """A Transaction in memory: writes at once and remembers how to undo it."""

    __slots__ = ("_open", "_undo")

    def __init__(
        self,
        numbers: dict[tuple[int, bytes], int],
        objects: dict[int, list[tuple[bytes, bytes]]],
        tables: dict[int, _Table],
    ) -> None:
        super().__init__(numbers, objects, tables)
        self._undo: list[Callable[[], None]] = []
        self._open = True

    def put(self, table: int, key: bytes, value: bytes) -> None:
        """See IndexWriter."""
        self._write(table, key, value)

    def delete(self, table: int, key: bytes) -> None:
        """See IndexWriter."""
        self._write(table, key, None)

    def append(self, kind: int, object_id: bytes, payload: bytes) -> int:
        """See Transaction."""
        return self.append_chunks(kind, object_id, len(payload), (payload,))

    def append_chunks(
        self, kind: int, object_id: bytes, size: int, chunks: Iterable[bytes]
    ) -> int:
        """See Transaction."""
        self.require_open()
        known = self.number_of(kind, object_id)
        if known is not None:
            return known
        payload = b"".join(exact_pieces(kind, object_id, size, chunks))
        objects = self._objects.setdefault(kind, [])
        objects.append((object_id, payload))
        self._numbers[kind, object_id] = len(objects)
        self._undo.append(lambda: self._forget(kind, object_id))
        return len(objects)

    def append_whole(self, whole: Whole, objects: Sequence[Recorded]) -> None:
        """See Transaction."""
        for kind, name, (_, _, slot, size) in objects:
            start = slot + RECORD_HEAD
            self.append(kind, name, whole.raw[start : start + size])

    def require_open(self) -> None:
        """Refuse to go on after the end, or after an append that failed half-way."""
        if not self._open:
            message = "the transaction has ended, or failed to write"
            raise TransactionStateError(message)

    def end(self, *, keep: bool) -> None:
        """End the transaction, and take everything back unless it is to be kept."""
        self._open = False
        while self._undo and not keep:
            self._undo.pop()()

    def _write(self, table: int, key: bytes, value: bytes | None) -> None:
        self.require_open()
        held = self._tables.setdefault(table, _Table())
        before = held.values.get(key)
        self._undo.append(lambda: held.write(key, before))
        held.write(key, value)

    def _forget(self, kind: int, object_id: bytes) -> None:
        del self._numbers[kind, object_id]
        self._objects[kind].pop()


class MemoryStore(MemoryReader):
    """A Store in memory (see protocol); durability means nothing here."""

    __slots__ = ("_busy", "_open")

    def __init__(self) -> None:
        super().__init__({}, {}, {})
        self._busy = False
        self._open: MemoryTransaction | None = None

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """See Store."""
        yield self

    @contextmanager
    def transaction(self, durability: Durability | None = None) -> Iterator[Transaction]:  # noqa: ARG002 -- the Protocol's signature
        """See Store."""
        if self._busy:
            message = "a transaction is begun inside another of the same store"
            raise TransactionStateError(message)
        self._busy = True
        transaction = MemoryTransaction(self._numbers, self._objects, self._tables)
        self._open = transaction
        try:
            yield transaction
            transaction.require_open()
        except BaseException:
            transaction.end(keep=False)
            raise
        finally:
            self._busy, self._open = False, None
        transaction.end(keep=True)

    def joining(self) -> AbstractContextManager[Transaction]:
        """See Store."""
        return self.transaction() if self._open is None else nullcontext(self._open)

    def close(self) -> None:
        """See Store."""
