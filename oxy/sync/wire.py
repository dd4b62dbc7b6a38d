"""An exchange over a stream of bytes, whatever carries it (spec: sync, SY49, SY50).

    each side       8  magic 8f 6f 78 79 77 69 72 0a
    begins with     4  version of the wire, 1

    a packet        1  1 more follows, 2 the last of a message, 3 why the sender ends,
                       4 the sender is still at work, of 0 bytes
                    4  number n of bytes, at most 65,536; of kind 1 exactly as many
                    n  bytes

Integers are big endian. One side asks, the other answers. A message is packets of kind 1 and
one of kind 2. Behind the question to take something in follows that, as a message of its own.
Packets are full, so that who sends them slowly, one byte at a time, is silent for too long.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from oxy.typed import Final

from oxy.codec.form import byte_string, integer, row
from oxy.codec.wire import MalformedError, count, pack, unpack
from oxy.errors import CorruptionError, OxyError, RequestError
from oxy.sync import limits
from oxy.sync.errors import (
    DamagedThereError,
    GoneError,
    LostError,
    NotReadyThereError,
    RefusedThereError,
    RefusedTransferError,
)
from oxy.sync.talk import Host, answer

MAGIC: Final = b"\x8foxywir\n"
VERSION: Final = 1
_START: Final = struct.Struct(">8sI")
_HEAD: Final = struct.Struct(">BI")
_MORE: Final = 1
_LAST: Final = 2
_FAILED: Final = 3
_AT_WORK: Final = 4
_REQUEST: Final = 1
_STATE: Final = 2
_CORRUPTION: Final = 3
_FORM: Final = row(integer, byte_string)

WAIT: Final = _HEAD.pack(_AT_WORK, 0)
"""What a side sends now and then before a packet that takes it long to work out."""

START: Final = _START.pack(MAGIC, VERSION)
"""What each side begins with."""

Read = Callable[[int], bytes]
"""Returns exactly so many bytes, or none where the other side has ended; raises LostError."""

Write = Callable[[bytes], None]
"""Sends bytes; raises LostError, and GoneError where nobody takes them any more."""


def served(host: Host, read: Read) -> Iterator[bytes]:
    """Yield what answers the questions of another side, until that ends.

    Memory: a question, or a frame and a part.

    Raises:
        LostError: it ended inside of something, or was silent for too long.
        RefusedTransferError: it says what makes no sense.
        OxyError, OSError: whatever was wrong here; the other side has been told.
    """
    yield START
    try:
        if not begun(read):
            return
        while (question := _question(read)) is not None:
            yield from packed(answer(host, question, unpacked(read)))
    except LostError:
        raise
    except (OxyError, OSError, MemoryError) as error:
        yield failed(error)
        raise


def refused(error: OxyError) -> bytes:
    """Return what a side sends that cannot answer at all."""
    return START + failed(error)


class Caller:
    """Carries questions to another side and its answers back: a Carry."""

    __slots__ = ("_is_begun", "_read", "_write")

    def __init__(self, read: Read, write: Write) -> None:
        self._read = read
        self._write = write
        self._is_begun = False

    def __call__(self, question: bytes, more: Iterable[bytes] | None = None) -> Iterator[bytes]:
        """Send a question and what follows it; yield the answer.

        Raises:
            LostError: the other side is gone, or silent for too long.
            RefusedTransferError: what it sends is no answer.
            RefusedThereError, NotReadyThereError, DamagedThereError: it says why it does not.
        """
        is_first = not self._is_begun
        self._is_begun = True
        # Where nobody takes the question any more, it may have been said why.
        with suppress(GoneError):
            self._send(question, more, is_first=is_first)
        if is_first and not begun(self._read):
            raise _ended()
        yield from unpacked(self._read)

    def _send(self, question: bytes, more: Iterable[bytes] | None, *, is_first: bool) -> None:
        if is_first:
            self._write(START)
        for packet in packed((question,)):
            self._write(packet)
        for packet in packed(more) if more is not None else ():
            self._write(packet)


def begun(read: Read) -> bool:
    """Read what another side begins with; return whether there is anything.

    Raises:
        RefusedTransferError: it is no oxy, or speaks otherwise.
    """
    start = read(_START.size)
    if not start:
        return False
    magic, version = _START.unpack(start)
    if magic != MAGIC:
        rule = "what answers is no oxy, or something else was said before it"
        raise RefusedTransferError(rule)
    if version != VERSION:
        rule = f"the other side speaks version {version}; this oxy speaks {VERSION}"
        raise RefusedTransferError(rule)
    return True


def packed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the packets of a message. Memory: a piece, and a packet."""
    rest = bytearray()
    full = _HEAD.pack(_MORE, limits.PIECE)
    for piece in pieces:
        rest += piece
        at = 0
        while len(rest) - at > limits.PIECE:
            yield full + rest[at : at + limits.PIECE]
            at += limits.PIECE
        del rest[:at]
    yield _HEAD.pack(_LAST, len(rest)) + rest


