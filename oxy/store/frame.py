"""One frame: sealing content, and proving and opening it again (spec: store, ST6, ST9, ST34).

    magic 4 | form 1 | encoding 1 | zero 2 | mask 4 | stored length 4 | raw length 4 | CRC-32 4
    | first 16 bytes of BLAKE3 of the 24 bytes before and of what follows | stored bytes

Integers are big-endian. The magic never occurs inside a frame: where it would, the stored bytes
are masked (each 4 bytes XOR the mask). So whoever looks for the next frame after damage cannot
be led astray by content.
"""

import os
import struct
from binascii import crc32
from oxy.typed import Final, NamedTuple, Protocol

from oxy.store.errors import FrameDamagedError
from oxy.store.limits import FRAME_LIMIT

MAGIC: Final = b"\xf5OXF"
_HEAD: Final = struct.Struct(">4sBBHIII")
_CHECK: Final = struct.Struct(">I")
_DIGEST_SIZE: Final = 16
_CHECKED: Final = _HEAD.size + _CHECK.size
HEAD_SIZE: Final = _CHECKED + _DIGEST_SIZE

RECORDS: Final = 1
FIRST_PIECE: Final = 2
NEXT_PIECE: Final = 3
_FORMS: Final = (RECORDS, FIRST_PIECE, NEXT_PIECE)

_PLAIN: Final = 0
_ZSTD: Final = 1


class Packer(Protocol):
    """Compresses content into one self-contained zstd frame that states its size."""

    def compress(self, data: bytes, /) -> bytes:
        """Return the compressed form."""


class Unpacker(Protocol):
    """Opens what a Packer made."""

    def decompress(
        self, data: bytes, /, max_output_size: int = ..., *, allow_extra_data: bool = ...
    ) -> bytes:
        """Return the content."""


class Head(NamedTuple):
    """What a frame says of itself."""

    form: int
    encoding: int
    mask: int
    stored: int
    raw: int


def packer(level: int) -> Packer:
    """Return a compressor to be used again and again. Cost: imports zstandard."""
    from oxy.store import zstd

    return zstd.ZstdCompressor(level=level)


def unpacker() -> Unpacker:
    """Return a decompressor to be used again and again. Cost: imports zstandard."""
    from oxy.store import zstd

    return zstd.ZstdDecompressor(max_window_size=FRAME_LIMIT)


def seal(form: int, raw: bytes, pack: Packer) -> bytes:
    """Return the whole frame; content that does not shrink is stored as it is."""
    stored = pack.compress(raw)
    encoding = _ZSTD
    if len(stored) >= len(raw):
        stored, encoding = raw, _PLAIN
    mask = 0
    frame = _assemble(Head(form, encoding, mask, len(stored), len(raw)), stored)
    while not is_sound(frame):
        mask = int.from_bytes(os.urandom(4))
        head = Head(form, encoding, mask, len(stored), len(raw))
        frame = _assemble(head, _masked(stored, mask))
    return frame


def is_sound(frame: bytes) -> bool:
    """Tell whether no other frame seems to begin inside one, which may be from elsewhere."""
    return frame.find(MAGIC, 1) < 0


def parse_head(data: bytes, segment: int, offset: int) -> Head:
    """Return what the first HEAD_SIZE bytes say, checked against the limits.

    Raises:
        FrameDamagedError: they are no head of a frame that may be read.
    """
    if len(data) < HEAD_SIZE:
        raise FrameDamagedError(segment, offset, "the frame's head is cut short")
    magic, form, encoding, zero, mask, stored, raw = _HEAD.unpack_from(data)
    if magic != MAGIC:
        raise FrameDamagedError(segment, offset, "no frame begins here")
    if crc32(data[: _HEAD.size]) != _CHECK.unpack_from(data, _HEAD.size)[0]:
        raise FrameDamagedError(segment, offset, "the frame's head fails its checksum")
    if zero or form not in _FORMS or encoding not in {_PLAIN, _ZSTD}:
        raise FrameDamagedError(segment, offset, "the frame is of an unknown form")
    if raw > FRAME_LIMIT or stored > raw:
        raise FrameDamagedError(segment, offset, "the frame's lengths are over the limit")
    return Head(form, encoding, mask, stored, raw)


def unseal(
    head: Head, head_bytes: bytes, stored: bytes, unpack: Unpacker, segment: int, offset: int
) -> bytes:
    """Return the content, after its digest and its declared size are proven.

    Raises:
        FrameDamagedError: the digest is wrong, or the content is not as long as stated.
    """
    if len(stored) < head.stored:
        raise FrameDamagedError(segment, offset, "the frame is cut short")
    if head_bytes[_CHECKED:HEAD_SIZE] != _digest(head_bytes[:_CHECKED], stored):
        raise FrameDamagedError(segment, offset, "the frame fails its digest")
    if head.mask:
        stored = _masked(stored, head.mask)
    if head.encoding == _PLAIN:
        return stored
    return _decompress(head, stored, unpack, segment, offset)


def _decompress(
    head: Head, stored: bytes, unpack: Unpacker, segment: int, offset: int
) -> bytes:
    from oxy.store import zstd

    # A zstd frame that declares its size ignores the cap on the output: check it first.
    try:
        declared = zstd.get_frame_parameters(stored)
        if declared.content_size != head.raw or declared.window_size > FRAME_LIMIT:
            raise FrameDamagedError(segment, offset, "the content declares another size")
        raw = unpack.decompress(stored, head.raw, allow_extra_data=False)
    except zstd.ZstdError as error:
        raise FrameDamagedError(segment, offset, f"the content is no zstd: {error}") from error
    if len(raw) != head.raw:
        raise FrameDamagedError(segment, offset, "the content has another size than stated")
    return raw


def _assemble(head: Head, stored: bytes) -> bytes:
    start = _HEAD.pack(MAGIC, head.form, head.encoding, 0, head.mask, head.stored, head.raw)
    start += _CHECK.pack(crc32(start))
    return b"".join((start, _digest(start, stored), stored))


def _digest(head: bytes, stored: bytes) -> bytes:
    from blake3 import blake3

    return blake3(head).update(stored).digest(_DIGEST_SIZE)


def _masked(data: bytes, mask: int) -> bytes:
    pattern = (mask.to_bytes(4) * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data) ^ int.from_bytes(pattern)).to_bytes(len(data))
