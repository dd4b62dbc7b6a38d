"""Carries questions to a server of HTTP, and its answers back (spec: sync, SY70 to SY73).

A question is one POST whose body is what goes over a stream (SY49), and so is the answer. What
is to be taken in goes to another place below the address than other questions.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from oxy.typed import Final

import h11

from oxy.sync import limits
from oxy.sync.address import AddressError, Web, parse
from oxy.sync.errors import RefusedTransferError
from oxy.sync.web.body import ASK, TAKE, TYPE
from oxy.sync.web.connection import Connection
from oxy.sync.web.errors import (
    BusyError,
    CredentialsError,
    NotAllowedError,
    NotServedError,
    RedirectedError,
    TooMuchError,
)
from oxy.sync.web.line import Proxy, connected
from oxy.sync.wire import START, Read, begun, packed, unpacked

Route = Callable[[Web], Proxy | None]
"""Tells which proxy stands before a server, if one does."""

_FINE: Final = 200
_HOPS: Final = 5
_REDIRECTS: Final = frozenset({301, 302, 307, 308})
_UNKNOWN: Final = frozenset({404, 405, 410, 501})
_BUSY: Final = frozenset({408, 429, 500, 502, 503, 504, 507})
_WHO: Final = 401
_FORBIDDEN: Final = 403
_TOO_MUCH: Final = 413


def no_proxy(_where: Web) -> None:
    """Go straight to every server."""


@contextmanager
def asking(
    where: Web,
    authorization: bytes | None = None,
    route: Route = no_proxy,
    limit: float = limits.SILENCE,
) -> "Iterator[Asker]":
    """Speak with the server at an address until the block ends.

    Args:
        where: its address.
        authorization: what says there who asks; it goes to no other server.
        route: the proxies.
        limit: seconds of silence after which it counts as lost.
    """
    asker = Asker(where, authorization, route, limit)
    try:
        yield asker
    finally:
        asker.close()


class Asker:
    """Carries questions to a server and its answers back: a Carry.

    One connection is used for all, made anew where the server has ended it. Only the first
    question may be sent elsewhere by the server; those that follow go there at once.
    """

    __slots__ = ("_authorization", "_connection", "_is_begun", "_limit", "_route", "_where")

    def __init__(
        self, where: Web, authorization: bytes | None, route: Route, limit: float
    ) -> None:
        self._where = where
        self._authorization = authorization
        self._route = route
        self._limit = limit
        self._connection: Connection | None = None
        self._is_begun = False

    def __call__(self, question: bytes, more: Iterable[bytes] | None = None) -> Iterator[bytes]:
        """Send a question and what follows it; yield the answer.

        Raises:
            UnreachableError, CertificateError: there is no connection.
            LostError: the server is gone, or silent for too long.
            RefusedTransferError: what it sends is no answer.
            NotServedError, CredentialsError, NotAllowedError, BusyError, TooMuchError,
                RedirectedError: its status says so.
            RefusedThereError, NotReadyThereError, DamagedThereError: it says why it does not.
        """
        is_whole = False
        try:
            yield from _answer(self._asked(question, more).read)
            self._is_begun = is_whole = True
        finally:
            if not is_whole:
                self.close()

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _asked(self, question: bytes, more: Iterable[bytes] | None) -> Connection:
        """Send a question, there or to where one is sent; return what the answer comes by."""
        place = ASK if more is None else TAKE
        start = b"".join((START, *packed((question,))))
        for _ in range(_HOPS):
            connection = self._connected()
            headers = self._headers(len(start) if more is None else None)
            pieces = (start,) if more is None else _both(start, more)
            response = connection.post(self._target(place), headers, pieces)
            if response.status_code not in _REDIRECTS:
                self._require_fine(response, place)
                return connection
            if self._is_begun or more is not None:
                raise RedirectedError(str(self._where), "it did not at first")
            self._go(_header(response, b"location"), place)
        raise RedirectedError(str(self._where), f"it is the {_HOPS}th time")

    def _connected(self) -> Connection:
        """Return a connection that is free: the one that there is, or a new one."""
        if self._connection is None or not self._connection.is_free():
            self.close()
            line = connected(self._where, self._route(self._where), self._limit)
            self._connection = Connection(line, self._limit)
        return self._connection

    def _target(self, place: bytes) -> bytes:
        """Return what is asked for; a proxy that sees it is told the whole address."""
        path = self._where.path + place
        if self._where.is_secure or self._route(self._where) is None:
            return path
        return b"http://" + self._where.authority + path

    def _headers(self, length: int | None) -> Iterator[tuple[bytes, bytes]]:
        yield b"host", self._where.authority
        yield b"user-agent", b"oxy"
        yield b"accept", TYPE
        yield b"accept-encoding", b"identity"
        yield b"content-type", TYPE
        if length is None:
            yield b"transfer-encoding", b"chunked"
        else:
            yield b"content-length", b"%d" % length
        if self._authorization is not None:
            yield b"authorization", self._authorization
        proxy = None if self._where.is_secure else self._route(self._where)
        if proxy is not None and proxy.authorization is not None:
            yield b"proxy-authorization", proxy.authorization

    def _go(self, location: bytes, place: bytes) -> None:
        """Speak with another server, or of another place, from now on.

        Credentials are for the server that they were meant for (SY18).
        """
        address = str(self._where)
        if location.startswith(b"/") and not location.startswith(b"//"):
            location = address.removesuffix(self._where.path.decode()).encode() + location
        try:
            there = parse(location.removesuffix(place))
        except AddressError as error:
            raise RedirectedError(address, error.why) from error
        if not isinstance(there, Web) or not location.endswith(place):
            raise RedirectedError(address, "no repository is there")
        if self._where.is_secure and not there.is_secure:
            raise RedirectedError(address, "everybody can read along there")
        if there.origin != self._where.origin:
            self._authorization = None
        self._where = there._replace(user=None)
        self.close()

    def _require_fine(self, response: h11.Response, place: bytes) -> None:
        """Raise what a status means, and refuse what is no answer."""
        status, address = response.status_code, str(self._where)
        if status in _UNKNOWN:
            raise NotServedError(address, status)
        if status == _WHO:
            raise CredentialsError(address, was_given=self._authorization is not None)
        if status == _FORBIDDEN:
            raise NotAllowedError(address, "push" if place == TAKE else "read")
        if status == _TOO_MUCH:
            raise TooMuchError(address)
        if status in _BUSY:
            raise BusyError(address, status)
        if status != _FINE:
            rule = f"it answers with status {status}"
            raise RefusedTransferError(rule)
        kind = _header(response, b"content-type").partition(b";")[0].strip().lower()
        coding = _header(response, b"content-encoding").lower()
        if kind != TYPE or coding not in {b"", b"identity"}:
            rule = "what answers is no oxy, or something is between that changes it"
            raise RefusedTransferError(rule)


def _answer(read: Read) -> Iterator[bytes]:
    """Yield the pieces of an answer, and require that nothing is behind it."""
    if not begun(read):
        rule = "what answers says nothing"
        raise RefusedTransferError(rule)
    yield from unpacked(read)
    if read(1):
        rule = "there is more behind the answer"
        raise RefusedTransferError(rule)


def _both(start: bytes, more: Iterable[bytes]) -> Iterator[bytes]:
    yield start
    yield from packed(more)


def _header(response: h11.Response, name: bytes) -> bytes:
    return next((value for key, value in response.headers if key == name), b"")
