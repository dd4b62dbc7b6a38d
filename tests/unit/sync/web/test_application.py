"""A repository that answers over ASGI, with nothing of a network."""

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from oxy.actions.hosting import Hosted
from oxy.actions.init import init
from oxy.actions.web import application, everybody
from oxy.model.digest import ChangeId
from oxy.progress import Unwatched
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.endpoint import Stored, holds_none
from oxy.sync.errors import DamagedThereError, NotReadyThereError
from oxy.sync.frames import framed
from oxy.sync.message import AskMissing, AskNames, AskTake, Done, Names, decode, encode
from oxy.sync.web.application import Admits, Application, Asking
from oxy.sync.web.exchange import Event, Opens, Send
from oxy.sync.wire import START, WAIT, packed, unpacked
from oxy.sync.wish import MOVED, State, Wish
from tests.builders.scribe import File, Scribe

KIND = (b"content-type", b"application/x-oxy-wire")
ASK = START + b"".join(packed([encode(AskNames())]))


class Client:
    """Sends one request to an application in pieces, and keeps what it says."""

    def __init__(
        self,
        app: Application,
        *pieces: bytes,
        path: str = "/ask",
        method: str = "POST",
        headers: tuple[tuple[bytes, bytes], ...] = (KIND,),
        root: str = "",
        ends: bool = True,
    ) -> None:
        self.scope: dict[str, object] = {
            "type": "http",
            "method": method,
            "path": root + path,
            "root_path": root,
            "headers": headers,
            "client": ("10.0.0.1", 1),
        }
        self._pieces = list(pieces)
        self._ends = ends
        self.status = 0
        self.body = b""
        self.headers: dict[bytes, bytes] = {}
        self._app = app

    async def receive(self) -> Event:
        if not self._pieces:
            await asyncio.sleep(0 if self._ends else 60)
            return {"type": "http.disconnect"}
        piece = self._pieces.pop(0)
        more = bool(self._pieces) or not self._ends
        return {"type": "http.request", "body": piece, "more_body": more}

    async def send(self, event: Event) -> None:
        if event["type"] == "http.response.start":
            assert isinstance(event["status"], int)
            assert isinstance(event["headers"], list)
            self.status, self.headers = event["status"], dict(event["headers"])
        else:
            assert isinstance(event["body"], bytes)
            self.body += event["body"]

    async def call(self, send: Send | None = None) -> None:
        await self._app(self.scope, self.receive, send or self.send)

    def run(self) -> "Client":
        asyncio.run(self.call())
        return self


def message(body: bytes) -> bytes:
    return b"".join(unpacked(reader(body.removeprefix(START))))


def reader(data: bytes) -> Callable[[int], bytes]:
    rest = bytearray(data)

    def read(size: int) -> bytes:
        found = bytes(rest[:size])
        del rest[:size]
        return found

    return read


@pytest.fixture
def root(tmp_path: Path) -> bytes:
    made = tmp_path / "r"
    made.mkdir()
    init(bytes(made))
    return bytes(made)


@pytest.fixture
def app(root: bytes) -> Application:
    return application(root, everybody)


def opening(root: bytes) -> Admits:
    """Let everybody in."""
    return lambda _: lambda: closing(Hosted(root, b"", Unwatched()))


def source() -> tuple[bytes, ChangeId]:
    """Return a request that pushes a change, and the change."""
    repository = Repository.in_memory()
    Scribe(repository).commit(Name(), {b"f": File(os.urandom(3 << 20))})
    name = ChangeId(repository.store.id_of(CHANGE, 1))
    question = encode(AskTake((Wish(BOOKMARK, b"main", State((name,))),)))
    stream = framed(Stored(repository).missing([name], (), holds_none))
    return b"".join((START, *packed([question]), *packed(stream))), name


