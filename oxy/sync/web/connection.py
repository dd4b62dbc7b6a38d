"""HTTP over one connection, as who asks speaks it (spec: sync, SY71, SY72).

h11 reads and writes it, strictly: it bounds heads, and refuses what is malformed. Here are the
bounds of time, and of what comes before an answer.
"""

import time
from collections.abc import Iterable
from oxy.typed import Final, NoReturn

import h11

from oxy.sync.errors import GoneError, LostError, RefusedTransferError
from oxy.sync.web.line import Line

HEAD: Final = 1 << 16
"""Bytes of the head of an answer, or between two pieces of it."""

_INFORMED: Final = 8
_PIECE: Final = 1 << 18


class Connection:
    """Sends one request after the other, and reads what answers each: a Read of a wire.

    Memory: a piece of what is sent, and one of what comes.
    """

    __slots__ = ("_http", "_limit", "_line", "_rest")

    def __init__(self, line: Line, limit: float) -> None:
        self._line = line
        self._limit = limit
        self._http = h11.Connection(h11.CLIENT, HEAD)
        self._rest = bytearray()

    def is_free(self) -> bool:
        """Tell whether another request can be sent, for the one before was answered whole."""
        if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
            return False
        # What is readable now is the end, or was not asked for.
        return not self._rest and not self._line.has_more()

    def post(
        self, target: bytes, headers: Iterable[tuple[bytes, bytes]], pieces: Iterable[bytes]
    ) -> h11.Response:
        """Send a request, unless it is answered before, and return what begins its answer.

        Raises:
            LostError: the other side has ended, or was silent for too long.
            RefusedTransferError: what it says is not HTTP, or too much of it.
        """
        if self._http.our_state is h11.DONE:
            self._http.start_next_cycle()
        head = h11.Request(method="POST", target=target, headers=list(headers))
        # Where nobody takes it any more, it may have been said why.
        try:
            self._send(self._http.send(head) or b"", pieces)
        except GoneError as error:
            return self._answered(error)
        return self._answered(None)

    def _send(self, head: bytes, pieces: Iterable[bytes]) -> None:
        """Send all; small pieces together, so that a small request is one packet."""
        gathered = bytearray(head)
        for piece in pieces:
            gathered += self._http.send(h11.Data(piece)) or b""
            if len(gathered) >= _PIECE:
                if self._line.has_more():
                    return
                self._line.send(bytes(gathered))
                gathered.clear()
        gathered += self._http.send(h11.EndOfMessage()) or b""
        self._line.send(bytes(gathered))

    def _answered(self, gone: GoneError | None) -> h11.Response:
        end = time.monotonic() + self._limit
        for _ in range(_INFORMED):
            event = self._event(end, gone)
            if isinstance(event, h11.Response):
                self._rest.clear()
                return event
            if not isinstance(event, h11.InformationalResponse):
                break
        rule = "what answers says nothing but that it will"
        raise RefusedTransferError(rule)

    def read(self, size: int) -> bytes:
        """Return exactly so many bytes of the answer, or none at its end.

        Raises:
            LostError: they did not come in time, or it ends inside of them.
            RefusedTransferError: what comes is not HTTP.
        """
        end = time.monotonic() + self._limit
        while len(self._rest) < size:
            if not self._more(end):
                if not self._rest:
                    return b""
                why = "the answer has ended in the middle"
                raise LostError(why)
        found = bytes(self._rest[:size])
        del self._rest[:size]
        return found

    def _more(self, end: float) -> bool:
        """Read on; return whether the answer goes on."""
        if self._http.their_state is not h11.SEND_BODY:
            return False
        event = self._event(end, None)
        if isinstance(event, h11.Data):
            self._rest += event.data
            return True
        if not isinstance(event, h11.EndOfMessage) or list(event.headers):
            rule = "there is more behind the answer"
            raise RefusedTransferError(rule)
        return False

    def _event(self, end: float, gone: GoneError | None) -> h11.Event:
        """Return the next event, and receive what it takes."""
        is_over = False
        while True:
            try:
                event = self._http.next_event()
            except h11.RemoteProtocolError as error:
                self._refuse(error, is_over=is_over)
            if isinstance(event, h11.Event):
                return event
            if event is h11.PAUSED:
                # Behind an answer that is whole; nothing more of it can come.
                return h11.EndOfMessage()
            try:
                data = self._line.receive(end)
            except LostError as error:
                raise gone or error from error
            is_over = not data
            self._http.receive_data(data)

    @staticmethod
    def _refuse(error: h11.RemoteProtocolError, *, is_over: bool) -> NoReturn:
        if is_over:
            why = "the other side has ended in the middle"
            raise LostError(why) from error
        rule = f"it is not HTTP: {error}"
        raise RefusedTransferError(rule) from error

    def close(self) -> None:
        """End it."""
        self._line.close()
