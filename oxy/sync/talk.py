"""Two sides that speak in bytes: one asks, the other answers (spec: sync, SY2, SY3).

Whatever carries the bytes is none of its business: a question is one message, an answer is one
message or, for what is missing, a stream of frames.
"""

from collections.abc import Callable, Iterator, Sequence
from oxy.typed import TypeAlias

from oxy.model.digest import ChangeId
from oxy.sync import limits
from oxy.sync.endpoint import Endpoint, Holds, Offered, holds_none
from oxy.sync.errors import RefusedTransferError
from oxy.sync.frames import Unframer, framed
from oxy.sync.message import (
    AskKnown,
    AskMissing,
    AskNames,
    Known,
    Message,
    Names,
    decode,
    encode,
)
from oxy.sync.part import Part

Carry: TypeAlias = Callable[[bytes], Iterator[bytes]]
"""Takes a question to the other side and yields the answer in pieces."""


def answer(endpoint: Endpoint, question: bytes) -> Iterator[bytes]:
    """Yield the answer to a question, in pieces.

    Raises:
        RefusedTransferError: it is no question.
        NotStoredError: a change that is wanted is not there.
    """
    message = decode(question)
    if isinstance(message, AskNames):
        return iter((encode(Names(endpoint.refs())),))
    if isinstance(message, AskKnown):
        return iter((encode(Known(bytes(endpoint.known(message.ids)))),))
    if isinstance(message, AskMissing):
        return framed(endpoint.missing(message.want, message.have, holds_none))
    rule = "a message asks nothing"
    raise RefusedTransferError(rule)


class Far:
    """An Endpoint behind something that carries bytes."""

    __slots__ = ("_carry",)

    def __init__(self, carry: Carry) -> None:
        self._carry = carry

    def refs(self) -> tuple[Offered, ...]:
        """See Endpoint."""
        message = self._asked(AskNames())
        if not isinstance(message, Names):
            rule = "an answer does not tell names"
            raise RefusedTransferError(rule)
        return message.offered

    def known(self, ids: Sequence[ChangeId]) -> tuple[bool, ...]:
        """See Endpoint."""
        message = self._asked(AskKnown(tuple(ids)))
        if not isinstance(message, Known) or len(message.flags) != len(ids):
            rule = "an answer does not tell which changes are known"
            raise RefusedTransferError(rule)
        return tuple(map(bool, message.flags))

    def missing(
        self, want: Sequence[ChangeId], have: Sequence[ChangeId], holds: Holds
    ) -> Iterator[Part]:
        """See Endpoint; what `holds` says is not told to the other side."""
        del holds
        question = AskMissing(tuple(sorted(set(want))), tuple(sorted(set(have))))
        pieces = self._carry(encode(question))
        return Unframer(_Pieces(pieces).read).parts()

    def _asked(self, question: Message) -> Message:
        got = bytearray()
        for piece in self._carry(encode(question)):
            got += piece
            if len(got) > limits.MESSAGE:
                break
        return decode(bytes(got))


class _Pieces:
    """Pieces of any length, read as a file is."""

    __slots__ = ("_pieces", "_rest")

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def read(self, size: int) -> bytes:
        """Return at most so many bytes, none only at the end."""
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._rest = memoryview(piece)
        data, self._rest = bytes(self._rest[:size]), self._rest[size:]
        return data