def test_names_are_told_wherever_it_is_mounted(app: Application) -> None:
    for mount in ("", "/repositories/project"):
        client = Client(app, ASK, root=mount).run()
        assert client.status == 200
        assert client.headers[b"content-type"] == KIND[1]
        names = decode(message(client.body))
        assert isinstance(names, Names)
        assert names.current == b"main"


REFUSED: dict[int, Mapping[str, object]] = {
    404: {"path": "/"},
    405: {"method": "GET"},
    403: {"headers": (KIND, (b"origin", b"http://evil.example"))},
    415: {"headers": ((b"content-type", b"text/plain"),)},
    413: {"headers": (KIND, (b"content-length", b"9" * 30))},
    400: {"headers": (KIND, (b"content-length", b"-1"))},
}


@pytest.mark.parametrize("status", REFUSED)
def test_what_is_no_question_is_refused_by_its_status(app: Application, status: int) -> None:
    client = Client(app, ASK)
    client.scope |= REFUSED[status]
    client.run()
    assert client.status == status
    assert client.headers[b"connection"] == b"close"
    assert client.body.endswith(b"\n")


def test_a_packed_question_is_not_unpacked(app: Application) -> None:
    client = Client(app, ASK, headers=(KIND, (b"content-encoding", b"gzip"))).run()
    assert client.status == 415


def test_who_may_only_read_cannot_push(root: bytes) -> None:
    app = application(root)
    assert Client(app, ASK).run().status == 200
    client = Client(app, source()[0], path="/take").run()
    assert client.status == 403


def test_a_guard_sees_who_asks_for_what_before_anything_is_taken(root: bytes) -> None:
    seen = []

    def guard(asking: Asking) -> int | None:
        seen.append(asking)
        return 401

    headers = (KIND, (b"authorization", b"Bearer x"))
    client = Client(application(root, guard), path="/take", headers=headers, ends=False).run()
    assert client.status == 401
    assert client.headers[b"www-authenticate"] in (b"Bearer", b"Basic")
    assert seen == [Asking(b"Bearer x", "10.0.0.1", takes=True)]


def test_what_is_pushed_in_pieces_is_taken_in(root: bytes, app: Application) -> None:
    data, name = source()
    pieces = [data[at : at + 100_000] for at in range(0, len(data), 100_000)]
    client = Client(app, *pieces, path="/take").run()
    done = decode(message(client.body))
    assert isinstance(done, Done)
    assert done.taken.came == 1
    assert done.taken.moved[0].was == MOVED
    with closing(Hosted(root, b"", Unwatched())) as held:
        assert held.refs()[0].heads == (name,)


