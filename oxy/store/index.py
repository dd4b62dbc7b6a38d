"""The queries that the index answers, over the database (spec: store, ST3)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from oxy.typed import Final, TypeVar

from oxy.store.database import Database, Row, Value
from oxy.store.errors import DatabaseDamagedError
from oxy.store.limits import ID_SIZE, PAGE_ROWS
from oxy.store.record import IN_PIECES, Place

T = TypeVar("T")

_ADD: Final = "INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?)"
_PLACED: Final = "number, id, segment, offset, slot, size"
_COUNT: Final = (
    "SELECT max(coalesce((SELECT max(number) FROM objects WHERE kind = ?), 0), "
    "coalesce((SELECT max(number) FROM gone WHERE kind = ?), 0))"
)
_LOCATED: Final = f"SELECT {_PLACED} FROM objects WHERE kind = ? AND number = ?"  # noqa: S608 -- our own columns

Located = tuple[int, bytes, Place]
"""The number, id and place of an object."""

Added = tuple[int, int, bytes, Place]
"""The kind, number, id and place of an object."""

_NUMBERS: Final = 2**63
"""What SQLite cannot hold begins here."""


class Index:
    """Where objects lie, and the rows. No value of a damaged database leaves it unchecked."""

    __slots__ = ("database",)

    def __init__(self, database: Database) -> None:
        self.database = database

    def number_of(self, kind: int, object_id: bytes) -> int | None:
        """Return the object's number or None."""
        row = self.database.one(
            "SELECT number FROM objects WHERE kind = ? AND id = ?", (kind, object_id)
        )
        return None if row is None else self._int(row[0])

    def numbers_many(self, kind: int, object_ids: Sequence[bytes]) -> dict[bytes, int]:
        """Return the numbers of those of some objects that exist. Cost: one query."""
        marks = ",".join("?" * len(object_ids))
        statement = f"SELECT id, number FROM objects WHERE kind = ? AND id IN ({marks})"  # noqa: S608 -- question marks only
        rows = self.database.all(statement, (kind, *object_ids))
        return {self._id(object_id): self._int(number) for object_id, number in rows}

    def count(self, kind: int) -> int:
        """Return the highest number of the kind. Cost: a descent of two trees."""
        row = self.database.one(_COUNT, (kind, kind))
        return 0 if row is None or row[0] is None else self._int(row[0])

    def gone(self, kind: int, number: int) -> bytes | None:
        """Return the id of an object that was removed, or None if this one never was."""
        if not 0 < number < _NUMBERS:
            return None
        row = self.database.one(
            "SELECT id FROM gone WHERE kind = ? AND number = ?", (kind, number)
        )
        return None if row is None else self._id(row[0])

    def all_gone(self, kind: int) -> list[int]:
        """Return the numbers of the objects that were removed, in order."""
        rows = self.database.all(
            "SELECT number FROM gone WHERE kind = ? ORDER BY number", (kind,)
        )
        return [self._int(row[0]) for row in rows]

    def located(self, kind: int, number: int) -> Located | None:
        """Return the object with this number, or None."""
        if not 0 < number < _NUMBERS:
            return None
        row = self.database.one(_LOCATED, (kind, number))
        return None if row is None else self._located(row)

    def located_many(self, kind: int, numbers: Sequence[int]) -> dict[int, Located]:
        """Return those of some numbers that exist. Cost: one query."""
        if not numbers or not 0 < min(numbers) <= max(numbers) < _NUMBERS:
            return {}
        rows = self._numbered(_PLACED, kind, numbers)
        return {found[0]: found for found in map(self._located, rows)}

    def ids_many(self, kind: int, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return the ids of those of some numbers that exist. Cost: one query."""
        if not numbers or not 0 < min(numbers) <= max(numbers) < _NUMBERS:
            return {}
        rows = self._numbered("number, id", kind, numbers)
        return {self._int(number): self._id(object_id) for number, object_id in rows}

    def _numbered(self, columns: str, kind: int, numbers: Sequence[int]) -> list[Row]:
        first, last = numbers[0], numbers[-1]
        statement = f"SELECT {columns} FROM objects WHERE kind = ? AND "  # noqa: S608 -- our own columns
        if last - first == len(numbers) - 1:
            return self.database.all(statement + "number BETWEEN ? AND ?", (kind, first, last))
        marks = ",".join("?" * len(numbers))
        return self.database.all(statement + f"number IN ({marks})", (kind, *numbers))

    def with_prefix(self, kind: int, prefix: str, limit: int) -> list[bytes]:
        """Return the smallest ids that begin so in hexadecimal."""
        bounds = prefix_bounds(prefix)
        if bounds is None:
            return []
        rows = self.database.all(
            "SELECT id FROM objects WHERE kind = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT ?",
            (kind, *bounds, limit),
        )
        return [self._bytes(row[0]) for row in rows]

    def row(self, table: int, key: bytes) -> bytes | None:
        """Return the row's value or None."""
        row = self.database.one(
            "SELECT value FROM rows WHERE tab = ? AND key = ?", (table, key)
        )
        return None if row is None else self._bytes(row[0])

    def rows(
        self, table: int, prefix: bytes, after: bytes | None, *, reverse: bool
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield rows in key order, a page a query, so that no lock outlives a query."""
        last, size = after, PAGE_ROWS // 8
        while True:
            statement, values = _page(table, prefix, last, size, reverse=reverse)
            page = self.database.all(statement, values)
            for key, value in page:
                yield self._bytes(key), self._bytes(value)
            if len(page) < size:
                return
            before, last, size = last, self._bytes(page[-1][0]), PAGE_ROWS
            if before is not None and (last < before) != reverse:
                raise DatabaseDamagedError(self.database.path, "its keys are in no order")

    def rows_many(self, table: int, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values of those keys that exist."""
        found: dict[bytes, bytes] = {}
        for batch in batches(keys):
            marks = ",".join("?" * len(batch))
            statement = f"SELECT key, value FROM rows WHERE tab = ? AND key IN ({marks})"  # noqa: S608 -- question marks only
            for key, value in self.database.all(statement, (table, *batch)):
                found[self._bytes(key)] = self._bytes(value)
        return found

    def objects_at(self, segment: int, offset: int) -> list[tuple[int, int, bytes]]:
        """Return (kind, number, id) of what is in one frame. Cost: reads the whole table."""
        rows = self.database.all(
            "SELECT kind, number, id FROM objects WHERE segment = ? AND offset = ?",
            (segment, offset),
        )
        return [(self._int(row[0]), self._int(row[1]), self._bytes(row[2])) for row in rows]

    def position(self) -> tuple[int, int]:
        """Return the segment that is written to and the end of what is indexed, or (0, 0)."""
        row = self.database.one(
            "SELECT number, ends FROM segments ORDER BY number DESC LIMIT 1"
        )
        return (0, 0) if row is None else (self._int(row[0]), self._int(row[1]))

    def gaps(self) -> list[int]:
        """Return the kinds of objects whose numbers, with those of what is gone, have gaps.

        Cost: reads both tables.
        """
        rows = self.database.all(
            "SELECT kind, count(DISTINCT number), min(number) FROM ("
            "SELECT kind, number FROM objects NOT INDEXED UNION ALL "
            "SELECT kind, number FROM gone NOT INDEXED) GROUP BY kind"
        )
        found = [tuple(map(self._int, row)) for row in rows]
        # Of a damaged tree two ways down may tell two things: the one that others go counts.
        return [kind for kind, held, least in found if (held, 1) != (self.count(kind), least)]

    def ends(self) -> list[tuple[int, int]]:
        """Return the number of each segment and where it ends, ascending."""
        rows = self.database.all("SELECT number, ends FROM segments ORDER BY number")
        return [(self._int(number), self._int(ends)) for number, ends in rows]

    def last_place(self) -> tuple[int, int] | None:
        """Return the segment and offset of the last frame that holds an object that is known.

        Cost: reads the whole table.
        """
        row = self.database.one(
            "SELECT segment, offset FROM objects ORDER BY segment DESC, offset DESC LIMIT 1"
        )
        return None if row is None else (self._int(row[0]), self._int(row[1]))

    def located_from(self, kind: int, after: int, segment: int, limit: int) -> list[Located]:
        """Return the objects behind a number that lie in a segment or a later one, in order."""
        rows = self.database.all(
            f"SELECT {_PLACED} FROM objects WHERE kind = ? AND number > ? AND segment >= ? "  # noqa: S608 -- our own columns
            "ORDER BY number LIMIT ?",
            (kind, after, segment, limit),
        )
        return [self._located(row) for row in rows]

    def move_objects(self, moved: Iterable[tuple[int, int, Place]]) -> None:
        """Say where objects lie now: (kind, number, place) each."""
        self.database.many(
            "UPDATE objects SET segment = ?, offset = ?, slot = ?, size = ? "
            "WHERE kind = ? AND number = ?",
            [(*place, kind, number) for kind, number, place in moved],
        )

    def remove_objects(self, objects: Iterable[tuple[int, int]]) -> None:
        """Let go of objects, (kind, number) each; their numbers stay taken."""
        some = list(objects)
        self.database.many(
            "INSERT INTO gone SELECT kind, number, id FROM objects "
            "WHERE kind = ? AND number = ?",
            some,
        )
        self.database.many("DELETE FROM objects WHERE kind = ? AND number = ?", some)

    def kinds(self) -> list[int]:
        """Return the kinds of objects that there are. Cost: reads the table of objects."""
        rows = self.database.all("SELECT DISTINCT kind FROM objects")
        return [self._int(row[0]) for row in rows]

    def is_gone(self, kind: int, object_id: bytes) -> bool:
        """Tell whether an object was removed. Cost: reads the table of what was."""
        found = self.database.one(
            "SELECT 1 FROM gone WHERE kind = ? AND id = ?", (kind, object_id)
        )
        return found is not None

    def segments_used(self) -> set[int]:
        """Return the segments in which objects begin. Cost: reads the table of objects."""
        return {
            self._int(row[0])
            for row in self.database.all("SELECT DISTINCT segment FROM objects")
        }

    def forget_segments(self, first: int, last: int) -> None:
        """Drop what is known of segments."""
        self.database.run("DELETE FROM segments WHERE number BETWEEN ? AND ?", (first, last))

    def add_objects(self, objects: Iterable[Added]) -> None:
        """Add objects, whose ids and numbers are new."""
        self.database.many(
            _ADD,
            [(kind, number, object_id, *place) for kind, number, object_id, place in objects],
        )

    def put_rows(self, rows: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Write (table, key, value) each."""
        self.database.many("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", rows)

    def delete_rows(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """Remove (table, key) each."""
        self.database.many("DELETE FROM rows WHERE tab = ? AND key = ?", rows)

    def set_position(self, segment: int, ends: int) -> None:
        """Say how far a segment is indexed."""
        self.database.run("INSERT OR REPLACE INTO segments VALUES (?, ?)", (segment, ends))

    def _located(self, row: Row) -> Located:
        number, object_id, *place = row
        segment, offset, slot, size = map(self._int, place)
        if min(segment, offset, size, slot - IN_PIECES) < 0:
            raise DatabaseDamagedError(self.database.path, "an object has an impossible place")
        return self._int(number), self._id(object_id), Place(segment, offset, slot, size)

    def _id(self, value: Value) -> bytes:
        if not isinstance(value, bytes) or len(value) != ID_SIZE:
            raise DatabaseDamagedError(self.database.path, "an id is not 32 bytes")
        return value

    def _int(self, value: Value) -> int:
        if not isinstance(value, int):
            raise DatabaseDamagedError(self.database.path, "a number is none")
        return value

    def _bytes(self, value: Value) -> bytes:
        if not isinstance(value, bytes):
            raise DatabaseDamagedError(self.database.path, "a value is not made of bytes")
        return value


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield the items in lists that one query may name."""
    rest = iter(items)
    while batch := list(islice(rest, PAGE_ROWS)):
        yield batch


def prefix_bounds(prefix: str) -> tuple[bytes, bytes] | None:
    """Return the smallest and the greatest id that begin so, or None if none can."""
    digits = ID_SIZE * 2
    if len(prefix) > digits or not all(digit in "0123456789abcdefABCDEF" for digit in prefix):
        return None
    return bytes.fromhex(prefix.ljust(digits, "0")), bytes.fromhex(prefix.ljust(digits, "f"))


def beyond(prefix: bytes) -> bytes | None:
    """Return the smallest key greater than all that begin with the prefix, or None."""
    stem = prefix.rstrip(b"\xff")
    return stem[:-1] + bytes((stem[-1] + 1,)) if stem else None


def _page(
    table: int, prefix: bytes, last: bytes | None, size: int, *, reverse: bool
) -> tuple[str, list[Value]]:
    conditions = ["tab = ?", "key >= ?"]
    values: list[Value] = [table, prefix]
    ceiling = beyond(prefix)
    if ceiling is not None:
        conditions.append("key < ?")
        values.append(ceiling)
    if last is not None:
        conditions.append("key < ?" if reverse else "key > ?")
        values.append(last)
    order = "DESC" if reverse else "ASC"
    where = " AND ".join(conditions)
    statement = f"SELECT key, value FROM rows WHERE {where} ORDER BY key {order} LIMIT ?"  # noqa: S608 -- made of the words above
    return statement, [*values, size]
