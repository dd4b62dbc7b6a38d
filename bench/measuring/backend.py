"""Servers of HTTP whose own processor time and memory are told: oxy's, and git's backend.

Git's is a program that something else runs for each request (CGI); here a server in the bench
itself does, whose own time is not counted.
"""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final, NamedTuple

from bench.measuring.process import OXY, environment

PIECE: Final = 1 << 16
_TICK: Final = os.sysconf("SC_CLK_TCK")
_USER, _SYSTEM = 11, 12


class Served(NamedTuple):
    """What a server took: seconds of processor time, and the most MB of a process."""

    processor: float
    peak: float


class Server:
    """A server that runs; `took` is told once it has ended."""

    __slots__ = ("address", "took")

    def __init__(self, address: str) -> None:
        self.address = address
        self.took = Served(0, 0)


@contextmanager
def oxy_served(root: str) -> Iterator[Server]:
    """Serve a repository of oxy, also to be pushed to; what its start took is not counted."""
    command = [*OXY, "serve", "--http", "--address", "127.0.0.1:0", "--allow-push", "--json"]
    with subprocess.Popen(
        [*command, root], env=environment(), stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        server = Server(json.loads(process.stdout.readline())["address"])
        start = _processor(process.pid)
        try:
            yield server
            server.took = Served(_processor(process.pid) - start, _peak(process.pid))
        finally:
            process.send_signal(signal.SIGINT)


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICK


def _peak(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    found = next(line for line in lines if line.startswith("VmHWM"))
    return int(found.split()[1]) * 1024 / 1e6


@contextmanager
def git_served(root: str) -> Iterator[Server]:
    """Serve repositories below a directory by `git http-backend`, to be pushed to as well."""
    taken: list[Served] = []

    class Handler(BaseHTTPRequestHandler):
        """Runs the backend for a request."""

        protocol_version = "HTTP/1.0"

        def do_GET(self) -> None:
            """Answer."""
            taken.append(_backend(self, root))

        do_POST = do_GET  # noqa: N815 -- as the library calls it

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- likewise
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        thread = Thread(target=listener.serve_forever)
        thread.start()
        server = Server(f"http://127.0.0.1:{listener.server_address[1]}")
        try:
            yield server
        finally:
            listener.shutdown()
            thread.join()
            listener.server_close()
        peaks = [each.peak for each in taken]
        server.took = Served(sum(each.processor for each in taken), max(peaks, default=0))


def _backend(request: BaseHTTPRequestHandler, root: str) -> Served:
    """Run the backend for a request; return what it and what it started took."""
    path, _, query = request.path.partition("?")
    told = environment() | {
        "GIT_PROJECT_ROOT": root,
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REQUEST_METHOD": request.command,
        "CONTENT_TYPE": request.headers.get("Content-Type", ""),
        "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
        "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        "REMOTE_USER": "bench",
        "REMOTE_ADDR": "127.0.0.1",
    }
    if "Content-Length" in request.headers:
        told["CONTENT_LENGTH"] = request.headers["Content-Length"]
    process = subprocess.Popen(
        ["git", "http-backend"], env=told, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    feeding = Thread(target=_feed, args=(request, process))
    feeding.start()
    assert process.stdout is not None
    request.wfile.write(b"HTTP/1.0 200 OK\r\n")
    while data := process.stdout.read(PIECE):
        request.wfile.write(data)
    feeding.join()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Served(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6)


def _feed(request: BaseHTTPRequestHandler, process: "subprocess.Popen[bytes]") -> None:
    """Hand the body of a request to the backend."""
    assert process.stdin is not None
    with process.stdin as target:
        if request.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while size := int(request.rfile.readline().split(b";")[0], 16):
                target.write(request.rfile.read(size))
                request.rfile.readline()
            return
        left = int(request.headers.get("Content-Length", 0))
        while left and (data := request.rfile.read(min(left, PIECE))):
            target.write(data)
            left -= len(data)
