"""Who asks over HTTP, beside servers that lie, stall, flood and send elsewhere."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.actions.init import init
from oxy.actions.web import application
from oxy.errors import OxyError
from oxy.repo.refs import BOOKMARK
from oxy.sync.address import Web, parse
from oxy.sync.errors import DamagedThereError, LostError, RefusedTransferError
from oxy.sync.message import Names, encode
from oxy.sync.talk import Far
from oxy.sync.web.asker import asking
from oxy.sync.web.errors import (
    BusyError,
    CertificateError,
    CredentialsError,
    NotAllowedError,
    NotServedError,
    RedirectedError,
    TooMuchError,
    UnreachableError,
)
from oxy.sync.web.line import Proxy
from oxy.sync.wire import START, WAIT, packed
from oxy.sync.wish import Wish
from tests.builders.web import Script, Scripted, answer, certificate, scripted, serving

LIMIT = 0.5
FINE = START + b"".join(packed([encode(Names((), b"main"))]))
KIND = b"content-type: application/x-oxy-wire"
SECRET = b"Bearer hunter2"


def web(address: bytes) -> Web:
    found = parse(address)
    assert isinstance(found, Web)
    return found


def asked(server: Scripted, path: bytes = b"/p", limit: float = LIMIT) -> bytes | None:
    """Ask a server once for its names."""
    with asking(web(server.address + path), SECRET, limit=limit) as carry:
        return Far(carry).current()


def says(data: bytes) -> Script:
    return lambda connection: connection.sendall(data)


def test_a_question_is_one_request_and_its_answer_one_message() -> None:
    with scripted(says(answer(FINE))) as server:
        assert asked(server) == b"main"
    (head,) = server.heads
    assert head.startswith(b"POST /p/ask HTTP/1.1\r\n")
    assert b"\r\nauthorization: Bearer hunter2" in head.lower().replace(b"bearer", b"Bearer")
    assert b"content-length: " in head.lower()


def test_one_connection_serves_all_questions() -> None:
    connections = []

    def script(connection: socket.socket) -> None:
        connections.append(connection)
        connection.sendall(answer(FINE))
        connection.recv(1 << 16)
        connection.sendall(answer(FINE))

    with scripted(script) as server, asking(web(server.address), limit=LIMIT) as carry:
        for _ in range(2):
            assert Far(carry).current() == b"main"
    assert len(connections) == 1


def test_a_connection_that_the_server_has_ended_is_made_anew() -> None:
    with (
        scripted(says(answer(FINE))) as server,
        asking(web(server.address), limit=LIMIT) as carry,
    ):
        assert Far(carry).current() == b"main"
        time.sleep(0.05)
        assert Far(carry).current() == b"main"
    assert len(server.heads) == 2


LIES = {
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    "another type": answer(FINE, b"content-type: text/html"),
    "no type": answer(FINE, b"x: y"),
    "a bomb": answer(FINE, KIND, b"content-encoding: gzip"),
    "nothing": answer(b""),
    "another answer": answer(b"<html>" * 9),
    "more behind": answer(FINE + b"x"),
    "a status that is none": answer(FINE, KIND, status=b"299 Odd"),
    "no content": b"HTTP/1.1 204 No Content\r\n\r\n",
    "two lengths": answer(FINE, KIND, b"content-length: 1"),
    "a chunk that is none": b"HTTP/1.1 200 OK\r\n%s\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"
    % KIND,
    "a drip of heads": b"HTTP/1.1 100 Continue\r\n\r\n" * 100,
    "a head that never ends": b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * (1 << 17),
    "a line that never ends": b"HTTP/1.1 200 " + b"x" * (1 << 17),
    "at work for ever": answer(START + WAIT * 5000),
}


@pytest.mark.parametrize("what", LIES)
def test_what_is_no_answer_is_refused(what: str) -> None:
    with scripted(says(LIES[what])) as server, pytest.raises(RefusedTransferError):
        asked(server, limit=5)


def test_a_flood_is_read_no_further_than_it_makes_sense() -> None:
    sent = 0

    def flood(connection: socket.socket) -> None:
        nonlocal sent
        head = b"HTTP/1.1 200 OK\r\n%s\r\n\r\n" % KIND
        connection.sendall(head + START)
        packet = b"\1\0\1\0\0" + bytes(1 << 16)
        while True:
            sent += connection.send(packet)

    with scripted(flood) as server, pytest.raises(RefusedTransferError, match="over"):
        asked(server, limit=5)
    assert sent < 1 << 26


def chunked(*pieces: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\n%s\r\ntransfer-encoding: chunked\r\n\r\n" % KIND
    return head + b"".join(b"%x\r\n%s\r\n" % (len(each), each) for each in pieces)


CUT = {
    "before the head": b"",
    "in the head": b"HTTP/1.1 200 OK\r\ncont",
    "in the body": answer(FINE)[:-1],
    "before the first chunk": chunked(),
    "between chunks": chunked(START, FINE[len(START) : -2]),
    "before the last chunk": chunked(FINE),
}


@pytest.mark.parametrize("where", CUT)
def test_what_is_cut_short_is_lost(where: str) -> None:
    with scripted(says(CUT[where])) as server, pytest.raises(LostError, match="has ended"):
        asked(server)


def stalling(data: bytes, *, drips: bytes = b"") -> Script:
    """Say something and then no more, or a byte now and then."""

    def script(connection: socket.socket) -> None:
        connection.sendall(data)
        for at in range(100):
            time.sleep(LIMIT / 10)
            connection.sendall(drips[at % len(drips) :][:1] if drips else b"")
            if connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b"":
                return

    def waits(connection: socket.socket) -> None:
        try:
            script(connection)
        except BlockingIOError:
            time.sleep(2 * LIMIT)

    return waits


@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 200 OK\r\n", chunked(START)])
def test_a_server_that_stalls_is_not_waited_for(data: bytes) -> None:
    with scripted(stalling(data)) as server, pytest.raises(LostError, match="nothing came"):
        asked(server)


def dripping(connection: socket.socket) -> None:
    connection.settimeout(0)
    connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
    while True:
        time.sleep(LIMIT / 20)
        connection.sendall(b"y")


def test_a_server_that_drips_is_not_waited_for() -> None:
    begun = time.monotonic()
    with scripted(dripping) as server, pytest.raises(LostError, match="nothing came"):
        asked(server)
    assert time.monotonic() - begun < 20 * LIMIT


STATUSES = {
    b"401 Unauthorized": CredentialsError,
    b"403 Forbidden": NotAllowedError,
    b"404 Not Found": NotServedError,
    b"405 Method Not Allowed": NotServedError,
    b"413 Content Too Large": TooMuchError,
    b"429 Too Many Requests": BusyError,
    b"503 Service Unavailable": BusyError,
    b"507 Insufficient Storage": BusyError,
}


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_that_says_why_is_told_with_the_address(status: bytes) -> None:
    said = answer(b"<h1>\x1b[31mno</h1>", b"content-type: text/html", status=status)
    with scripted(says(said)) as server, pytest.raises(STATUSES[status]) as caught:
        asked(server)
    assert f"http://127.0.0.1:{server.port}/p" in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_server_that_is_not_there_is_told() -> None:
    with scripted(says(b"")) as server:
        port = server.port
    with (
        asking(web(b"http://127.0.0.1:%d" % port), limit=LIMIT) as carry,
        pytest.raises(UnreachableError, match=rf"127.0.0.1:{port} cannot be reached"),
    ):
        Far(carry).refs()


def redirect(to: bytes, status: bytes = b"307 Temporary Redirect") -> bytes:
    return answer(b"", b"location: " + to, status=status)


@pytest.mark.parametrize("status", [b"301 Moved", b"302 Found", b"307 Go", b"308 Stay"])
def test_credentials_do_not_follow_to_another_server(status: bytes) -> None:
    with (
        scripted(says(answer(FINE))) as other,
        scripted(says(redirect(other.address + b"/x/ask", status))) as server,
    ):
        assert asked(server) == b"main"
    assert b"hunter2" in server.heads[0]
    assert other.heads[0].startswith(b"POST /x/ask ")
    assert b"hunter2" not in other.heads[0]


def test_credentials_stay_on_the_same_server_and_further_questions_go_where_it_sent_to() -> (
    None
):
    def script(connection: socket.socket) -> None:
        is_first = len(server.heads) == 1
        connection.sendall(redirect(b"/q/ask") if is_first else answer(FINE))

    with scripted(script) as server, asking(web(server.address + b"/p"), SECRET) as carry:
        for _ in range(2):
            assert Far(carry).current() == b"main"
    assert [head.split(b" ")[1] for head in server.heads] == [b"/p/ask", b"/q/ask", b"/q/ask"]
    assert all(b"hunter2" in head for head in server.heads)


REDIRECTS = {
    b"/p/ask": "the 5th time",
    b"/login": "no repository is there",
    b"//other.org/p/ask": "its host is none",
    b"http://other.org/login": "no repository is there",
    b"ssh://other.org/p/ask": "no repository is there",
    b"file:///etc/passwd": "no repository is there",
    b"ftp://other.org/p/ask": "there are",
    b"http://me:pw@other.org/p/ask": "a password",
    b"": "its host is none",
}


@pytest.mark.parametrize("to", REDIRECTS)
def test_where_one_does_not_go_is_not_gone(to: bytes) -> None:
    with scripted(says(redirect(to))) as server, pytest.raises(RedirectedError) as caught:
        asked(server)
    assert REDIRECTS[to] in caught.value.why
    assert len(server.heads) <= 5


def test_what_is_to_be_taken_in_is_not_sent_elsewhere() -> None:
    with (
        scripted(says(redirect(b"/q/take"))) as server,
        asking(web(server.address)) as carry,
        pytest.raises(RedirectedError, match="it did not at first"),
    ):
        Far(carry).take([Wish(BOOKMARK, b"main", None)], ())


def test_who_is_refused_before_all_is_sent_learns_why() -> None:
    given = 0

    def pieces() -> Iterator[bytes]:
        nonlocal given
        for _ in range(1 << 12):
            given += 1 << 16
            yield bytes(1 << 16)

    refused = answer(b"", b"content-type: text/plain", status=b"403 Forbidden")
    with (
        scripted(says(refused)) as server,
        asking(web(server.address), limit=5) as carry,
        pytest.raises(NotAllowedError, match="does not let you push"),
    ):
        list(carry(b"question", pieces()))
    assert given < 1 << 28


def test_a_server_that_takes_nothing_is_not_waited_for() -> None:
    def script(_connection: socket.socket) -> None:
        time.sleep(3 * LIMIT)
        # It goes without reading.
        raise ConnectionError

    pieces = (bytes(1 << 16) for _ in range(1 << 10))
    with (
        scripted(script) as server,
        asking(web(server.address), limit=LIMIT) as carry,
        pytest.raises(LostError, match="nothing was taken"),
    ):
        list(carry(b"question", pieces))


def test_a_proxy_is_told_the_whole_address_and_its_own_secret() -> None:
    def route(_where: Web) -> Proxy:
        return Proxy("127.0.0.1", proxy.port, b"Basic eDp5")

    with (
        scripted(says(answer(FINE))) as proxy,
        asking(web(b"http://example.org/p"), SECRET, route, LIMIT) as carry,
    ):
        assert Far(carry).current() == b"main"
    (head,) = proxy.heads
    assert head.startswith(b"POST http://example.org/p/ask HTTP/1.1\r\n")
    assert b"Basic eDp5" in head


@pytest.mark.parametrize("said", [b"HTTP/1.1 407 No\r\n\r\n", b"", b"x" * (1 << 14)])
def test_a_proxy_that_does_not_connect_is_told(said: bytes) -> None:
    with (
        scripted(says(said)) as proxy,
        asking(
            web(b"https://example.org/p"),
            SECRET,
            lambda _: Proxy("127.0.0.1", proxy.port),
            LIMIT,
        ) as carry,
        pytest.raises(UnreachableError, match="through the proxy"),
    ):
        Far(carry).refs()
    (head,) = proxy.heads
    assert head.startswith(b"CONNECT example.org:443 HTTP/1.1\r\n")
    assert b"hunter2" not in head


def test_a_server_proves_who_it_is_or_is_told_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "r"
    root.mkdir()
    init(bytes(root))
    files = certificate(tmp_path)
    with serving(application(bytes(root)), certificate=files) as address:
        where = web(b"https://" + address.encode())
        with asking(where, SECRET) as carry, pytest.raises(CertificateError, match="self"):
            Far(carry).refs()
        monkeypatch.setenv("SSL_CERT_FILE", files[0])
        with asking(where, SECRET) as carry:
            for _ in range(2):
                assert Far(carry).current() == b"main"
            with pytest.raises(NotAllowedError):
                Far(carry).take([Wish(BOOKMARK, b"main", None)], ())


def test_what_is_no_question_is_refused_in_words(tmp_path: Path) -> None:
    init(bytes(tmp_path))
    with (
        serving(application(bytes(tmp_path))) as address,
        asking(web(b"http://" + address.encode())) as carry,
    ):
        with pytest.raises(DamagedThereError, match="form"):
            list(carry(b"\x92\x01\x63"))
        with pytest.raises(OxyError):
            list(carry(b""))
        assert Far(carry).current() == b"main"
