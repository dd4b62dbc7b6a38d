"""A transaction on files: gather, write, sync, then commit the index (spec: ST13, ST14)."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from oxy.typed import NoReturn

from oxy.store.errors import (
    CommitUncertainError,
    DatabaseDamagedError,
    ObjectSizeError,
    StoreBusyError,
    StoreIOError,
    TransactionStateError,
)
from oxy.store.frame import FIRST_PIECE, NEXT_PIECE, RECORDS, is_sound
from oxy.store.limits import FRAME_TARGET, OBJECT_LIMIT, PIECE_SIZE
from oxy.store.protocol import Durability, Recorded, Whole
from oxy.store.reader import FileReader, Session
from oxy.store.record import (
    IN_PIECES,
    RECORD_HEAD,
    Place,
    first_piece,
    next_piece,
    record,
)
from oxy.store.sealing import Sealer
from oxy.store.writer import SegmentWriter

_Slot = tuple[int, int, bytes, int, int]
"""Kind, number and id of an object, where its record is in its frame, and its size."""


class RowWriter(FileReader):
    """An IndexWriter on files (see protocol)."""

    __slots__ = ()

    def put(self, table: int, key: bytes, value: bytes) -> None:
        """See IndexWriter."""
        self._pending.add_row(self._lookup, table, key, value)

    def delete(self, table: int, key: bytes) -> None:
        """See IndexWriter."""
        self._pending.add_row(self._lookup, table, key, None)

    def new_number(self, kind: int) -> int:
        """Return the number of the next object of a kind, which is taken by that."""
        number = self.count(kind) + 1
        self._pending.counts[kind] = number
        return number


class FileTransaction(RowWriter):
    """A Transaction on files, whose owner holds the writer lock and has begun the database's.

    Memory: one frame of gathered objects, those that are being sealed (see `Sealer`), and one
    batch of rows.
    """

    __slots__ = (
        "_durability",
        "_gathered",
        "_keep",
        "_lacks",
        "_open",
        "_places",
        "_raw",
        "_sealer",
        "_writer",
    )

    def __init__(
        self,
        session: Session,
        writer: SegmentWriter,
        durability: Durability,
        sealer: Sealer,
    ) -> None:
        super().__init__(session)
        self._writer = writer
        self._durability = durability
        self._sealer = sealer
        self._pending.settle = self._settle
        self._gathered: list[bytes] = []
        self._places: list[_Slot] = []
        self._raw = 0
        self._open = True
        self._keep = False
        self._lacks = 0, b""
        """What was looked for last and is not there."""

    def put(self, table: int, key: bytes, value: bytes) -> None:
        """See IndexWriter."""
        if not self._open:
            self._require_open()
        self._pending.add_row(self._lookup, table, key, value)

    def delete(self, table: int, key: bytes) -> None:
        """See IndexWriter."""
        self._require_open()
        super().delete(table, key)

    def number_of(self, kind: int, object_id: bytes) -> int | None:
        """See Reader."""
        number = super().number_of(kind, object_id)
        if number is None:
            self._lacks = kind, object_id
        return number

    def _known(self, kind: int, object_id: bytes) -> int | None:
        """Return the number of an object that is to be appended, if it is there.

        Whoever appends has looked for it, as a rule, and nobody else writes meanwhile.
        """
        lacks, self._lacks = self._lacks, (0, b"")
        return None if lacks == (kind, object_id) else super().number_of(kind, object_id)

    def append(self, kind: int, object_id: bytes, payload: bytes) -> int:
        """See Transaction."""
        self._require_open()
        known = self._known(kind, object_id)
        if known is not None:
            return known
        if len(payload) > PIECE_SIZE:
            return self._append_pieces(kind, object_id, len(payload), (payload,))
        number = self.new_number(kind)
        self._pending.numbers[kind, object_id] = number
        self._pending.payloads[kind, number] = object_id, payload
        self._places.append((kind, number, object_id, self._raw, len(payload)))
        self._gathered.append(record(kind, object_id, payload))
        self._raw += RECORD_HEAD + len(payload)
        if self._raw >= FRAME_TARGET:
            self._flush_frame()
        return number

    def append_chunks(
        self, kind: int, object_id: bytes, size: int, chunks: Iterable[bytes]
    ) -> int:
        """See Transaction."""
        self._require_open()
        known = self._known(kind, object_id)
        if known is not None:
            return known
        if size <= PIECE_SIZE:
            payload = b"".join(exact_pieces(kind, object_id, size, chunks))
            return self.append(kind, object_id, payload)
        return self._append_pieces(kind, object_id, size, chunks)

    def append_whole(self, whole: Whole, objects: Sequence[Recorded]) -> None:
        """See Transaction."""
        self._require_open()
        self._lacks = 0, b""
        self._flush_frame()
        self._open = False
        new = [
            (kind, self.new_number(kind), name, slot, size)
            for kind, name, (_, _, slot, size) in objects
        ]
        for kind, number, name, _, _ in new:
            self._pending.numbers[kind, name] = number
        if is_sound(whole.frame):
            self._settle()
            self._index(new, self._writer.append(whole.frame))
        else:
            self._seal(RECORDS, whole.raw, new)
        self._open = True

    def commit(self) -> None:
        """Write out, sync, and make it visible; whatever fails, `rollback` must follow.

        Raises:
            CommitUncertainError: the database failed where the commit may have happened.
        """
        self._require_open()
        self._flush_frame()
        self._settle()
        self._sealer.close()
        self._pending.flush_rows(self._lookup)
        if self._durability == "safe":
            self._writer.sync()
        self._writer.close()
        ends = self._writer.ends()
        for segment, end in ends.items():
            self._lookup.set_position(segment, end)
        # An interruption from here on cannot tell whether the commit has happened: frames that
        # the index may point at stay, and are indexed later if it does not.
        self._keep = True
        try:
            self._lookup.database.commit()
        except StoreBusyError:
            self._keep = False
            raise
        except (StoreIOError, DatabaseDamagedError) as error:
            self._judge(error, wrote=bool(ends))
        self._open = False
        self._pending.drop()

    def rollback(self) -> bool:
        """Take everything back; return whether the segment is given up."""
        self._open = False
        self._sealer.close()
        self._pending.drop()
        with suppress(StoreIOError, StoreBusyError, DatabaseDamagedError):
            self._lookup.database.rollback()
        if self._keep:
            return False
        return self._writer.rollback()

    def _judge(self, error: StoreIOError | DatabaseDamagedError, *, wrote: bool) -> NoReturn:
        """Raise what a failed commit amounts to: not done, or perhaps done."""
        path = self._lookup.database.path
        try:
            undone = self._lookup.database.rollback()
            undone = undone or (wrote and self._lookup.position() == self._writer.begun)
        except (StoreIOError, StoreBusyError, DatabaseDamagedError):
            raise CommitUncertainError(path, str(error)) from error
        if not undone:
            raise CommitUncertainError(path, str(error)) from error
        self._keep = False
        raise error

    def _require_open(self) -> None:
        if not self._open:
            message = "the transaction has ended, or failed to write"
            raise TransactionStateError(message)

    def _settle(self) -> None:
        """Have everything written that is being sealed."""
        # Until a frame is written the transaction is unfit, here and below: a caller that
        # swallows the error must not be able to commit the rest.
        was_open, self._open = self._open, False
        self._sealer.drain()
        self._open = was_open

    def _flush_frame(self) -> None:
        if not self._places:
            return
        self._open = False
        places, self._places = self._places, []
        raw = b"".join(self._gathered)
        self._gathered.clear()
        self._raw = 0
        self._seal(RECORDS, raw, places)
        self._open = True

    def _seal(self, form: int, raw: bytes, places: Sequence[_Slot]) -> None:
        """Have content sealed and written, and then objects indexed that begin in it."""

        def written(frame: bytes) -> None:
            self._index(places, self._writer.append(frame))

        self._sealer.add(form, raw, written)

    def _index(self, places: Sequence[_Slot], where: tuple[int, int]) -> None:
        self._lookup.add_objects(
            (kind, number, object_id, Place(*where, slot, size))
            for kind, number, object_id, slot, size in places
        )
        for kind, number, object_id, _, _ in places:
            self._pending.drop_object(kind, number, object_id)

    def _append_pieces(
        self, kind: int, object_id: bytes, size: int, chunks: Iterable[bytes]
    ) -> int:
        self._flush_frame()
        self._settle()
        self._open = False
        begun = self._writer.place
        number = self.new_number(kind)
        self._pending.numbers[kind, object_id] = number
        places: list[tuple[int, int]] = []

        def written(frame: bytes) -> None:
            places.append(self._writer.append(frame))
            # Not before its last piece is written: who finds an object finds all of it.
            if len(places) * PIECE_SIZE >= size:
                self._index([(kind, number, object_id, IN_PIECES, size)], places[0])

        try:
            for index, data in enumerate(_told(exact_pieces(kind, object_id, size, chunks))):
                form = NEXT_PIECE if index else FIRST_PIECE
                content = (
                    next_piece(kind, object_id, index, data)
                    if index
                    else first_piece(kind, object_id, size, data)
                )
                self._sealer.add(form, content, written)
        except _SourceError as broken:
            self._sealer.drain()
            self._pending.drop_object(kind, number, object_id)
            self._pending.counts[kind] = number - 1
            self._writer.cut(begun)
            self._open = True
            raise broken.error from None
        self._open = True
        return number


class _SourceError(Exception):
    """The content of an object does not come, which is no failure to write it."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


def _told(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield pieces, and tell what stops their coming from what stops their being written."""
    try:
        yield from pieces
    except Exception as error:
        raise _SourceError(error) from error


def exact_pieces(
    kind: int, object_id: bytes, size: int, chunks: Iterable[bytes]
) -> Iterator[bytes]:
    """Yield the content in pieces of PIECE_SIZE, the last one shorter.

    Raises:
        ObjectSizeError: the size is over the limit, or is not what the chunks add up to.
    """
    if size > OBJECT_LIMIT:
        raise ObjectSizeError(kind, object_id, size, f"the limit is {OBJECT_LIMIT}")
    gathered = bytearray()
    got = 0
    for chunk in chunks:
        got += len(chunk)
        if got > size:
            break
        view = memoryview(chunk)
        for start in range(0, len(chunk), PIECE_SIZE):
            gathered += view[start : start + PIECE_SIZE]
            while len(gathered) >= PIECE_SIZE:
                yield bytes(gathered[:PIECE_SIZE])
                del gathered[:PIECE_SIZE]
    if got != size:
        raise ObjectSizeError(kind, object_id, size, "its content has another size")
    if gathered:
        yield bytes(gathered)
