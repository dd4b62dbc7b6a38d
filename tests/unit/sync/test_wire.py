"""Two sides that speak over a stream of bytes, in memory, with nothing between them."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import pytest

from oxy.codec.wire import pack
from oxy.errors import CorruptionError, OxyError, RequestError, StateError
from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK, Ref
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.endpoint import Stored, holds_none
from oxy.sync.errors import (
    DamagedThereError,
    GoneError,
    LostError,
    NotReadyThereError,
    RefusedThereError,
    RefusedTransferError,
)
from oxy.sync.receiving import receive
from oxy.sync.rounds import common
from oxy.sync.talk import Far
from oxy.sync.wire import START, Caller, failed, packed, refused, served, unpacked
from oxy.sync.wish import MADE, Moved, State, Taken, Wish
from tests.builders.exchange import STAMP, Open, Silent, ids, moved
from tests.builders.scribe import MAIN, File, Scribe

EVERY: Final = 10
CUT: Final = "cut"


class Line:
    """A caller's read and write, at whose other end a host answers; it may be cut.

    `after` is the number of packets, either way, after which nothing goes through any more.
    """

    def __init__(self, repository: Repository, after: int | None = None) -> None:
        self._asked = bytearray()
        self._told = bytearray()
        self._left = after
        self._answers = served(Open(repository), self._take)
        self.packets = 0

    def _take(self, size: int) -> bytes:
        """Return what the host reads: what the caller has written, and the end behind it."""
        data = bytes(self._asked[:size])
        if data and len(data) < size:
            raise LostError(CUT)
        del self._asked[:size]
        return data

    def write(self, data: bytes) -> None:
        if self._is_cut():
            # What was written is all that the host will ever read.
            self._drain()
            raise LostError(CUT)
        self._asked += data

    def read(self, size: int) -> bytes:
        while len(self._told) < size:
            if self._is_cut():
                self._drain()
                raise LostError(CUT)
            more = next(self._answers, None)
            if more is None:
                return b""
            self._told += more
        data = bytes(self._told[:size])
        del self._told[:size]
        return data

    def _is_cut(self) -> bool:
        self.packets += 1
        return self._left is not None and self.packets > self._left

    def _drain(self) -> None:
        try:
            for _ in self._answers:
                pass
        except LostError:
            pass

    def caller(self) -> Caller:
        return Caller(self.read, self.write)


def grown(count: int) -> Repository:
    """Make a repository of changes one on the other, with content that fills packets."""
    repository = Repository.in_memory()
    scribe = Scribe(repository)
    on = 0
    for at in range(count):
        name = Name((on,)) if on else Name()
        on = scribe.commit(name, {b"f%d" % at: File(os.urandom(70_000))}).number
    moved(repository, MAIN, Name((on,)))
    return repository


def pulled(target: Repository, line: Line) -> LostError | None:
    """Take in what is missing; what came before the line was cut stays."""
    try:
        peer = Far(line.caller())
        told = [head for offered in peer.refs() for head in offered.heads]
        have = common(target, peer, told)
        parts = peer.missing(told, have, holds_none)
        with writing(target, STAMP, "fast") as work:
            return receive(target, work.transaction, parts, Silent()).lost
    except LostError as error:
        return error


def pushed(source: Repository, line: Line) -> Taken | LostError:
    try:
        peer = Far(line.caller())
        told = [head for offered in peer.refs() for head in offered.heads]
        newest = source.store.count(CHANGE)
        want = [ChangeId(source.store.id_of(CHANGE, newest))]
        have = common(source, peer, told)
        parts = Stored(source).missing(want, have, holds_none)
        return peer.take([Wish(BOOKMARK, b"main", State(tuple(want)))], parts)
    except LostError as error:
        return error


def test_everything_comes_over_a_wire_and_nothing_is_asked_twice() -> None:
    source, target = grown(5), Repository.in_memory()
    assert pulled(target, Line(source)) is None
    assert ids(target, range(1, 6)) == ids(source, range(1, 6))
    far = Far(Line(source).caller())
    assert [each.name for each in far.refs()] == [b"main"]
    assert far.current() is None


def test_everything_goes_over_a_wire_and_the_name_moves() -> None:
    source, target = grown(5), Repository.in_memory()
    taken = pushed(source, Line(target))
    assert taken == Taken(5, (Moved(BOOKMARK, b"main", MADE, 5, 0),))
    held = target.refs.get(MAIN)
    assert held is not None
    assert held.state == Name((5,))


@pytest.mark.parametrize("way", ["pull", "push"])
def test_a_transfer_that_is_cut_at_every_tenth_packet_ends_right(way: str) -> None:
    source, target = grown(40), Repository.in_memory()
    arrived = [0]
    after = 0
    for _ in range(100):
        after += EVERY
        if way == "pull":
            lost = pulled(target, Line(source, after))
            is_done = lost is None
        else:
            is_done = isinstance(pushed(source, Line(target, after)), Taken)
        arrived.append(target.store.count(CHANGE))
        assert arrived[-1] >= arrived[-2]
        if is_done:
            break
        assert target.refs.get(MAIN) is None
    assert ids(target, range(1, 41)) == ids(source, range(1, 41))
    # It went on from what had come, or the last try would have had to bring all of it.
    assert len(set(arrived)) > 3
    if way == "push":
        assert target.refs.get(MAIN) is not None


def test_a_question_that_makes_no_sense_is_refused_in_words() -> None:
    line = Line(Repository.in_memory())
    answer = line.caller()(pack((1, 4, b"")))
    with pytest.raises(DamagedThereError, match="asks nothing"):
        list(answer)
    answer = Line(Repository.in_memory()).caller()(pack((1, 5, (b"x" * 32,), (), ())))
    with pytest.raises(RefusedThereError, match="asked for, and not here"):
        list(answer)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (RequestError("why"), RefusedThereError),
        (StateError("why"), NotReadyThereError),
        (CorruptionError("why"), DamagedThereError),
        (OSError(28, "why"), NotReadyThereError),
        (RequestError("why" * 9000), RefusedThereError),
    ],
)
def test_why_a_side_ends_is_told_with_its_kind(
    error: BaseException, kind: type[OxyError]
) -> None:
    with pytest.raises(kind, match=r"the other side says: .*why"):
        list(unpacked(reader(failed(error))))


def test_a_side_that_cannot_answer_at_all_says_why() -> None:
    read = reader(refused(StateError("nothing here")))
    with pytest.raises(NotReadyThereError, match="nothing here"):
        list(Caller(read, lambda _: None)(b"?"))


def test_who_takes_nothing_any_more_may_have_said_why() -> None:
    def gone(_: bytes) -> None:
        raise GoneError(CUT)

    read = reader(START + failed(StateError("too full")))
    with pytest.raises(NotReadyThereError, match="too full"):
        list(Caller(read, gone)(b"?", [b"more"]))
    with pytest.raises(LostError, match="has ended"):
        list(Caller(reader(b""), gone)(b"?"))


def reader(data: bytes) -> Callable[[int], bytes]:
    rest = bytearray(data)

    def read(size: int) -> bytes:
        found = bytes(rest[:size])
        del rest[:size]
        if found and len(found) < size:
            raise LostError(CUT)
        return found

    return read


LIES: Final = {
    "no oxy": b"SSH-2.0-OpenSSH\r\n",
    "another version": START[:-1] + b"\2",
    "an unknown packet": START + b"\x09\0\0\0\1x",
    "a packet that is too large": START + b"\2\0\1\0\1",
    "a packet of 4 GB": START + b"\1\xff\xff\xff\xff",
    "a drip of single bytes": START + b"\1\0\0\0\1x" * 3,
    "an empty packet of many": START + b"\1\0\0\0\0" * 3,
    "too many words": START + b"\3\0\0\x10\1" + bytes(4097),
    "words that are none": START + b"\3\0\0\0\1\x80",
    "an answer without form": START + b"\2\0\0\0\1\x80",
}


@pytest.mark.parametrize("what", LIES)
def test_what_is_no_answer_is_refused(what: str) -> None:
    peer = Far(Caller(reader(LIES[what]), lambda _: None))
    with pytest.raises(RefusedTransferError):
        peer.refs()


@pytest.mark.parametrize("size", [0, 1, 11, 12, 14, 20])
def test_what_is_cut_short_is_lost(size: int) -> None:
    whole = START + b"".join(packed([pack((1, 2, (), b"", ()))]))
    peer = Far(Caller(reader(whole[:size]), lambda _: None))
    with pytest.raises(LostError):
        peer.refs()
    assert Far(Caller(reader(whole), lambda _: None)).refs() == ()


def test_an_answer_that_never_ends_is_refused_before_memory_is_spent() -> None:
    packet = b"\1" + limits.PIECE.to_bytes(4, "big") + bytes(limits.PIECE)
    given = 0

    def flood(size: int) -> bytes:
        nonlocal given
        given += size
        return packet[:5] if size == 5 else START if size == len(START) else packet[5:]

    with pytest.raises(RefusedTransferError, match="over"):
        Far(Caller(flood, lambda _: None)).refs()
    assert given < limits.MESSAGE * 2


def test_a_question_that_never_ends_is_refused_before_memory_is_spent() -> None:
    packet = b"\1" + limits.PIECE.to_bytes(4, "big") + bytes(limits.PIECE)

    def flood(size: int) -> bytes:
        return packet[:5] if size == 5 else START if size == len(START) else packet[5:]

    said = served(Open(Repository.in_memory()), flood)
    with pytest.raises(RefusedTransferError, match="over"):
        list(said)


@pytest.mark.parametrize("size", [0, 1, limits.PIECE, limits.PIECE + 1, 3 * limits.PIECE])
def test_packets_are_full_and_come_back_as_they_were(size: int) -> None:
    data = os.urandom(size)
    for cut in (1000, limits.PIECE, size or 1):
        pieces = [data[at : at + cut] for at in range(0, size, cut)]
        packets = list(packed(pieces))
        assert all(len(each) == 5 + limits.PIECE for each in packets[:-1])
        assert b"".join(unpacked(reader(b"".join(packets)))) == data


def test_names_that_do_not_ascend_or_are_no_states_are_refused() -> None:
    state = ((b"x" * 32,), ())
    for wishes in (
        ((1, b"b", state, (), ()), (1, b"a", state, (), ())),
        ((4, b"b", state, (), ()),),
        ((1, b"b", ((b"x" * 32,),), (), ()),),
        ((1, b"b", ((b"x",), ()), (), ()),),
    ):
        answer = Line(Repository.in_memory()).caller()(pack((1, 6, wishes)), ())
        with pytest.raises(DamagedThereError):
            list(answer)


def test_a_stream_behind_which_there_is_more_moves_nothing() -> None:
    source, target = grown(1), Repository.in_memory()
    want = ChangeId(source.store.id_of(CHANGE, 1))
    caller = Line(target).caller()

    def carry(question: bytes, more: Iterable[bytes] | None = None) -> Iterator[bytes]:
        behind = None if more is None else [*more, b"more"]
        return caller(question, behind)

    peer = Far(carry)
    parts = Stored(source).missing([want], (), holds_none)
    with pytest.raises(DamagedThereError, match="more behind its end"):
        peer.take([Wish(BOOKMARK, b"main", State((want,)))], parts)
    assert target.refs.get(Ref(BOOKMARK, b"main")) is None
    assert target.store.count(CHANGE) == 0
