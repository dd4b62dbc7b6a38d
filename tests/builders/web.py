"""Servers of HTTP on the loopback: a real one, and such as misbehave."""

import asyncio
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from uvicorn import Server

from oxy.actions.listening import Timed, configured, listening
from oxy.sync.web.application import Application

HEAD = 1 << 16


@contextmanager
def serving(
    application: Application,
    protocol: type[Timed] = Timed,
    certificate: tuple[str, str] | None = None,
) -> Iterator[str]:
    """Serve an application in a thread; yield HOST:PORT."""
    with listening("127.0.0.1:0") as listener:
        server = Server(configured(application, protocol, certificate))
        thread = Thread(target=asyncio.run, args=(server.serve([listener]),))
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.force_exit = server.should_exit = True
            thread.join()


class Scripted(NamedTuple):
    """A server that does what its script says, and the heads of the requests that it got."""

    port: int
    heads: list[bytes]

    @property
    def address(self) -> bytes:
        return b"http://127.0.0.1:%d" % self.port


Script = Callable[[socket.socket], None]


@contextmanager
def scripted(script: Script) -> Iterator[Scripted]:
    """Serve one connection after the other by a script, which is run behind each head."""
    with listening("127.0.0.1:0") as listener:
        found = Scripted(listener.getsockname()[1], [])
        thread = Thread(target=_scripted, args=(listener, script, found.heads))
        thread.start()
        try:
            yield found
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def _scripted(listener: socket.socket, script: Script, heads: list[bytes]) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection, suppress(OSError):
            connection.settimeout(5)
            head = _head(connection)
            if head:
                heads.append(head)
                script(connection)
                # Not reset: what was said is read first.
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(HEAD):
                    continue


def _head(connection: socket.socket) -> bytes:
    found = b""
    while b"\r\n\r\n" not in found:
        more = connection.recv(HEAD)
        if not more:
            break
        found += more
    return found.partition(b"\r\n\r\n")[0]


def answer(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    """Return a whole answer, of the right type if nothing else is said."""
    kind = b"content-type: application/x-oxy-wire"
    lines = [b"HTTP/1.1 " + status, *(headers or (kind,)), b"content-length: %d" % len(body)]
    return b"\r\n".join([*lines, b"", body])


def certificate(root: Path) -> tuple[str, str]:
    """Make a certificate of the loopback that signs itself, and its key."""
    chain, key = root / "chain.pem", root / "key.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    words += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    words += ["-keyout", str(key), "-out", str(chain)]
    subprocess.run(words, check=True, capture_output=True)
    return str(chain), str(key)


class Relay:
    """Carries connections to a server, and cuts each after so many bytes one way."""

    def __init__(self, to: tuple[str, int], after: int, *, upwards: bool) -> None:
        self._to = to
        self._after = after
        self._upwards = upwards
        self.cuts = 0

    def carry(self, near: socket.socket) -> None:
        """Carry one connection until it ends or is cut."""
        with near, socket.create_connection(self._to) as far:
            counted, free = (near, far) if self._upwards else (far, near)
            back = Thread(target=self._pass, args=(free, counted, None))
            back.start()
            self._pass(counted, free, self._after)
            for each in (near, far):
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            back.join()

    def _pass(self, source: socket.socket, target: socket.socket, left: int | None) -> None:
        with suppress(OSError):
            while data := source.recv(HEAD):
                if left is not None:
                    data = data[:left]
                    left -= len(data)
                target.sendall(data)
                if left == 0:
                    self.cuts += 1
                    return
            target.shutdown(socket.SHUT_WR)


@contextmanager
def relayed(address: str, after: int, *, upwards: bool) -> Iterator[tuple[str, Relay]]:
    """Serve what a server does, over connections that are cut; yield HOST:PORT."""
    host, port = address.split(":")
    relay = Relay((host, int(port)), after, upwards=upwards)
    with listening("127.0.0.1:0") as listener:
        thread = Thread(target=_relayed, args=(listener, relay))
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}", relay
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def _relayed(listener: socket.socket, relay: Relay) -> None:
    while True:
        try:
            near, _ = listener.accept()
        except OSError:
            return
        relay.carry(near)
