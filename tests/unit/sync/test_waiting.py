"""A transfer that is lost inside of a large change goes on from there (spec: SY9, SY66)."""

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from oxy.actions.pull import lacking
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync import limits
from oxy.sync.errors import LostError
from oxy.sync.talk import Far, answer
from oxy.sync.waiting import forget_waiting, note_waiting, waiting
from oxy.sync.wish import State, Wish
from tests.builders.exchange import STAMP, Open, taken
from tests.builders.scribe import File, Scribe

LARGE = 3 << 20


def noise(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size - 1) + b"\n"  # noqa: S311 -- not a secret


def source() -> Repository:
    """Record one change of small and large blobs, and name it."""
    repository = Repository.in_memory()
    files = {b"f%d" % at: File(noise(at, 1 << 19)) for at in range(4)}
    files |= {b"g%d" % at: File(noise(9 + at, LARGE)) for at in range(3)}
    state = Name((Scribe(repository).commit(Name(), files).number,))
    with writing(repository, STAMP) as work:
        work.move(Ref(BOOKMARK, b"main"), Target(state))
    return repository


class Wire:
    """A Carry to a repository, which is lost after so many bytes of an answer."""

    def __init__(self, repository: Repository, left: int = 1 << 40) -> None:
        self._host = Open(repository)
        self.left = left
        self.carried = 0

    def __call__(self, question: bytes, more: Iterable[bytes] | None = None) -> Iterator[bytes]:
        for piece in answer(self._host, question, self._passed(more or ())):
            yield from self._passed((piece,))

    def _passed(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            if len(piece) > self.left:
                yield piece[: self.left]
                self.left = 0
                why = "cut"
                raise LostError(why)
            self.left -= len(piece)
            self.carried += len(piece)
            yield piece


def received(target: Repository, wire: Wire) -> LostError | None:
    peer = Far(wire)
    return taken(target, lacking(target, peer, peer.refs())).lost


@pytest.fixture(params=["memory", "files"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Repository:
    return (
        Repository.in_memory()
        if request.param == "memory"
        else Repository.create(bytes(tmp_path))
    )


def test_what_was_lost_inside_of_a_large_change_is_not_sent_again(target: Repository) -> None:
    origin = source()
    whole = Wire(origin)
    assert received(Repository.in_memory(), whole) is None
    # Lost within the second of the large blobs.
    cut = Wire(origin, 2 * (1 << 20) + LARGE + (LARGE >> 1))
    assert received(target, cut) is not None
    assert target.store.count(CHANGE) == 0
    there = target.store.count(BLOB)
    assert there == len(waiting(target.store)) == 5
    rest = Wire(origin)
    assert received(target, rest) is None
    assert rest.carried < whole.carried // 2 + LARGE // 2
    assert target.store.count(BLOB) == 7
    assert target.store.count(CHANGE) == 1
    assert waiting(target.store) == ()


def test_a_transfer_that_is_lost_again_and_again_ends(target: Repository) -> None:
    origin = source()
    carried = 0
    for _ in range(20):
        wire = Wire(origin, 4 << 20)
        lost = received(target, wire)
        carried += wire.carried
        if lost is None:
            break
    assert target.store.count(CHANGE) == 1
    assert carried < 3 * 12 << 20


def test_a_push_that_was_lost_inside_of_a_large_change_goes_on(target: Repository) -> None:
    origin = source()
    head = origin.store.id_of(CHANGE, 1)
    wish = Wish(BOOKMARK, b"main", State((head,)))  # type: ignore[arg-type] # an id of a change
    sizes = []
    for left in (2 * (1 << 20) + LARGE + (LARGE >> 1), 1 << 40):
        wire = Wire(target, left)
        peer = Far(wire)
        parts = Open(origin).missing([head], [], peer.holds)  # type: ignore[list-item] # likewise
        if left < 1 << 40:
            with pytest.raises(LostError):
                peer.take([wish], parts)
        else:
            assert peer.take([wish], parts).came == 1
        sizes.append(wire.carried)
    assert sizes[1] < 2 * LARGE + (1 << 18)
    assert target.store.count(BLOB) == 7


def test_those_that_wait_are_noted_from_the_last_change_on() -> None:
    repository = Repository.in_memory()
    with repository.store.transaction() as transaction:
        for at in range(6):
            transaction.append(BLOB, bytes([9 - at]) * 32, b"%d" % at)
        note_waiting(transaction, 3)
    assert list(waiting(repository.store)) == [bytes([at]) * 32 for at in (4, 5, 6, 7)]
    with repository.store.transaction() as transaction:
        note_waiting(transaction, 5)
    assert len(waiting(repository.store)) == 4
    with repository.store.transaction() as transaction:
        forget_waiting(transaction)
        assert waiting(transaction) == ()
        note_waiting(transaction, 5)
    assert len(waiting(repository.store)) == 2


def test_no_more_wait_than_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WAITING", 2)
    repository = Repository.in_memory()
    with repository.store.transaction() as transaction:
        for at in range(6):
            transaction.append(BLOB, bytes([at]) * 32, b"%d" % at)
        note_waiting(transaction, 1)
    assert list(waiting(repository.store)) == [bytes([at]) * 32 for at in (4, 5)]
