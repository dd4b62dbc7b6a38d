"""A repository that answers over HTTP, as an ASGI application (spec: sync, SY70, SY74, SY75).

A request is taken whole first, so that who sends slowly holds neither a thread nor the lock of
the repository. One at a time takes something in.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from oxy.typed import Final, NamedTuple, TypeAlias, cast

from oxy.sync import limits
from oxy.sync.web.body import ASK, TAKE, TYPE
from oxy.sync.web.exchange import (
    Exchange,
    Opens,
    Receive,
    RefusedRequestError,
    Send,
    answered,
)
from oxy.sync.web.spool import Spool

Scope: TypeAlias = Mapping[str, object]
Headers: TypeAlias = Mapping[bytes, bytes]

_WORDS: Final = {
    400: "this is no request",
    401: "say who you are",
    403: "that is not allowed",
    404: "nothing is here; `oxy clone` takes the address of a repository",
    405: "`oxy clone` reads this, by the address without its last word",
    408: "nothing came for too long",
    413: "that is too much at once",
    415: "only oxy speaks with this",
    429: "you ask too often",
    503: "too many ask at once",
    507: "there is too little room",
}
_QUESTION: Final = limits.MESSAGE + (limits.MESSAGE >> 8)


class Asking(NamedTuple):
    """Who asks for what.

    Attributes:
        authorization: the header that says who, as it came.
        client: from where, as the server knows it.
        takes: whether something is to be taken in.
    """

    authorization: bytes | None
    client: str
    takes: bool


Admits: TypeAlias = Callable[[Asking], Opens | int]
"""Tells what answers somebody, or the status that refuses it: 401 or 403.

Called in the event loop, before anything of the body is taken; so it is quick.
"""


class Application:
    """Answers for one repository, wherever it is mounted."""

    __slots__ = ("_admits", "_clients", "_limit", "_most", "_pool", "_spool", "_writing")

    def __init__(
        self,
        admits: Admits,
        spool: bytes,
        limit: float = limits.SILENCE,
        most: int = limits.TAKEN,
    ) -> None:
        """Make one.

        Args:
            admits: decides about each request.
            spool: the directory in which long requests are kept, under no name.
            limit: seconds of silence after which a client counts as gone.
            most: bytes of one request that is to be taken in.
        """
        self._admits = admits
        self._spool = spool
        self._limit = limit
        self._most = most
        self._clients: Counter[str] = Counter()
        self._pool = ThreadPoolExecutor(limits.WORKERS, "oxy")
        self._writing = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
        if scope["type"] != "http":
            return
        exchange = Exchange(receive, send, self._pool, self._limit)
        client = _client(scope)
        with suppress(RefusedRequestError):
            try:
                self._enter(client)
                try:
                    await self._answer(scope, client, exchange)
                finally:
                    self._clients[client] -= 1
            except RefusedRequestError as error:
                if error.status:
                    await exchange.end(error.status, *_refusal(error.status))

    def _enter(self, client: str) -> None:
        """Let a client in; it may have half of what room there is."""
        self._clients = +self._clients
        is_full = self._clients.total() >= limits.REQUESTS
        if is_full or self._clients[client] >= limits.REQUESTS // 2:
            raise RefusedRequestError(503)
        self._clients[client] += 1

    async def _answer(self, scope: Scope, client: str, exchange: Exchange) -> None:
        headers = dict(cast("Sequence[tuple[bytes, bytes]]", scope["headers"]))
        place = _place(scope)
        _require_question(scope, headers, place)
        is_taking = place == TAKE
        opens = self._admits(Asking(headers.get(b"authorization"), client, is_taking))
        if isinstance(opens, int):
            raise RefusedRequestError(opens)
        most = self._most if is_taking else _QUESTION
        _require_fits(headers, most)
        with Spool(self._spool) as spool:
            is_whole = await exchange.take(spool, most)
            answer = answered(opens, spool.read)
            try:
                if is_whole:
                    await exchange.tell(answer, self._writing if is_taking else None)
                elif is_taking:
                    await exchange.work_out(answer, self._writing)
            finally:
                await exchange.work(answer.close)


def _place(scope: Scope) -> bytes:
    """Return what is asked for below where this is mounted."""
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path.removeprefix(root).encode("utf-8", "surrogateescape")


def _require_question(scope: Scope, headers: Headers, place: bytes) -> None:
    """Raise the status of what is no question.

    A browser sends nothing of this type, and tells the page that let it: so no page of another
    server makes the browser of who runs this one ask it something.
    """
    if place not in {ASK, TAKE}:
        raise RefusedRequestError(404)
    if scope["method"] != "POST":
        raise RefusedRequestError(405)
    if b"origin" in headers:
        raise RefusedRequestError(403)
    if headers.get(b"content-type") != TYPE or b"content-encoding" in headers:
        raise RefusedRequestError(415)


def _require_fits(headers: Headers, most: int) -> None:
    length = headers.get(b"content-length", b"0")
    if not length.isdigit():
        raise RefusedRequestError(400)
    if len(length) > len(str(most)) or int(length) > most:
        raise RefusedRequestError(413)


def _refusal(status: int) -> tuple[bytes, *tuple[tuple[bytes, bytes], ...]]:
    """Return the words and headers that go with a status."""
    words = f"{_WORDS[status]}\n".encode()
    if status == 401:  # noqa: PLR2004 -- the status that has to say how
        return words, (b"www-authenticate", b"Bearer"), (b"www-authenticate", b"Basic")
    if status == 405:  # noqa: PLR2004 -- likewise
        return words, (b"allow", b"POST")
    return (words,)


def _client(scope: Scope) -> str:
    found = cast("Sequence[object] | None", scope.get("client"))
    return str(found[0]) if found else ""


async def _live(receive: Receive, send: Send) -> None:
    """Begin and end with the server; there is nothing to do for either."""
    for what in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{what}.complete"})
