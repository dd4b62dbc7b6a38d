"""Binary content in Git's patches: literal and delta (spec: diff). Pure.

Content is deflated; each line of a patch holds up to 52 bytes of that in base 85, behind a
letter that tells how many (A is 1, Z 26, a 27, z 52).
"""

import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable, Iterator
from oxy.typed import Final

from oxy.errors import RequestError

LINE: Final = 52
LIMIT: Final = 1 << 30
"""Most bytes that a patch may hold: what Git takes of a file."""

_SHOWN: Final = LINE // 4 * 5
_LETTERS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class LiteralError(RequestError):
    """Lines do not hold the binary content that they say."""


def encoded(size: int, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a literal, the empty one that ends it included.

    Cost: deflating; memory for a piece.
    """
    yield b"literal %d" % size
    held = b""
    for piece in _deflated(chunks):
        held += piece
        whole = len(held) - len(held) % LINE
        shown = b85encode(held[:whole])
        yield from (b"z" + shown[at : at + _SHOWN] for at in range(0, len(shown), _SHOWN))
        held = held[whole:]
    if held:
        yield _LETTERS[len(held) - 1 : len(held)] + b85encode(held, pad=True)
    yield b""


def _deflated(chunks: Iterable[bytes]) -> Iterator[bytes]:
    deflater = zlib.compressobj()
    for chunk in chunks:
        yield deflater.compress(chunk)
    yield deflater.flush()


def decoded(size: int, lines: Iterable[bytes], most: int = LIMIT) -> bytes:
    """Return what lines hold, which has to be of the size that they say.

    Cost: no more memory than that size, whatever the lines hold.

    Raises:
        LiteralError: they do not hold it.
    """
    if size > most:
        message = f"it says that it holds more than {most} bytes"
        raise LiteralError(message)
    inflater = zlib.decompressobj()
    found: list[bytes] = []
    left = size
    try:
        for line in lines:
            piece = inflater.decompress(_raw(line), left + 1)
            left -= len(piece)
            if left < 0:
                break
            found.append(piece)
    except zlib.error as error:
        message = "it does not inflate"
        raise LiteralError(message) from error
    if left or not inflater.eof or inflater.unused_data:
        message = f"it does not inflate to {size} bytes"
        raise LiteralError(message)
    return b"".join(found)


def _raw(line: bytes) -> bytes:
    """Return the bytes of one line."""
    count = _LETTERS.find(line[:1]) + 1
    try:
        data = b85decode(line[1:])
    except ValueError as error:
        message = "a line of it is not base 85"
        raise LiteralError(message) from error
    if not line or not count or len(data) != (count + 3) // 4 * 4:
        message = "a line of it has a wrong length"
        raise LiteralError(message)
    return data[:count]


def patched(old: bytes, delta: bytes, most: int = LIMIT) -> bytes:
    """Return what a delta of Git's makes of old content.

    Cost: no more memory than the size that it says, which is limited.

    Raises:
        LiteralError: it is none, or one of other content.
    """
    try:
        before, at = _number(delta, 0)
        after, at = _number(delta, at)
        if before != len(old):
            message = "it is a delta of other content"
            raise LiteralError(message)
        if after > most:
            message = f"it says that it makes more than {most} bytes"
            raise LiteralError(message)
        return _replayed(old, delta, at, after)
    except IndexError as error:
        message = "its delta is cut short"
        raise LiteralError(message) from error


def _replayed(old: bytes, delta: bytes, at: int, size: int) -> bytes:
    made = bytearray()
    while at < len(delta):
        head = delta[at]
        at += 1
        if head & 0x80:
            start, count, at = _span(delta, head, at)
            piece = old[start : start + count]
        else:
            count = head
            piece = delta[at : at + count]
            at += count
        if not count or len(piece) != count or len(made) + count > size:
            message = "its delta is damaged"
            raise LiteralError(message)
        made += piece
    if len(made) != size:
        message = "its delta is damaged"
        raise LiteralError(message)
    return bytes(made)


def _span(delta: bytes, head: int, at: int) -> tuple[int, int, int]:
    """Return where a copy begins, how long it is, and where the delta goes on."""
    numbers = [0, 0]
    for bit in range(7):
        if head & 1 << bit:
            which, shift = (0, bit) if bit < 4 else (1, bit - 4)  # noqa: PLR2004 - 4 bytes of an offset
            numbers[which] |= delta[at] << 8 * shift
            at += 1
    return numbers[0], numbers[1] or 0x10000, at


def _number(delta: bytes, at: int) -> tuple[int, int]:
    """Return a number, seven bits a byte, the lowest first, and where the delta goes on."""
    value = shift = 0
    while True:
        byte = delta[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at
        if shift > 63:  # noqa: PLR2004 - Git's numbers are of 64 bits
            message = "its delta is damaged"
            raise LiteralError(message)
