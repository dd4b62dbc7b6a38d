"""A server of HTTP whose clients may stall, flood and go."""

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.actions.init import init
from oxy.actions.listening import (
    ListeningError,
    NoPortError,
    Timed,
    is_near,
    listening,
)
from oxy.actions.web import application
from oxy.model.digest import ChangeId
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync.message import AskMissing, AskNames, encode
from oxy.sync.wire import START, packed
from tests.builders.scribe import File, Scribe
from tests.builders.web import serving

LIMIT = 0.4
ASK = START + b"".join(packed([encode(AskNames())]))
HEAD = b"POST /ask HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-oxy-wire\r\n"


class Hasty(Timed):
    """A connection with little patience."""

    head = LIMIT
    taken = LIMIT


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    init(bytes(tmp_path))
    with serving(application(bytes(tmp_path)), Hasty) as found:
        host, port = found.split(":")
        yield host, int(port)


def request(body: bytes) -> bytes:
    return HEAD + b"content-length: %d\r\n\r\n" % len(body) + body


def answered(connection: socket.socket) -> bytes:
    """Read one answer in chunks."""
    found = b""
    while not found.endswith(b"0\r\n\r\n"):
        more = connection.recv(1 << 16)
        assert more, found
        found += more
    return found


def is_ended(connection: socket.socket) -> bool:
    try:
        while connection.recv(1 << 16):
            continue
    except ConnectionResetError:
        pass
    return True


@pytest.mark.parametrize("said", [b"", b"POST /ask HT", HEAD])
def test_a_head_that_does_not_come_is_not_waited_for(
    address: tuple[str, int], said: bytes
) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(said)
        assert is_ended(connection)


def is_ended_after(connection: socket.socket, data: bytes, pause: float) -> bool:
    """Send something again and again; tell whether the other side ended the connection."""
    try:
        for _ in range(1000):
            connection.sendall(data)
            time.sleep(pause)
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


def test_a_head_that_drips_is_not_waited_for(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(request(ASK))
        assert b"200 OK" in answered(connection)
        begun = time.monotonic()
        assert is_ended_after(connection, b"P", LIMIT / 20)
        assert time.monotonic() - begun > LIMIT / 2


def test_a_head_that_floods_is_refused(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        assert is_ended_after(connection, b"x: " + b"y" * 4096 + b"\r\n", 0.001)
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(request(ASK))
        assert b"200 OK" in answered(connection)


def test_a_client_that_takes_nothing_is_ended_and_others_are_served(tmp_path: Path) -> None:
    init(bytes(tmp_path))
    repository = Repository.at(bytes(tmp_path))
    Scribe(repository).commit(Name(), {b"f": File(os.urandom(24 << 20))})
    name = ChangeId(repository.store.id_of(CHANGE, 1))
    repository.close()
    wanted = START + b"".join(packed([encode(AskMissing((name,), ()))]))
    with serving(application(bytes(tmp_path)), Hasty) as found:
        host, port = found.split(":")
        with socket.create_connection((host, int(port)), timeout=10) as stuck:
            stuck.sendall(request(wanted))
            with socket.create_connection((host, int(port)), timeout=10) as other:
                other.sendall(request(ASK))
                assert b"200 OK" in answered(other)
            time.sleep(3 * LIMIT)
            got = 0
            try:
                while more := stuck.recv(1 << 20):
                    got += len(more)
            except ConnectionResetError:
                pass
            assert got < 24 << 20


def test_many_questions_go_over_one_connection(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        for _ in range(3):
            connection.sendall(request(ASK))
            found = answered(connection)
            assert found.startswith(b"HTTP/1.1 200 OK\r\n")
            assert b"uvicorn" not in found


@pytest.mark.parametrize("given", ["", "8417", "localhost", "h:-1", "h:x", ":80", "h:70000"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(NoPortError, match="is no address to serve at"):
        listening(given)


def test_where_nothing_can_be_served_that_is_told() -> None:
    with listening("127.0.0.1:0") as taken:
        assert is_near(taken)
        port = taken.getsockname()[1]
        with pytest.raises(ListeningError, match=f"nothing can be served at 127.0.0.1:{port}"):
            listening(f"127.0.0.1:{port}")
    with listening("0.0.0.0:0") as wide:
        assert not is_near(wide)