def unpacked(read: Read, head: bytes = b"") -> Iterator[bytes]:
    """Yield the pieces of a message.

    Args:
        read: see Read.
        head: what was read of it already.

    Raises:
        LostError, RefusedTransferError: it is cut short, or is no message.
        RefusedThereError, NotReadyThereError, DamagedThereError: the sender ends, and says why.
    """
    kind, waits = _MORE, 0
    while kind != _LAST:
        kind, size = _HEAD.unpack(head or _whole(read, _HEAD.size))
        head = b""
        _require_packet(kind, size)
        data = _whole(read, size) if size else b""
        if kind == _FAILED:
            raise _reason(data)
        waits = waits + 1 if kind == _AT_WORK else 0
        if waits > limits.WAITS:
            rule = "the other side says again and again that it is still at work"
            raise RefusedTransferError(rule)
        if data:
            yield data


def _question(read: Read) -> bytes | None:
    """Return the next question; None where there are no more."""
    head = read(_HEAD.size)
    if not head:
        return None
    question = bytearray()
    for piece in unpacked(read, head):
        question += piece
        if len(question) > limits.MESSAGE:
            rule = f"a message is over {limits.MESSAGE} bytes"
            raise RefusedTransferError(rule)
    return bytes(question)


def _require_packet(kind: int, size: int) -> None:
    most = {_MORE: limits.PIECE, _LAST: limits.PIECE, _FAILED: limits.WORDS, _AT_WORK: 0}.get(
        kind
    )
    if most is None or size > most or (kind == _MORE and size != most):
        rule = "what comes over the wire is no packet"
        raise RefusedTransferError(rule)


def _whole(read: Read, size: int) -> bytes:
    data = read(size)
    if not data:
        raise _ended()
    return data


def _ended() -> LostError:
    why = "the other side has ended"
    return LostError(why)


def failed(error: BaseException) -> bytes:
    """Return the packet that tells why one side ends."""
    code = _STATE
    if isinstance(error, RequestError):
        code = _REQUEST
    elif isinstance(error, CorruptionError):
        code = _CORRUPTION
    words = (str(error) or type(error).__name__).encode("utf-8", "surrogateescape")
    data = pack((code, words[: limits.WORDS // 2]))
    return _HEAD.pack(_FAILED, len(data)) + data


def _reason(data: bytes) -> OxyError:
    """Return the error that the other side tells of."""
    try:
        count(data, limits.ITEMS)
        raw = unpack(data)
    except MalformedError as error:
        return RefusedTransferError(error.rule)
    if not _FORM(raw) or not isinstance(raw, tuple) or not isinstance(raw[1], bytes):
        rule = "why the other side ends does not have the form of words"
        return RefusedTransferError(rule)
    words = raw[1].decode("utf-8", "surrogateescape")
    kinds = {_REQUEST: RefusedThereError, _CORRUPTION: DamagedThereError}
    return kinds.get(raw[0], NotReadyThereError)(words)
