"""What one object has beyond another, in the form of Git's packs (spec: GB36). Pure.

Versions of a file mostly differ in one place, so a delta copies what is common at the head and
the tail and brings what lies between.
"""

from typing import Final

from oxy.diff.trim import middle_of

LEAST: Final = 64
"""A delta has to save so many bytes."""

_COPY: Final = 0x80
_COPIED: Final = 0xFFFFFF
"""The most that one instruction copies."""

_INSERTED: Final = 127
_MORE: Final = 0x80
_LOW: Final = 0x7F


def delta(base: bytes, data: bytes) -> bytes | None:
    """Return the instructions that make an object of another; None where they save too little.

    Cost: comparisons of slices of what is common.
    """
    if not base or not data:
        return None
    middle = middle_of(base, data)
    inserted = data[middle.head : middle.new_end]
    if len(inserted) + LEAST > len(data):
        return None
    parts = [size(len(base)), size(len(data))]
    parts += _copies(0, middle.head)
    parts += [
        bytes([len(piece)]) + piece
        for piece in (
            inserted[at : at + _INSERTED] for at in range(0, len(inserted), _INSERTED)
        )
    ]
    parts += _copies(middle.old_end, len(base) - middle.old_end)
    return b"".join(parts)


def size(number: int) -> bytes:
    """Return a number in groups of seven bits, the lowest first."""
    found = bytearray()
    while number > _LOW:
        found.append(number & _LOW | _MORE)
        number >>= 7
    found.append(number)
    return bytes(found)


def _copies(start: int, length: int) -> list[bytes]:
    found = []
    while length:
        count = min(length, _COPIED)
        found.append(_copy(start, count))
        start, length = start + count, length - count
    return found


def _copy(start: int, length: int) -> bytes:
    """Return the instruction that copies; of offset and length only bytes that are not 0."""
    head, body = _COPY, bytearray()
    for place, byte in enumerate(start.to_bytes(4, "little") + length.to_bytes(3, "little")):
        if byte:
            head |= 1 << place
            body.append(byte)
    return bytes([head]) + bytes(body)
