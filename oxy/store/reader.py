"""Reading objects and rows, committed or pending (spec: store, ST8, ST11).

A store and its open transaction share one session, so that both see what is being written.
"""

from __future__ import annotations

from oxy.typed import TYPE_CHECKING, NamedTuple

from oxy.store.errors import (
    FrameDamagedError,
    NumberUnknownError,
    ObjectDamagedError,
    ObjectGoneError,
    SegmentDamagedError,
    StoreIOError,
)
from oxy.store.index import Index, Located, batches, prefix_bounds
from oxy.store.limits import PIECE_SIZE, ROWS_BATCH, ROWS_BATCH_BYTES
from oxy.store.pieces import Pieces, damaged, refused
from oxy.store.record import IN_PIECES, RECORD_HEAD, Place, payload_at
from oxy.store.segment import Ahead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from oxy.store.protocol import Identify, Whole
    from oxy.store.segment import SegmentFiles


class Pending:
    """What a transaction has gathered and neither segment nor database holds yet.

    `settle`, if there is one, has the objects written whose frames are being sealed.
    """

    __slots__ = ("_row_bytes", "counts", "numbers", "payloads", "rows", "settle")

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        self.numbers: dict[tuple[int, bytes], int] = {}
        self.payloads: dict[tuple[int, int], tuple[bytes, bytes]] = {}
        self.rows: dict[tuple[int, bytes], bytes | None] = {}
        self.settle: Callable[[], None] | None = None
        self._row_bytes = 0

    def add_row(self, index: Index, table: int, key: bytes, value: bytes | None) -> None:
        """Gather a row, or its removal, and hand the rows on when they are many."""
        self.rows[table, key] = value
        self._row_bytes += len(key) + len(value or b"")
        if len(self.rows) >= ROWS_BATCH or self._row_bytes >= ROWS_BATCH_BYTES:
            self.flush_rows(index)

    def flush_rows(self, index: Index) -> None:
        """Hand the gathered rows to the database."""
        if not self.rows:
            return
        index.put_rows(
            [(*place, value) for place, value in self.rows.items() if value is not None]
        )
        index.delete_rows([place for place, value in self.rows.items() if value is None])
        self.rows.clear()
        self._row_bytes = 0

    def drop_object(self, kind: int, number: int, object_id: bytes) -> None:
        """Forget an object: it is in a frame now."""
        del self.numbers[kind, object_id]
        self.payloads.pop((kind, number), None)

    def drop(self) -> None:
        """Forget everything."""
        self.settle = None
        self.numbers.clear()
        self.payloads.clear()
        self.counts.clear()
        self.rows.clear()
        self._row_bytes = 0


class Session(NamedTuple):
    """What a store and its transaction share."""

    lookup: Index
    files: SegmentFiles
    pending: Pending
    identify: Identify


def is_behind(session: Session) -> bool:
    """Return whether segments go on past the indexed end. Cost: two stats and one query."""
    segment, ends = session.lookup.position()
    if session.files.size(segment + 1) is not None:
        return True
    return (session.files.size(segment) or 0) != ends


def _follows(last: Located, located: Located | None) -> bool:
    """Tell whether an object's record comes right after another's in one frame."""
    if located is None:
        return False
    here, there = last[2], located[2]
    return there[:3] == (here.segment, here.offset, here.slot + RECORD_HEAD + here.size)


