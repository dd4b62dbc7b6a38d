"""Files of a published repository from a real web server (spec: sync, SY18, SY19, SY56)."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from oxy.sync.errors import LostError, RefusedTransferError
from oxy.sync.webfiles import WebFiles

Answer = Callable[[BaseHTTPRequestHandler], None]


class Server:
    """A web server of which a test says how it answers."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                answer = server.answers.get(self.path)
                if answer is None:
                    self.send_error(404)
                else:
                    answer(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- as the library declares it
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._http.server_port}/there"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def saying(data: bytes, length: int | None = None) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data) if length is None else length))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def leading(target: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.end_headers()

    return answer


def whole(address: str, name: str = "f") -> bytes | None:
    file = WebFiles(address).get(name)
    if file is None:
        return None
    data = b"".join(iter(lambda: file.read(1000), b""))
    file.close()
    return data


@pytest.mark.parametrize("end", ["", "/"])
def test_a_file_is_read_whole(server: Server, end: str) -> None:
    server.answers["/there/f"] = saying(b"x" * 5000)
    assert whole(server.address + end) == b"x" * 5000
    assert whole(server.address + end, "g") is None


def test_a_file_that_ends_early_is_lost(server: Server) -> None:
    server.answers["/there/f"] = saying(b"x" * 10, 20)
    file = WebFiles(server.address).get("f")
    assert file is not None
    with pytest.raises(LostError):
        list(iter(lambda: file.read(7), b""))
    file.close()


def test_a_server_that_fails_says_how(server: Server) -> None:
    server.answers["/there/f"] = lambda handler: handler.send_error(503)
    with pytest.raises(LostError, match="the web server says 503 Service Unavailable"):
        whole(server.address)


def test_nobody_who_answers_is_lost(server: Server) -> None:
    server.close()
    with pytest.raises(LostError, match="refused"):
        whole(server.address)
    server.__init__()  # type: ignore[misc] # the fixture closes it


def test_a_redirect_is_followed(server: Server) -> None:
    server.answers["/there/f"] = leading("/elsewhere/f")
    server.answers["/elsewhere/f"] = saying(b"found")
    assert whole(server.address) == b"found"


def test_a_circle_of_redirects_ends(server: Server) -> None:
    server.answers["/there/f"] = leading("/there/f")
    with pytest.raises(LostError):
        whole(server.address)
    assert len(server.asked) < 10


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/f", "data:,x"])
def test_a_redirect_leads_to_http_only(server: Server, target: str) -> None:
    server.answers["/there/f"] = leading(target)
    with pytest.raises(
        (LostError, RefusedTransferError), match=r"is not allowed|nothing is read"
    ):
        whole(server.address)


def test_a_server_that_stalls_is_lost(server: Server) -> None:
    over = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        saying(b"x", 2)(handler)
        handler.wfile.flush()
        over.wait(10)

    server.answers["/there/f"] = answer
    file = WebFiles(server.address, limit=0.1).get("f")
    assert file is not None
    with pytest.raises(LostError, match="timed out"):
        file.read(2)
    over.set()
    file.close()


def test_a_server_that_drips_is_lost(server: Server) -> None:
    over = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not over.wait(0.02):
            handler.wfile.write(b"x")
            handler.wfile.flush()

    server.answers["/there/f"] = answer
    file = WebFiles(server.address, limit=0.2).get("f")
    assert file is not None
    with pytest.raises(LostError, match="too little came"):
        file.read(1000)
    over.set()
    file.close()
