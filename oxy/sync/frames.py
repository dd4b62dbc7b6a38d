"""Changes and blobs in frames, with an end that proves them all (spec: sync, SY27, SY37).

    frames     as in the store (ST6): records and pieces, of kinds 1 change, 2 blob, 4 signature
    4          magic f5 4f 58 45
    8          number of changes
    8          number of blobs
   32          BLAKE3 of every byte before

Integers are big endian. A frame is opened only after its lengths and its digest are proven;
what is cut short has no end, and what goes on behind it is refused.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from oxy.typed import Final, NamedTuple

from blake3 import blake3

from oxy.codec.limits import HEADER, OPERATIONS
from oxy.model.digest import DIGEST_SIZE, BlobId, ChangeId
from oxy.store.errors import FrameDamagedError
from oxy.store.frame import (
    FIRST_PIECE,
    HEAD_SIZE,
    MAGIC,
    NEXT_PIECE,
    RECORDS,
    Packer,
    Unpacker,
    packer,
    parse_head,
    seal,
    unpacker,
    unseal,
)
from oxy.store.limits import FRAME_TARGET, PIECE_SIZE
from oxy.store.protocol import BLOB, CHANGE, SIGNATURE, Whole
from oxy.store.record import (
    RECORD_HEAD,
    Piece,
    first_piece,
    next_piece,
    parse_first,
    parse_next,
    record,
    records_in,
)
from oxy.store.transaction import exact_pieces
from oxy.sync.errors import RefusedObjectError, RefusedTransferError
from oxy.sync.part import BlobPart, ChangePart, FramePart, Part, SignaturePart

END: Final = b"\xf5OXE"
LEVEL: Final = 3
_COUNTS: Final = struct.Struct(">4sQQ")
END_SIZE: Final = _COUNTS.size + DIGEST_SIZE
_PAYLOAD: Final = 4 + HEADER + OPERATIONS


class Counts(NamedTuple):
    """How many changes and blobs a transfer holds."""

    changes: int
    blobs: int


class _Opened(NamedTuple):
    """A frame that came: its form, it and its content, and where it began."""

    form: int
    whole: Whole
    offset: int


def framed(parts: Iterable[Part], before: bytes = b"") -> Iterator[bytes]:
    """Yield the frames of parts, and the end. Memory: one frame and one part.

    Args:
        parts: changes and blobs.
        before: what was sent already and is to be proven with them.
    """
    hasher = blake3(before)
    counts = [0, 0]
    for frame in _Framer(counts).frames(parts):
        hasher.update(frame)
        yield frame
    last = _COUNTS.pack(END, *counts)
    yield last + hasher.update(last).digest()


class _Framer:
    """Gathers small objects until a frame is full."""

    __slots__ = ("_counts", "_gathered", "_pack", "_size")

    def __init__(self, counts: list[int]) -> None:
        self._counts = counts
        self._gathered: list[bytes] = []
        self._size = 0
        self._pack: Packer = packer(LEVEL)

    def frames(self, parts: Iterable[Part]) -> Iterator[bytes]:
        for part in parts:
            if isinstance(part, FramePart):
                self._counts[1] += len(part.records)
                yield from self._flush()
                yield part.whole.frame
            elif isinstance(part, ChangePart):
                self._counts[0] += 1
                yield from self._put(CHANGE, part.id, len(part.payload), [part.payload])
            elif isinstance(part, SignaturePart):
                yield from self._put(SIGNATURE, part.id, len(part.payload), [part.payload])
            else:
                self._counts[1] += 1
                yield from self._put(BLOB, part.id, part.size, part.chunks)
        yield from self._flush()

    def _put(
        self, kind: int, name: bytes, size: int, chunks: Iterable[bytes]
    ) -> Iterator[bytes]:
        pieces = exact_pieces(kind, name, size, chunks)
        if size <= PIECE_SIZE:
            self._gathered.append(record(kind, name, b"".join(pieces)))
            self._size += RECORD_HEAD + size
            if self._size >= FRAME_TARGET:
                yield from self._flush()
            return
        yield from self._flush()
        for index, data in enumerate(pieces):
            form = NEXT_PIECE if index else FIRST_PIECE
            content = (
                next_piece(kind, name, index, data)
                if index
                else first_piece(kind, name, size, data)
            )
            yield seal(form, content, self._pack)

    def _flush(self) -> Iterator[bytes]:
        if self._gathered:
            yield seal(RECORDS, b"".join(self._gathered), self._pack)
            self._gathered.clear()
            self._size = 0


class Unframer:
    """Reads the parts of a stream of frames; `counts` are told when it has ended.

    Memory: one frame, or one change.
    """

    __slots__ = ("_at", "_hasher", "_read", "_unpack", "counts")

    def __init__(self, read: Callable[[int], bytes], before: bytes = b"") -> None:
        """Begin to read.

        Args:
            read: returns at most so many of the bytes that follow, and none at their end only.
            before: what was read already and is proven with what follows.
        """
        self._read = read
        self._hasher = blake3(before)
        self._at = len(before)
        self._unpack: Unpacker = unpacker()
        self.counts: Counts | None = None

    def parts(self) -> Iterator[Part]:
        """Yield the parts; the bytes of a large blob are taken before the next part.

        Raises:
            RefusedTransferError: a frame, or the whole, is not what it says.
            RefusedObjectError: an object is of another kind, or too large.
        """
        counts = [0, 0]
        while (frame := self._frame(counts)) is not None:
            for part in self._found(frame, counts):
                if isinstance(part, FramePart):
                    counts[1] += len(part.records)
                elif not isinstance(part, SignaturePart):
                    counts[isinstance(part, BlobPart)] += 1
                yield part
                if isinstance(part, BlobPart):
                    # Whoever did not want it has not taken it.
                    for _ in part.chunks:
                        pass
        self.counts = Counts(*counts)

    def _found(self, frame: _Opened, counts: list[int]) -> list[Part]:
        form, (_, raw), offset = frame
        if form == RECORDS:
            with _whole():
                return _records(frame.whole, offset)
        if form == FIRST_PIECE:
            with _whole():
                first = parse_first(raw, 0, offset)
            return [self._large(first, counts)]
        rule = f"a piece at byte {offset} is out of its place"
        raise RefusedTransferError(rule)

    def _frame(self, counts: list[int]) -> _Opened | None:
        """Return the next frame, or None at the end."""
        offset = self._at
        mark = self._exactly(len(MAGIC), offset)
        if mark == END:
            self._end(counts)
            return None
        first = mark + self._exactly(HEAD_SIZE - len(MAGIC), offset)
        with _whole():
            head = parse_head(first, 0, offset)
            stored = self._exactly(head.stored, offset)
            self._hasher.update(first).update(stored)
            raw = unseal(head, first, stored, self._unpack, 0, offset)
            return _Opened(head.form, Whole(first + stored, raw), offset)

    def _end(self, counts: list[int]) -> None:
        rest = self._exactly(END_SIZE - len(END), self._at)
        stated, digest = END + rest[:-DIGEST_SIZE], rest[-DIGEST_SIZE:]
        if self._hasher.update(stated).digest() != digest:
            rule = "its end fails its digest"
            raise RefusedTransferError(rule)
        if _COUNTS.unpack(stated)[1:] != tuple(counts):
            rule = "it says that it holds more, or less, than it does"
            raise RefusedTransferError(rule)
        if self._read(1):
            rule = "there is more behind its end"
            raise RefusedTransferError(rule)

    def _large(self, first: Piece, counts: list[int]) -> Part:
        """Return a part whose pieces are in frames of their own."""
        if first.kind == BLOB:
            return BlobPart(BlobId(first.object_id), first.stated, self._pieces(first, counts))
        if first.kind != CHANGE or first.stated > _PAYLOAD:
            rule = "it is no change or blob, or over the limits of a change"
            raise RefusedObjectError(first.kind, first.object_id, rule)
        payload = b"".join(self._pieces(first, counts))
        return ChangePart(ChangeId(first.object_id), payload)

    def _pieces(self, first: Piece, counts: list[int]) -> Iterator[bytes]:
        kind, name, size, data = first
        got, index = len(data), 0
        yield data
        while got < size:
            frame = self._frame(counts)
            index += 1
            if frame is None or frame.form != NEXT_PIECE:
                rule = "it lacks pieces"
                raise RefusedObjectError(kind, name, rule)
            with _whole():
                piece = parse_next(frame.whole.raw, 0, frame.offset)
            if piece[:3] != (kind, name, index):
                rule = "a piece of it is another's"
                raise RefusedObjectError(kind, name, rule)
            got += len(piece.data)
            yield piece.data

    def _exactly(self, size: int, offset: int) -> bytes:
        pieces = []
        left = size
        while left:
            data = self._read(left)
            if not data:
                rule = f"it is cut short in what begins at byte {offset}"
                raise RefusedTransferError(rule)
            pieces.append(data)
            left -= len(data)
        self._at += size
        return b"".join(pieces)


@contextmanager
def _whole() -> Iterator[None]:
    try:
        yield
    except FrameDamagedError as error:
        rule = f"at byte {error.offset}, {error.what}"
        raise RefusedTransferError(rule) from error


def _records(whole: Whole, offset: int) -> list[Part]:
    records = records_in(whole.raw, 0, offset)
    frame = FramePart(whole, records)
    if frame.is_of_blobs and len(records) > 1:
        return [frame]
    found: list[Part] = []
    for kind, name, place in records:
        start = place.slot + RECORD_HEAD
        data = whole.raw[start : start + place.size]
        if kind == CHANGE:
            found.append(ChangePart(ChangeId(name), data))
        elif kind == BLOB:
            found.append(BlobPart(BlobId(name), len(data), iter((data,))))
        elif kind == SIGNATURE:
            found.append(SignaturePart(name, data))
        else:
            rule = "only changes, blobs and signatures travel"
            raise RefusedObjectError(kind, name, rule)
    return found
