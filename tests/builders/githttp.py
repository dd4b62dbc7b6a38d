"""Git's own smart HTTP on the loopback: `git http-backend` behind a small server."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.builders.gitrepo import isolated

END = b"\r\n\r\n"


class Backend(BaseHTTPRequestHandler):
    """Gives each request to `git http-backend`, as CGI says."""

    root = ""

    def do_GET(self) -> None:
        self._give(b"")

    def do_POST(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            self._give(b"".join(self._chunks()))
        else:
            self._give(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _give(self, body: bytes) -> None:
        path, _, query = self.path.partition("?")
        said = {
            "GIT_PROJECT_ROOT": self.root,
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "REMOTE_USER": "ada",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            capture_output=True,
            env=isolated() | said,
            check=True,
        )
        head, _, rest = done.stdout.partition(END)
        fields = [line.split(": ", 1) for line in head.decode().split("\r\n")]
        status = next((value for name, value in fields if name == "Status"), "200 OK")
        self.send_response(int(status.split()[0]))
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def http_backend(root: Path) -> Iterator[str]:
    """Serve the repositories in a directory; yield the address of it."""
    handler = type("Here", (Backend,), {"root": os.fspath(root)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
