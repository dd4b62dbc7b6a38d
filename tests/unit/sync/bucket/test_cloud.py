"""What a store in a cloud says, in our own words (spec: sync, SY94)."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Thread

import pytest

from oxy.sync.address import Store
from oxy.sync.bucket.cloud import Cloud, SettingError
from oxy.sync.bucket.objects import DeniedError, NoBucketError
from oxy.sync.errors import LostError

WHERE = Store("s3", b"team", b"place")


class Refusing(BaseHTTPRequestHandler):
    """Answers with what the first part of the place asked for says."""

    answer = (403, b"<Error><Code>AccessDenied</Code></Error>")

    def do_GET(self) -> None:
        status, body = self.answer
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_PUT()

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    do_HEAD = do_DELETE = do_GET  # noqa: N815 -- as the library calls them

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- as the library declares it
        """Say nothing."""


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "who",
        "AWS_SECRET_ACCESS_KEY": "nobody-sees-this",
    }.items():
        monkeypatch.setenv(name, value)
    yield Cloud.at(WHERE)
    server.shutdown()
    server.server_close()
    thread.join()


ASKED: dict[str, Callable[[Cloud], object]] = {
    "open": lambda cloud: cloud.open("oxy/a"),
    "create": lambda cloud: cloud.create("oxy/a", BytesIO(b"x"), 1),
    "replace": lambda cloud: cloud.replace("oxy/a", b"x"),
    "names": lambda cloud: list(cloud.names("oxy")),
    "delete": lambda cloud: cloud.delete("oxy/a"),
    "written": lambda cloud: cloud.written("oxy/a"),
}


@pytest.mark.parametrize("what", ASKED)
def test_what_is_not_allowed_is_told(cloud: Cloud, what: str) -> None:
    with pytest.raises(DeniedError, match="the object store does not allow it") as caught:
        ASKED[what](cloud)
    assert "nobody-sees-this" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "?" not in str(caught.value)


@pytest.mark.parametrize("what", ["open", "create", "names"])
def test_a_bucket_that_is_not_there_is_named(
    cloud: Cloud, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = b"<Error><Code>NoSuchBucket</Code></Error>"
    monkeypatch.setattr(Refusing, "answer", (404, body))
    with pytest.raises(NoBucketError, match="there is no bucket at s3://team/place"):
        ASKED[what](cloud)


@pytest.mark.parametrize("what", ["open", "create", "names"])
def test_what_a_server_makes_up_is_a_connection_that_is_lost(
    cloud: Cloud, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Refusing, "answer", (400, b"<Error>\x1b[2J</Error>"))
    with pytest.raises(LostError) as caught:
        ASKED[what](cloud)
    assert len(str(caught.value)) < 400


def test_a_setting_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_CONDITIONAL_PUT", "nonsense")
    with pytest.raises(SettingError, match="are not understood"):
        Cloud.at(WHERE)
