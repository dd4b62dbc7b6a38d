"""The rows of the index are exactly those that follow from the objects (spec: store, ST26)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from oxy.errors import CorruptionError
from oxy.model.change import Change
from oxy.repo import tables
from oxy.repo.check.finding import ROW, Finding
from oxy.repo.check.neighbours import numbered
from oxy.repo.check.reading import payloads
from oxy.repo.indexing import Indexer
from oxy.repo.operations import decode_operation
from oxy.repo.packs import count_packed, header_rows
from oxy.repo.refs import Ref, Target, pack_target
from oxy.repo.signatures import index as index_signature
from oxy.repo.states import States
from oxy.repo.tables import COUNT, HEADER, HEADERS, REF, TABLES
from oxy.store.limits import ID_SIZE
from oxy.store.protocol import CHANGE, OPERATION, SIGNATURE, Reader

_WAITING = 2048
"""Rows that are compared together."""

_SHOWN = 10
"""Wrong rows of one table that are told of one by one."""


class Twin:
    """An index writer that writes nothing: it compares, and counts.

    What it reads are the rows of the store, which were compared when they were derived, and in
    place of wrong ones the right ones.
    """

    __slots__ = ("_changes", "_reader", "_totals", "_waiting", "puts", "wrong")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._changes = numbered(reader, CHANGE)
        self._totals: dict[bytes, bytes] = {}
        self._waiting: dict[tuple[int, bytes], bytes] = {}
        self.puts: Counter[int] = Counter()
        self.wrong: dict[tuple[int, bytes], bytes | None] = {}

    def put(self, table: int, key: bytes, value: bytes) -> None:
        """Compare a row, together with others."""
        if table == COUNT:
            self._totals[key] = value
            return
        self.puts[table] += 1
        self._waiting[table, key] = value
        if len(self._waiting) >= _WAITING:
            self.compare()

    def delete(self, table: int, key: bytes) -> None:
        """See IndexWriter."""
        if self._reader.row(table, key) is not None:
            self.wrong[table, key] = None

    def finish(self) -> None:
        """Compare what waits, and the counters, whose last values alone are kept."""
        self.compare()
        for key, value in self._totals.items():
            self.puts[COUNT] += 1
            if self._reader.row(COUNT, key) != value:
                self.wrong[COUNT, key] = value

    def row(self, table: int, key: bytes) -> bytes | None:
        """See Reader."""
        if table == COUNT:
            return self._totals.get(key)
        place = table, key
        waiting = self._waiting.get(place)
        if waiting is not None:
            return waiting
        return self.wrong[place] if place in self.wrong else self._reader.row(table, key)

    def compare(self) -> None:
        """Compare the rows that wait with those that are there."""
        by_table: dict[int, list[bytes]] = {}
        for table, key in self._waiting:
            by_table.setdefault(table, []).append(key)
        there = {table: _held(self._reader, table, keys) for table, keys in by_table.items()}
        for place, value in self._waiting.items():
            table, key = place
            if there[table].get(key) != value:
                self.wrong[place] = value
        self._waiting.clear()

    def number_of(self, kind: int, object_id: bytes) -> int | None:
        """See Reader."""
        if kind != CHANGE:
            return self._reader.number_of(kind, object_id)
        return self._changes.find(object_id)

    def numbers_of(self, kind: int, object_ids: Iterable[bytes]) -> dict[bytes, int]:
        """See Reader."""
        found = ((each, self.number_of(kind, each)) for each in object_ids)
        return {each: number for each, number in found if number is not None}

    def id_of(self, kind: int, number: int) -> bytes:
        """See Reader."""
        return self._reader.id_of(kind, number)

    def ids_of(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        return self._reader.ids_of(kind, numbers)

    def count(self, kind: int) -> int:
        """See Reader."""
        return self._reader.count(kind)

    def all_gone(self, kind: int) -> list[int]:
        """See Reader."""
        return self._reader.all_gone(kind)

    def with_prefix(self, kind: int, prefix: str, limit: int) -> list[bytes]:
        """See Reader."""
        return self._reader.with_prefix(kind, prefix, limit)

    def size(self, kind: int, number: int) -> int:
        """See Reader."""
        return self._reader.size(kind, number)

    def read(self, kind: int, number: int) -> bytes:
        """See Reader."""
        return self._reader.read(kind, number)

    def read_many(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        return self._reader.read_many(kind, numbers)

    def read_starts(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        return self._reader.read_starts(kind, numbers)

    def read_part(self, kind: int, number: int, offset: int, size: int) -> bytes:
        """See Reader."""
        return self._reader.read_part(kind, number, offset, size)

    def chunks(self, kind: int, number: int) -> Iterator[bytes]:
        """See Reader."""
        return self._reader.chunks(kind, number)

    def rows(
        self,
        table: int,
        prefix: bytes = b"",
        *,
        reverse: bool = False,
        after: bytes | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        """See Reader."""
        self.compare()
        return self._reader.rows(table, prefix, reverse=reverse, after=after)

    def rows_many(self, table: int, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """See Reader."""
        return self._reader.rows_many(table, keys)


class Rows:
    """Derives the rows of changes again, one change after the other, and compares them.

    What is wrong is told at the end. What follows from a change hangs on the numbers that those
    before it took, so from one on that cannot be read no more rows are derived.
    """

    __slots__ = ("_indexer", "_is_whole", "_lost", "_store", "_twin", "states")

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._twin = Twin(store)
        self._is_whole = True
        self._lost: bytes | None = None
        self.states = States(self._twin)
        self._indexer = Indexer(self._twin, self.states)

    def index(
        self, change: Change, at: int, payload: bytes, sizes: Sequence[int]
    ) -> tuple[int, ...] | None:
        """Derive the rows of a change; return its nodes, or None where that cannot be done."""
        if self._lost is not None:
            return None
        try:
            return self._indexer.index(change, at, payload, sizes)
        except CorruptionError:
            self._is_whole = False
            return None

    def skip(self, at: int) -> None:
        """Pass over a change that was removed, and the nodes that it had created."""
        row = self._store.row(tables.CHANGED, tables.key(at)) or b""
        nodes = list(map(tables.key, tables.unpack_numbers(row)))
        made = self._store.rows_many(tables.NODE, nodes).values()
        self._indexer.pass_over(
            sum(1 for row in made if row[ID_SIZE:].startswith(tables.key(at)))
        )
        self._is_whole = False

    def lack(self, name: bytes) -> None:
        """Note that a change cannot be read: nobody knows what numbers follow from it."""
        self._lost = self._lost or name

    @property
    def are_right(self) -> bool:
        """Whether those that were compared are as they should be."""
        return not self._twin.wrong

    def wrong(self) -> Iterator[Finding]:
        """Yield which rows are missing, wrong or more than there should be."""
        if self._lost is not None:
            yield from self._begun(self._lost)
            return
        self._twin.finish()
        self._is_whole = _check_refs(self._store, self._twin) and self._is_whole
        self._is_whole = _check_signed(self._store, self._twin) and self._is_whole
        yield from _told(self._twin.wrong)
        if not self._is_whole:
            return
        for table in TABLES:
            there = sum(1 for _ in self._store.rows(table)) if table != HEADERS else 0
            there += count_packed(self._store) if table == HEADER else 0
            if there > self._twin.puts[table]:
                extra = there - self._twin.puts[table]
                yield Finding(ROW, f"{extra} rows of table {table} follow from no object")

    def _begun(self, lost: bytes) -> Iterator[Finding]:
        """Yield what was found up to a change that is lost."""
        self._twin.compare()
        yield from _told(self._twin.wrong)
        what = f"rows from change {lost.hex()} on cannot be checked, which is lost"
        yield Finding(ROW, what, lost)


def _held(reader: Reader, table: int, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
    """Return the rows that are there; headers wherever they are."""
    if table != HEADER:
        return reader.rows_many(table, keys)
    found = header_rows(reader, map(tables.number, keys))
    return {tables.key(change): row for change, row in found.items()}


def _check_refs(store: Reader, twin: Twin) -> bool:
    """Compare names with what the operation log says; return whether it could be read."""
    held: dict[Ref, Target | None] = {}
    is_whole = True
    for _, payload in payloads(store, OPERATION):
        try:
            if isinstance(payload, CorruptionError):
                raise payload
            operation = decode_operation(twin, payload)
        except CorruptionError:
            is_whole = False
            continue
        held.update((move.ref, move.after) for move in operation.moves)
    for ref, target in held.items():
        key = bytes([ref.kind]) + ref.name
        if target is None:
            twin.delete(REF, key)
        else:
            twin.put(REF, key, pack_target(target))
    twin.compare()
    return is_whole


def _check_signed(store: Reader, twin: Twin) -> bool:
    """Compare which changes are signed; return whether all signatures could be read."""
    is_whole = True
    for number, payload in payloads(store, SIGNATURE):
        try:
            if isinstance(payload, CorruptionError):
                raise payload
            index_signature(twin, number, payload)
        except CorruptionError:
            is_whole = False
    twin.compare()
    return is_whole


def _told(wrong: Iterable[tuple[int, bytes]]) -> Iterator[Finding]:
    told: Counter[int] = Counter()
    for table, key in wrong:
        told[table] += 1
        if told[table] <= _SHOWN:
            yield Finding(ROW, f"row {key.hex()} of table {table} is not what it should be")
    for table, count in sorted(told.items()):
        if count > _SHOWN:
            yield Finding(ROW, f"{count - _SHOWN} more rows of table {table} are wrong")
