"""What lies inside frames: records, and pieces of large objects (spec: store, ST6).

    record       kind 1 | id 32 | length 4 | payload
    first piece  kind 1 | id 32 | size of the whole object 8 | its first bytes
    next piece   kind 1 | id 32 | index of the piece, from 1, 4 | the bytes that follow

Integers are big-endian.
"""

import struct
from oxy.typed import Final, NamedTuple

from oxy.store.errors import FrameDamagedError
from oxy.store.limits import OBJECT_LIMIT

_RECORD: Final = struct.Struct(">B32sI")
_FIRST: Final = struct.Struct(">B32sQ")
_NEXT: Final = struct.Struct(">B32sI")

RECORD_HEAD: Final = _RECORD.size
FIRST_HEAD: Final = _FIRST.size
NEXT_HEAD: Final = _NEXT.size

IN_PIECES: Final = -1
"""The slot of an object that has frames of its own."""


class Place(NamedTuple):
    """Where an object lies: its frame, its record's start in there, its payload's length."""

    segment: int
    offset: int
    slot: int
    size: int


class Piece(NamedTuple):
    """One piece of a large object; `stated` is its whole size (first) or its index (next)."""

    kind: int
    object_id: bytes
    stated: int
    data: bytes


def record(kind: int, object_id: bytes, payload: bytes) -> bytes:
    """Return the record of a small object."""
    return _RECORD.pack(kind, object_id, len(payload)) + payload


def first_piece(kind: int, object_id: bytes, size: int, data: bytes) -> bytes:
    """Return the content of the first frame of a large object."""
    return _FIRST.pack(kind, object_id, size) + data


def next_piece(kind: int, object_id: bytes, index: int, data: bytes) -> bytes:
    """Return the content of a later frame of a large object."""
    return _NEXT.pack(kind, object_id, index) + data


def is_piece(raw: bytes, kind: int, object_id: bytes, index: int, stated: int) -> bool:
    """Tell whether this is that piece of that object, and holds any of its bytes."""
    head = _NEXT if index else _FIRST
    return len(raw) > head.size and head.unpack_from(raw) == (kind, object_id, stated)


def payload_at(raw: bytes, slot: int, kind: int, object_id: bytes, size: int) -> bytes | None:
    """Return the payload of the record at `slot`, or None if another one or none is there."""
    if slot + RECORD_HEAD > len(raw):
        return None
    if _RECORD.unpack_from(raw, slot) != (kind, object_id, size):
        return None
    payload = raw[slot + RECORD_HEAD : slot + RECORD_HEAD + size]
    return payload if len(payload) == size else None


def records_in(raw: bytes, segment: int, offset: int) -> list[tuple[int, bytes, Place]]:
    """Return (kind, id, place) of every record of a frame.

    Raises:
        FrameDamagedError: the content is not made of whole records.
    """
    found: list[tuple[int, bytes, Place]] = []
    slot = 0
    while slot < len(raw):
        if slot + RECORD_HEAD > len(raw):
            raise FrameDamagedError(segment, offset, "a record is cut short")
        kind, object_id, size = _RECORD.unpack_from(raw, slot)
        if slot + RECORD_HEAD + size > len(raw):
            raise FrameDamagedError(segment, offset, "a record is longer than its frame")
        found.append((kind, object_id, Place(segment, offset, slot, size)))
        slot += RECORD_HEAD + size
    return found


def parse_first(raw: bytes, segment: int, offset: int) -> Piece:
    """Return the first piece of a large object.

    Raises:
        FrameDamagedError: the content is no first piece, or states a size over the limit.
    """
    if len(raw) <= _FIRST.size:
        raise FrameDamagedError(segment, offset, "a piece is cut short")
    kind, object_id, size = _FIRST.unpack_from(raw)
    piece = Piece(kind, object_id, size, raw[_FIRST.size :])
    if piece.stated > OBJECT_LIMIT or len(piece.data) > piece.stated:
        raise FrameDamagedError(segment, offset, "a piece states an impossible size")
    return piece


def parse_next(raw: bytes, segment: int, offset: int) -> Piece:
    """Return a later piece of a large object.

    Raises:
        FrameDamagedError: the content is no piece.
    """
    if len(raw) <= _NEXT.size:
        raise FrameDamagedError(segment, offset, "a piece is cut short")
    kind, object_id, index = _NEXT.unpack_from(raw)
    return Piece(kind, object_id, index, raw[_NEXT.size :])