class FileReader:
    """A Reader over segments and database (see protocol)."""

    __slots__ = ("_files", "_identify", "_lookup", "_pending", "_pieces")

    def __init__(self, session: Session) -> None:
        self._lookup, self._files, self._pending, self._identify = session
        self._pieces = Pieces(self._files)

    def number_of(self, kind: int, object_id: bytes) -> int | None:
        """See Reader."""
        pending = self._pending.numbers.get((kind, object_id))
        return self._lookup.number_of(kind, object_id) if pending is None else pending

    def numbers_of(self, kind: int, object_ids: Iterable[bytes]) -> dict[bytes, int]:
        """See Reader."""
        found: dict[bytes, int] = {}
        pending = self._pending.numbers
        for batch in batches(object_ids):
            found |= self._lookup.numbers_many(kind, batch)
            for object_id in batch if pending else ():
                if (kind, object_id) in pending:
                    found[object_id] = pending[kind, object_id]
        return found

    def id_of(self, kind: int, number: int) -> bytes:
        """See Reader."""
        pending = self._pending.payloads.get((kind, number))
        if pending is not None:
            return pending[0]
        located = self._lookup.located(kind, number)
        if located is None:
            return self._lookup.gone(kind, number) or self._located(kind, number)[1]
        return located[1]

    def ids_of(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        for batch in batches(numbers):
            found = self._lookup.ids_many(kind, batch)
            for number in batch:
                held = found.get(number)
                yield self.id_of(kind, number) if held is None else held

    def count(self, kind: int) -> int:
        """See Reader."""
        pending = self._pending.counts.get(kind)
        return self._lookup.count(kind) if pending is None else pending

    def all_gone(self, kind: int) -> list[int]:
        """See Reader."""
        return self._lookup.all_gone(kind)

    def with_prefix(self, kind: int, prefix: str, limit: int) -> list[bytes]:
        """See Reader."""
        found = self._lookup.with_prefix(kind, prefix, limit)
        bounds = prefix_bounds(prefix)
        if bounds is not None and self._pending.numbers:
            low, high = bounds
            found += [
                object_id
                for pending, object_id in self._pending.numbers
                if pending == kind and low <= object_id <= high
            ]
        return sorted(found)[:limit]

    def size(self, kind: int, number: int) -> int:
        """See Reader."""
        pending = self._pending.payloads.get((kind, number))
        return self._located(kind, number)[2].size if pending is None else len(pending[1])

    def read(self, kind: int, number: int) -> bytes:
        """See Reader."""
        pending = self._pending.payloads.get((kind, number))
        if pending is not None:
            return pending[1]
        return self._payload(kind, self._located(kind, number))

    def read_many(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        return self._many(kind, numbers, self._payload)

    def read_starts(self, kind: int, numbers: Iterable[int]) -> Iterator[bytes]:
        """See Reader."""
        return self._many(kind, numbers, self._start)

    def read_part(self, kind: int, number: int, offset: int, size: int) -> bytes:
        """See Reader."""
        if (kind, number) not in self._pending.payloads:
            located = self._located(kind, number)
            if located[2].slot == IN_PIECES:

                def part(now: Located) -> bytes:
                    return self._pieces.part(kind, now, offset, size)

                return self._found(kind, located, part)
        return self.read(kind, number)[offset : offset + size]

    def chunks(self, kind: int, number: int) -> Iterator[bytes]:
        """See Reader."""
        if (kind, number) not in self._pending.payloads:
            located = self._located(kind, number)
            if located[2].slot == IN_PIECES:
                yield from self._chunks(kind, located)
                return
        payload = self.read(kind, number)
        if payload:
            yield payload

    def wholes(self, kind: int, numbers: Iterable[int]) -> Iterator[Whole | int]:
        """See Reader."""
        frame: list[Located] = []
        for batch in batches(numbers):
            places = self._lookup.located_many(kind, batch)
            for number in batch:
                located = places.get(number)
                if frame and not _follows(frame[-1], located):
                    yield from self._whole(kind, frame)
                    frame = []
                if located is None or located[2].slot == IN_PIECES:
                    yield number
                else:
                    frame.append(located)
        yield from self._whole(kind, frame)

    def _whole(self, kind: int, located: list[Located]) -> Iterator[Whole | int]:
        """Yield the frame that some objects lie in, if they are all of it, or their numbers."""
        if not located:
            return
        place, last = located[0][2], located[-1][2]
        if place.slot == 0:
            size = last.slot + RECORD_HEAD + last.size
            try:
                whole = self._files.whole(place.segment, place.offset, size)
            except (FrameDamagedError, SegmentDamagedError):
                # It may lie elsewhere by now; who reads them one by one finds out.
                whole = None
            except StoreIOError as error:
                raise refused(kind, located[0][1], place, error) from error
            if whole is not None:
                yield whole
                return
        for number, _, _ in located:
            yield number

    def row(self, table: int, key: bytes) -> bytes | None:
        """See Reader."""
        rows = self._pending.rows
        if rows and (table, key) in rows:
            return rows[table, key]
        return self._lookup.row(table, key)

    def rows(
        self,
        table: int,
        prefix: bytes = b"",
        *,
        reverse: bool = False,
        after: bytes | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        """See Reader."""
        self._pending.flush_rows(self._lookup)
        return self._lookup.rows(table, prefix, after, reverse=reverse)

    def rows_many(self, table: int, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """See Reader."""
        self._pending.flush_rows(self._lookup)
        return self._lookup.rows_many(table, keys)

    def _located(self, kind: int, number: int) -> Located:
        located = self._lookup.located(kind, number)
        if located is None and self._pending.settle is not None:
            self._pending.settle()
            located = self._lookup.located(kind, number)
        if located is None:
            gone = self._lookup.gone(kind, number)
            if gone is not None:
                raise ObjectGoneError(kind, gone)
            raise NumberUnknownError(kind, number)
        return located

    def _found(self, kind: int, located: Located, read: Callable[[Located], bytes]) -> bytes:
        """Read an object, again where it lies by now if it was moved meanwhile (ST29)."""
        try:
            return read(located)
        except ObjectDamagedError:
            now = self._lookup.located(kind, located[0])
            if now is None or now == located:
                raise
            return read(now)

    def _chunks(self, kind: int, located: Located) -> Iterator[bytes]:
        """Yield the pieces of an object, from where it lies by now if it is moved meanwhile."""
        got = 0
        while True:
            try:
                for at, data in enumerate(self._pieces.whole(kind, located)):
                    if at == got:
                        yield data
                        got += 1
            except ObjectDamagedError:
                now = self._lookup.located(kind, located[0])
                if now is None or now == located:
                    raise
                located = now
            else:
                return

    def _many(
        self, kind: int, numbers: Iterable[int], read: Callable[[int, Located, Ahead], bytes]
    ) -> Iterator[bytes]:
        for batch in batches(numbers):
            found = self._lookup.located_many(kind, batch)
            ahead = Ahead()
            for number in batch:
                located = found.get(number)
                if located is None:
                    yield self.read(kind, number)
                else:
                    yield read(kind, located, ahead)

    def _start(self, kind: int, located: Located, ahead: Ahead) -> bytes:
        if located[2].slot == IN_PIECES:

            def part(now: Located) -> bytes:
                return self._pieces.part(kind, now, 0, PIECE_SIZE)

            return self._found(kind, located, part)
        return self._payload(kind, located, ahead)

    def _payload(self, kind: int, located: Located, ahead: Ahead | None = None) -> bytes:
        def payload(now: Located) -> bytes:
            return self._proven(kind, now, ahead)

        return self._found(kind, located, payload)

    def _proven(self, kind: int, located: Located, ahead: Ahead | None) -> bytes:
        _, object_id, place = located
        if place.slot == IN_PIECES:
            payload = b"".join(self._pieces.whole(kind, located))
        else:
            payload = self._record(kind, object_id, place, ahead)
        if self._identify(kind, payload) not in {None, object_id}:
            raise damaged(kind, object_id, place, "its content has another id")
        return payload

    def _record(self, kind: int, object_id: bytes, place: Place, ahead: Ahead | None) -> bytes:
        try:
            frame = self._files.frame(place.segment, place.offset, ahead=ahead)
        except (FrameDamagedError, SegmentDamagedError, StoreIOError) as error:
            raise refused(kind, object_id, place, error) from error
        payload = payload_at(frame.raw, place.slot, kind, object_id, place.size)
        if payload is None:
            raise damaged(kind, object_id, place, "the index points at something else")
        return payload
