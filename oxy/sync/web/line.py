"""A connection to a server, with a limit on silence (spec: sync, SY19, SY71).

Every byte sent or received has a time by which it must be, so that neither a server that says
nothing nor one that says a byte now and then is waited for. Certificates are always verified.
"""

import select
import socket  # noqa: TID253 -- loaded only where an address is used
import time
from oxy.typed import TYPE_CHECKING, Final, NamedTuple

from oxy.sync.address import Web
from oxy.sync.errors import GoneError, LostError
from oxy.sync.web.errors import CertificateError, UnreachableError

if TYPE_CHECKING:
    from collections.abc import Callable
    from ssl import SSLSocket

CONNECT: Final = 30.0
"""Seconds in which a connection must have been made."""

_ROOM: Final = 1 << 18
_ANSWER: Final = 1 << 13
_NOW: Final = 0.001


class Proxy(NamedTuple):
    """What stands between here and a server: a host, a port, and what lets one through."""

    host: str
    port: int
    authorization: bytes | None = None


class Line:
    """A connection that sends and receives in time."""

    __slots__ = ("_early", "_limit", "_socket")

    def __init__(self, connection: "socket.socket | SSLSocket", limit: float) -> None:
        self._socket = connection
        self._limit = limit
        self._early: bytes | None = None

    def send(self, data: bytes) -> None:
        """Send all of some bytes.

        Raises:
            GoneError: nobody takes them any more.
            LostError: they were not taken in time.
        """
        end = time.monotonic() + self._limit
        left = memoryview(data)
        while left:
            self._until(end, "nothing was taken")
            try:
                left = left[self._socket.send(left[:_ROOM]) :]
            except TimeoutError:
                continue
            except OSError as error:
                why = "the other side has ended"
                raise GoneError(why) from error

    def receive(self, end: float) -> bytes:
        """Return what came, or nothing where the other side has ended.

        Args:
            end: by when something must have come.

        Raises:
            LostError: nothing came in time, or the connection broke.
        """
        if self._early is not None:
            data, self._early = self._early, None
            return data
        while True:
            self._until(end, "nothing came")
            try:
                return self._socket.recv(_ROOM)
            except TimeoutError:
                continue
            except OSError as error:
                raise LostError(error.strerror or str(error)) from error

    def has_more(self) -> bool:
        """Tell whether something came, or the other side has ended."""
        if self._early is None and self._is_readable():
            # What can be read may be of TLS alone, so that there is nothing to have of it.
            self._socket.settimeout(_NOW)
            try:
                self._early = self._socket.recv(_ROOM)
            except TimeoutError:
                return False
            except OSError:
                self._early = b""
        return self._early is not None

    def _is_readable(self) -> bool:
        pending: Callable[[], int] = getattr(self._socket, "pending", int)
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(pending() or poll.poll(0))

    def close(self) -> None:
        """End it."""
        self._socket.close()

    def _until(self, end: float, what: str) -> None:
        left = end - time.monotonic()
        if left <= 0:
            why = f"{what} for {self._limit:g} seconds"
            raise LostError(why)
        self._socket.settimeout(left)


def connected(where: Web, proxy: Proxy | None, limit: float) -> Line:
    """Connect with a server, through a proxy if there is one.

    Raises:
        UnreachableError: it is not reached.
        CertificateError: it does not prove who it is.
    """
    host = where.host.strip(b"[]").decode()
    server = f"{host}:{where.port}"
    near = (host, where.port) if proxy is None else (proxy.host, proxy.port)
    told = server if proxy is None else f"{server} through the proxy {proxy.host}:{proxy.port}"
    try:
        connection = socket.create_connection(near, min(CONNECT, limit))
    except OSError as error:
        raise UnreachableError(told, error.strerror or str(error)) from error
    try:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if where.is_secure and proxy is not None:
            _through(Line(connection, min(CONNECT, limit)), where, proxy, told)
        if where.is_secure:
            connection = _secured(connection, host, server)
    except BaseException:
        connection.close()
        raise
    return Line(connection, limit)


def _secured(connection: socket.socket, host: str, server: str) -> "SSLSocket":
    from ssl import SSLCertVerificationError, create_default_context

    try:
        return create_default_context().wrap_socket(connection, server_hostname=host)
    except SSLCertVerificationError as error:
        raise CertificateError(server, error.verify_message) from error
    except OSError as error:
        raise UnreachableError(server, error.strerror or str(error)) from error


def _through(line: Line, where: Web, proxy: Proxy, told: str) -> None:
    """Let a proxy connect with a server, which it then only carries bytes to and from."""
    target = b"%s:%d" % (where.host, where.port)
    head = b"CONNECT %s HTTP/1.1\r\nHost: %s\r\n" % (target, target)
    if proxy.authorization is not None:
        head += b"Proxy-Authorization: %s\r\n" % proxy.authorization
    end = time.monotonic() + CONNECT
    try:
        line.send(head + b"\r\n")
        answer = b""
        while b"\r\n\r\n" not in answer and len(answer) < _ANSWER:
            more = line.receive(end)
            answer += more
            if not more:
                break
    except LostError as error:
        raise UnreachableError(told, error.why) from error
    status = answer.split(b"\r\n", 1)[0].split(b" ")[1:2]
    if status != [b"200"] or not answer.endswith(b"\r\n\r\n"):
        said = status[0].decode("ascii", "replace") if status else "none"
        raise UnreachableError(told, f"it answers with status {said[:3]}")
