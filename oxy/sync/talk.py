"""Two sides that speak in bytes: one asks, the other answers (spec: sync, SY2, SY3).

Whatever carries the bytes is none of its business: a question is one message, an answer is one
message or, for what is missing, a stream of frames. Behind the question to take something in
follows such a stream.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from oxy.typed import Protocol

from oxy.model.digest import BlobId, ChangeId
from oxy.sync import limits
from oxy.sync.endpoint import Endpoint, Holds, Offered, holds_all
from oxy.sync.errors import RefusedTransferError
from oxy.sync.frames import Unframer, framed
from oxy.sync.message import (
    AskBlobs,
    AskKnown,
    AskMissing,
    AskNames,
    AskSkeletons,
    AskTake,
    Done,
    Known,
    Message,
    Names,
    decode,
    encode,
)
from oxy.sync.part import Part
from oxy.sync.wish import Taken, Wish


class Carry(Protocol):
    """Something that carries a question to the other side."""

    def __call__(self, question: bytes, more: Iterable[bytes] | None = None) -> Iterator[bytes]:
        """Send a question, and what follows it; yield the answer in pieces."""


class Host(Endpoint, Protocol):
    """An endpoint that also takes in: a repository that others push to."""

    def current(self) -> bytes | None:
        """Return the bookmark that the working copy there is on."""

    def holds(self, blobs: Sequence[bytes]) -> Collection[bytes]:
        """Return which of some blobs are there, as far as it can be asked."""

    def take(self, wishes: Sequence[Wish], parts: Iterable[Part]) -> Taken:
        """Take parts in, and let names hold what is wished: all of them, or none (SY48).

        Args:
            wishes: ascending by kind and name.
            parts: what of them is not there, each object after what it needs.

        Raises:
            LostError: the parts ended early; what came is there, and no name has moved.
            RefusedObjectError, RefusedTransferError, RefusedNameError: nothing is kept.
            StoreLockedError: it is being written.
        """


def answer(host: Host, question: bytes, more: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the answer to a question, in pieces.

    Args:
        host: who is asked.
        question: a message.
        more: what follows it; taken only where it asks to take something in.

    Raises:
        RefusedTransferError: it is no question.
        NotStoredError: a change that is wanted is not there.
        OxyError: whatever `take` raises.
    """
    message = decode(question)
    if isinstance(message, AskNames):
        names = Names(host.refs(), host.current() or b"", tuple(host.waiting()))
        return iter((encode(names),))
    if isinstance(message, AskKnown):
        return iter((encode(Known(bytes(host.known(message.ids)))),))
    if isinstance(message, AskMissing):
        holds = frozenset(message.waiting).intersection
        return framed(host.missing(message.want, message.have, holds))
    if isinstance(message, AskSkeletons):
        return framed(host.missing(message.want, message.have, holds_all))
    if isinstance(message, AskBlobs):
        return framed(host.blobs(message.ids))
    if isinstance(message, AskTake):
        parts = Unframer(_Pieces(more).read).parts()
        return iter((encode(Done(host.take(message.wishes, parts))),))
    rule = "a message asks nothing"
    raise RefusedTransferError(rule)


class Far:
    """A Host behind something that carries bytes; its names are asked for once."""

    __slots__ = ("_carry", "_names", "_there")

    def __init__(self, carry: Carry) -> None:
        self._carry = carry
        self._names: Names | None = None
        self._there: frozenset[bytes] | None = None

    def refs(self) -> tuple[Offered, ...]:
        """See Endpoint."""
        return self._told().offered

    def current(self) -> bytes | None:
        """See Host."""
        return self._told().current or None

    def _told(self) -> Names:
        if self._names is None:
            message = self._asked(AskNames())
            if not isinstance(message, Names):
                rule = "an answer does not tell names"
                raise RefusedTransferError(rule)
            self._names = message
        return self._names

    def known(self, ids: Sequence[ChangeId]) -> tuple[bool, ...]:
        """See Endpoint."""
        message = self._asked(AskKnown(tuple(ids)))
        if not isinstance(message, Known) or len(message.flags) != len(ids):
            rule = "an answer does not tell which changes are known"
            raise RefusedTransferError(rule)
        return tuple(map(bool, message.flags))

    def waiting(self) -> Sequence[bytes]:
        """See Endpoint."""
        return self._told().waiting

    def missing(
        self,
        want: Sequence[ChangeId],
        have: Sequence[ChangeId],
        holds: Holds,
        waiting: Sequence[bytes] = (),
    ) -> Iterator[Part]:
        """See Endpoint; of what `holds` says, only those that wait, and all, can be told."""
        wanted, held = tuple(sorted(set(want))), tuple(sorted(set(have)))
        if holds is holds_all:
            return self._parts(AskSkeletons(wanted, held))
        return self._parts(AskMissing(wanted, held, tuple(waiting)))

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[Part]:
        """See Endpoint."""
        return self._parts(AskBlobs(tuple(sorted(set(ids)))))

    def _parts(self, question: Message) -> Iterator[Part]:
        return Unframer(_Pieces(self._carry(encode(question))).read).parts()

    def holds(self, blobs: Sequence[bytes]) -> Collection[bytes]:
        """See Host; it is not asked, for that would be a question for each change.

        Those that wait there were told with the names.
        """
        return self._waiting().intersection(blobs)

    def _waiting(self) -> frozenset[bytes]:
        if self._there is None:
            self._there = frozenset(self.waiting())
        return self._there

    def take(self, wishes: Sequence[Wish], parts: Iterable[Part]) -> Taken:
        """See Host."""
        message = self._asked(AskTake(tuple(wishes)), framed(parts))
        if not isinstance(message, Done):
            rule = "an answer does not tell what was taken in"
            raise RefusedTransferError(rule)
        return message.taken

    def _asked(self, question: Message, more: Iterable[bytes] | None = None) -> Message:
        got = bytearray()
        for piece in self._carry(encode(question), more):
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