def test_a_client_that_ends_in_the_middle_leaves_what_came_whole(
    root: bytes, app: Application
) -> None:
    repository = Repository.in_memory()
    scribe, context = Scribe(repository), Name()
    for at in range(6):
        files = {b"f%d" % at: File(os.urandom(1 << 16).hex().encode())}
        context = Name((scribe.commit(context, files).number,))
    name = ChangeId(repository.store.id_of(CHANGE, 6))
    question = encode(AskTake((Wish(BOOKMARK, b"main", State((name,))),)))
    stream = framed(Stored(repository).missing([name], (), holds_none))
    data = b"".join((START, *packed([question]), *packed(stream)))
    client = Client(app, data[: len(data) // 2], path="/take", ends=False)

    async def gone() -> Event:
        if client._pieces:  # noqa: SLF001 -- the client of this test
            return await Client.receive(client)
        return {"type": "http.disconnect"}

    client.receive = gone  # type: ignore[method-assign] # one that goes
    client.run()
    assert client.status == 0
    with closing(Repository.at(root)) as held:
        assert 0 < held.store.count(CHANGE) < 6
    with closing(Hosted(root, b"", Unwatched())) as host:
        assert host.refs()[0].heads == ()


def test_too_much_is_refused_while_it_comes(root: bytes) -> None:
    app = Application(opening(root), root, most=1000)
    assert Client(app, bytes(600), bytes(600), path="/take").run().status == 413
    piece = bytes(1 << 20)
    asked = Client(app, *[piece] * 20)
    assert asked.run().status == 413


def test_a_client_that_stalls_or_drips_is_refused(root: bytes) -> None:
    app = Application(opening(root), root, limit=0.2)
    assert Client(app, ASK[:5], ends=False).run().status == 408
    client = Client(app, *[b"x"] * 1000, path="/take")

    async def drip() -> Event:
        await asyncio.sleep(0.02)
        return await Client.receive(client)

    client.receive = drip  # type: ignore[method-assign] # a slow one
    client.run()
    assert client.status == 408


def test_a_client_that_takes_nothing_is_not_waited_for(root: bytes) -> None:
    app = Application(opening(root), root, limit=0.2)
    opened = []

    async def stuck(_event: Event) -> None:
        opened.append(1)
        await asyncio.sleep(60)

    asyncio.run(Client(app, ASK).call(stuck))
    assert opened == [1]


def test_one_client_gets_half_of_what_room_there_is(
    app: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REQUESTS", 4)

    async def crowd() -> list[int]:
        waiting = [Client(app, ends=False) for _ in range(2)]
        tasks = [asyncio.ensure_future(each.call()) for each in waiting]
        await asyncio.sleep(0)
        third = Client(app, ASK)
        await third.call()
        other = Client(app, ASK)
        other.scope["client"] = ("10.0.0.2", 1)
        await other.call()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        again = Client(app, ASK)
        await again.call()
        return [third.status, other.status, again.status]

    assert asyncio.run(crowd()) == [503, 200, 200]


def test_a_slow_answer_says_that_it_is_worked_on(
    root: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "AT_WORK", 0.02)
    data, name = source()
    app = application(root, everybody)

    async def both() -> bytes:
        pushing = Client(app, data, path="/take")
        async with app._writing:  # noqa: SLF001 -- as if another one pushed
            task = asyncio.ensure_future(pushing.call())
            await asyncio.sleep(0.3)
        await task
        return pushing.body

    body = asyncio.run(both())
    assert body.count(WAIT) > 2
    assert isinstance(decode(message(body)), Done)
    assert name


def test_a_repository_that_is_gone_is_told_in_words(root: bytes, app: Application) -> None:
    os.rename(root + b"/.oxy", root + b"/gone")
    client = Client(app, ASK).run()
    assert client.status == 200
    with pytest.raises(NotReadyThereError, match="no repository"):
        message(client.body)


def test_a_question_without_an_end_is_no_question(app: Application) -> None:
    assert Client(app, ASK[:-1]).run().body == START
    client = Client(app, b"x" * 100).run()
    with pytest.raises(DamagedThereError):
        message(client.body)


def test_a_bug_is_not_hidden(root: bytes) -> None:
    def opens() -> closing[Hosted]:
        raise ZeroDivisionError

    def admits(_asking: Asking) -> Opens | int:
        return opens

    with pytest.raises(ZeroDivisionError):
        Client(Application(admits, root), ASK).run()


def test_what_is_missing_is_told(app: Application) -> None:
    wanted = encode(AskMissing((ChangeId(b"x" * 32),), ()))
    client = Client(app, START + b"".join(packed([wanted]))).run()
    with pytest.raises(Exception, match="asked for, and not here"):
        message(client.body)


def test_it_lives_and_ends_with_its_server(app: Application) -> None:
    said: list[Event] = []

    async def receive() -> Event:
        await asyncio.sleep(0)
        return {"type": "lifespan.startup"}

    async def send(event: Event) -> None:
        await asyncio.sleep(0)
        said.append(event)

    asyncio.run(app({"type": "lifespan"}, receive, send))
    assert [each["type"] for each in said] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]
    asyncio.run(app({"type": "websocket"}, receive, send))
    assert len(said) == 2
