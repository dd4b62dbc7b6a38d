"""One request over ASGI, and what answers it (spec: sync, SY70, SY74).

The event loop only moves bytes: what takes longer is done in a thread, one piece of an answer
at a time, so that nobody who is slow holds one.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from oxy.typed import Final, TypeAlias, TypeVar, cast

from oxy.errors import OxyError
from oxy.sync import limits
from oxy.sync.talk import Host
from oxy.sync.web.body import TYPE
from oxy.sync.web.spool import Spool
from oxy.sync.wire import WAIT, Read, refused, served

Event: TypeAlias = Mapping[str, object]
Receive: TypeAlias = Callable[[], Awaitable[Event]]
Send: TypeAlias = Callable[[Event], Awaitable[None]]
Opens: TypeAlias = Callable[[], AbstractContextManager[Host]]
"""Opens who is asked. It is used and closed in threads, one at a time, not always one."""
Answer: TypeAlias = Generator[bytes, None, None]

FINE: Final = 200
_TOGETHER: Final = 4 * limits.PIECE
_T = TypeVar("_T")


class RefusedRequestError(Exception):
    """A request is not answered, and the status that says so; 0 where nobody is there."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Exchange:
    """One request, and its answer."""

    __slots__ = ("_limit", "_pool", "_receive", "_send")

    def __init__(self, receive: Receive, send: Send, pool: Executor, limit: float) -> None:
        self._receive = receive
        self._send = send
        self._pool = pool
        self._limit = limit

    async def work(self, do: Callable[[], _T]) -> _T:
        """Do something in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, do)

    async def take(self, spool: Spool, most: int) -> bool:
        """Take the body into a spool; return whether all of it came. If not, it is cut.

        Raises:
            RefusedRequestError: it is too long, or nothing comes for too long.
        """
        due, end = limits.PIECE, time.monotonic() + self._limit
        while True:
            event = await self._received(end)
            if event["type"] != "http.request":
                spool.cut()
                return False
            data = cast("bytes", event.get("body", b""))
            if spool.size + len(data) > most:
                raise RefusedRequestError(413)
            await self._keep(spool, data)
            if not event.get("more_body", False):
                return True
            if spool.size >= due:
                due, end = spool.size + limits.PIECE, time.monotonic() + self._limit

    async def _received(self, end: float) -> Event:
        try:
            return await asyncio.wait_for(self._receive(), end - time.monotonic())
        except TimeoutError as error:
            raise RefusedRequestError(408) from error

    async def _keep(self, spool: Spool, data: bytes) -> None:
        try:
            if spool.is_short:
                spool.write(data)
            else:
                await self.work(lambda: spool.write(data))
        except OSError as error:
            raise RefusedRequestError(507) from error

    async def work_out(self, answer: Answer, lock: asyncio.Lock) -> None:
        """Do what a request says whose client is gone: some of it may be kept (SY9)."""
        async with lock:
            await self.work(lambda: b"".join(answer))

    async def tell(self, answer: Answer, rest: asyncio.Lock | None) -> None:
        """Send an answer, piece by piece, and that it takes time where it does.

        Args:
            answer: its pieces; the first is there at once.
            rest: to be held while the rest is worked out, all together.
        """
        headers = [(b"content-type", TYPE), (b"cache-control", b"no-store")]
        await self.send({"type": "http.response.start", "status": FINE, "headers": headers})
        piece = await self.work(lambda: next(answer, b""))
        while piece:
            await self._body(piece, more=True)
            piece = await self._patient(self._next(answer, rest))
        await self._body(b"", more=False)

    async def _next(self, answer: Answer, rest: asyncio.Lock | None) -> bytes:
        if rest is None:
            return await self.work(lambda: _together(answer))
        async with rest:
            return await self.work(lambda: b"".join(answer))

    async def _patient(self, work: Coroutine[None, None, bytes]) -> bytes:
        """Wait for a piece, and say now and then that it is worked on."""
        task = asyncio.ensure_future(work)
        while True:
            done, _ = await asyncio.wait((task,), timeout=limits.AT_WORK)
            if done:
                return task.result()
            await self._body(WAIT, more=True)

    async def end(self, status: int, words: bytes, *more: tuple[bytes, bytes]) -> None:
        """Answer in words, and speak with this client over this connection no more."""
        length = b"%d" % len(words)
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", length),
            (b"connection", b"close"),
            *more,
        ]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self._body(words, more=False)

    async def _body(self, data: bytes, *, more: bool) -> None:
        await self.send({"type": "http.response.body", "body": data, "more_body": more})

    async def send(self, event: Event) -> None:
        """Send something.

        Raises:
            RefusedRequestError: the client does not take it.
        """
        try:
            await asyncio.wait_for(self._send(event), self._limit)
        except (TimeoutError, OSError) as error:
            raise RefusedRequestError(0) from error


def answered(opens: Opens, read: Read) -> Answer:
    """Yield what answers a request that was taken whole; who asked is told what was wrong."""
    try:
        host = opens()
    except OxyError as error:
        yield refused(error)
        return
    with host as opened:
        try:
            yield from served(opened, read)
        except (OxyError, OSError, MemoryError):
            return


def _together(pieces: Iterator[bytes]) -> bytes:
    """Return the next pieces as one: that spares ways to a thread and back."""
    found = bytearray()
    for piece in pieces:
        found += piece
        if len(found) >= _TOGETHER:
            break
    return bytes(found)
