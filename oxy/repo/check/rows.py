"""The rows of the index are exactly those that follow from the objects (spec: store, ST26)."""

from collections import Counter
from collections.abc import Iterable, Iterator

from oxy.codec.decode import read
from oxy.codec.encode import node_sizes
from oxy.errors import CorruptionError
from oxy.progress import Progress
from oxy.repo.check.finding import ROW, Finding
from oxy.repo.indexing import Indexer
from oxy.repo.operations import decode_operation
from oxy.repo.refs import Ref, Target, pack_target
from oxy.repo.repository import Repository
from oxy.repo.states import States
from oxy.repo.tables import COUNT, REF, TABLES
from oxy.store.protocol import CHANGE, OPERATION, Reader

_SHOWN = 10
"""Wrong rows of one table that are told of one by one."""


class Twin:
    """An index writer that writes nothing: it compares, and counts.

    What it reads are the rows of the store, which were compared when they were derived, and in
    place of wrong ones the right ones.
    """

    __slots__ = ("_reader", "_totals", "puts", "wrong")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._totals: dict[bytes, bytes] = {}
        self.puts: Counter[int] = Counter()
        self.wrong: dict[tuple[int, bytes], bytes | None] = {}

    def put(self, table: int, key: bytes, value: bytes) -> None:
        """Compare a row."""
        if table == COUNT:
            self._totals[key] = value
            return
        self.puts[table] += 1
        if self._reader.row(table, key) != value:
            self.wrong[table, key] = value

    def delete(self, table: int, key: bytes) -> None:
        """See IndexWriter."""
        if self._reader.row(table, key) is not None:
            self.wrong[table, key] = None

    def finish(self) -> None:
        """Compare the counters, whose last values alone are kept."""
        for key, value in self._totals.items():
            self.puts[COUNT] += 1
            if self._reader.row(COUNT, key) != value:
                self.wrong[COUNT, key] = value

    def row(self, table: int, key: bytes) -> bytes | None:
        """See Reader."""
        if table == COUNT:
            return self._totals.get(key)
        place = table, key
        return self.wrong[place] if place in self.wrong else self._reader.row(table, key)

    def number_of(self, kind: int, object_id: bytes) -> int | None:
        """See Reader."""
        return self._reader.number_of(kind, object_id)

    def id_of(self, kind: int, number: int) -> bytes:
        """See Reader."""
        return self._reader.id_of(kind, number)

    def ids_of(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        return self._reader.ids_of(kind, numbers)

    def count(self, kind: int) -> int:
        """See Reader."""
        return self._reader.count(kind)

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
        return self._reader.rows(table, prefix, reverse=reverse, after=after)

    def rows_many(self, table: int, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """See Reader."""
        return self._reader.rows_many(table, keys)


def check_rows(repository: Repository, progress: Progress) -> Iterator[Finding]:
    """Derive every row again; yield which are missing, wrong or more than there should be.

    Changes that cannot be read are left to other checks, and then rows are not counted.
    Cost: reads every change; nothing is kept in memory.
    """
    store = repository.store
    twin = Twin(store)
    indexer = Indexer(twin, States(twin))
    total, is_whole = store.count(CHANGE), True
    for at in range(1, total + 1):
        progress.update(at, total, "rows")
        try:
            payload = store.read(CHANGE, at)
            change = read(payload)
            sizes = node_sizes(change.operations)
            indexer.index(change, at, len(payload), sizes)
        except CorruptionError:
            is_whole = False
    twin.finish()
    is_whole = _check_refs(repository, twin) and is_whole
    yield from _told(twin.wrong)
    if is_whole:
        for table in TABLES:
            there = sum(1 for _ in store.rows(table))
            if there > twin.puts[table]:
                extra = there - twin.puts[table]
                yield Finding(ROW, f"{extra} rows of table {table} follow from no object")


def _check_refs(repository: Repository, twin: Twin) -> bool:
    """Compare names with what the operation log says; return whether it could be read."""
    store = repository.store
    held: dict[Ref, Target | None] = {}
    is_whole = True
    for number in range(1, store.count(OPERATION) + 1):
        try:
            operation = decode_operation(store, store.read(OPERATION, number))
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
