"""Serve a repository over HTTP, until told to end (spec: sync, SY70, SY76).

The server is uvicorn, with two deadlines that it does not have: for the head of a request to
come, and for what was sent to be taken.
"""

import asyncio
import os
import socket  # noqa: TID253 -- uvicorn has loaded it
from contextlib import suppress
from oxy.typed import Final

from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from oxy.errors import RequestError, StateError
from oxy.sync import limits
from oxy.sync.web.application import Application

HEAD: Final = 30.0
"""Seconds in which the head of a request must have come, the first one or the next."""

_HEAD_BYTES: Final = 1 << 15
_CONNECTIONS: Final = 256
_PORTS: Final = 1 << 16


class ListeningError(StateError):
    """A server cannot listen where it is to."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"nothing can be served at {address}: {why}")
        self.address = address


class NoPortError(RequestError):
    """That is no address to listen at."""

    def __init__(self, address: str) -> None:
        super().__init__(f"'{address}' is no address to serve at: it is HOST:PORT")
        self.address = address


class Timed(H11Protocol):
    """A connection whose client is not waited for without end."""

    head = HEAD
    taken: float = limits.SILENCE
    _due: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as its
        """Wait for the first head."""
        super().connection_made(transport)
        self._wait()

    def handle_events(self) -> None:
        """Go on; where a request has begun, its body is the application's to wait for."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._come()

    def on_response_complete(self) -> None:
        """Wait for the next head, or for the rest to be taken."""
        self._wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait for something to be taken."""
        super().pause_writing()
        self._stalled = self.loop.call_later(self.taken, self.transport.abort)

    def resume_writing(self) -> None:
        """Something was taken."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._come()
        self.resume_writing()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._come()
        self._due = self.loop.call_later(self.head, self.transport.abort)

    def _come(self) -> None:
        if self._due is not None:
            self._due.cancel()


def listening(address: str) -> socket.socket:
    """Return a socket that listens at HOST:PORT; port 0 is any that is free.

    Raises:
        NoPortError: it is none.
        ListeningError: it is not to be had.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) >= _PORTS:
        raise NoPortError(address)
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, int(port)), family=family, backlog=_CONNECTIONS)
    except OSError as error:
        # What Python adds to the words of the system is the address.
        words = os.strerror(error.errno) if error.errno else str(error)
        raise ListeningError(address, words) from error


def is_near(listener: socket.socket) -> bool:
    """Tell whether only this machine reaches a socket."""
    host = str(listener.getsockname()[0])
    return host.startswith("127.") or host == "::1"


def listen(
    application: Application,
    listener: socket.socket,
    *,
    protocol: type[Timed] = Timed,
    certificate: tuple[str, str] | None = None,
) -> None:
    """Serve an application at a socket until a signal ends it.

    Args:
        application: what is served.
        listener: where.
        protocol: what its connections are.
        certificate: the files of a certificate and its key, for https.

    Raises:
        OSError: the certificate or its key cannot be used.
    """
    server = Server(configured(application, protocol, certificate))
    with suppress(KeyboardInterrupt):
        server.run([listener])


def configured(
    application: Application,
    protocol: type[Timed] = Timed,
    certificate: tuple[str, str] | None = None,
) -> Config:
    """Return how uvicorn is to serve an application: strictly, and with no log of requests."""
    chain, key = certificate or (None, None)
    return Config(
        application,
        loop="asyncio",
        http=protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=int(limits.SILENCE),
        timeout_graceful_shutdown=int(HEAD),
        h11_max_incomplete_event_size=_HEAD_BYTES,
        ssl_certfile=chain,
        ssl_keyfile=key,
    )
