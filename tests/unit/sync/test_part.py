"""Frames of the store travel as they are, and are proven like everything else (SY4)."""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest

from oxy.model.digest import BlobId, ChangeId, blob_id
from oxy.progress import Progress
from oxy.repo.fsck import fsck
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.frame import MAGIC, RECORDS, packer, seal
from oxy.store.protocol import BLOB, CHANGE, Whole
from oxy.store.record import record, records_in
from oxy.sync.endpoint import Stored, holds_none
from oxy.sync.errors import RefusedObjectError
from oxy.sync.frames import Unframer, framed
from oxy.sync.part import ChangePart, FramePart, Part
from tests.builders.exchange import Silent, taken
from tests.builders.scribe import File, Scribe

TEXTS: Final = [b"%04d\n" % at * 1100 for at in range(200)]
FILES: Final = {b"f%04d" % at: File(data) for at, data in enumerate(TEXTS)}


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Repository]:
    repository = made(tmp_path / "source")
    Scribe(repository).commit(Name(), FILES)
    yield repository
    repository.close()


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Repository]:
    repository = made(tmp_path / "target")
    yield repository
    repository.close()


def made(root: Path) -> Repository:
    root.mkdir()
    return Repository.create(bytes(root), "fast")


def first(repository: Repository) -> list[ChangeId]:
    return [ChangeId(repository.store.id_of(CHANGE, 1))]


def sent(repository: Repository) -> list[Part]:
    return list(Stored(repository).missing(first(repository), (), holds_none))


def frames(parts: list[Part]) -> list[bytes]:
    return [part.whole.frame for part in parts if isinstance(part, FramePart)]


def segment(repository: Repository) -> bytes:
    return (Path(repository.root.decode()) / ".oxy/segments/000001.oxs").read_bytes()


def silent() -> Progress:
    return Silent()


def carried(parts: Iterable[Part]) -> Iterator[Part]:
    return Unframer(BytesIO(b"".join(framed(parts))).read).parts()


@pytest.mark.parametrize("carry", [iter, carried])
def test_a_frame_that_is_wanted_whole_is_stored_as_it_was(
    source: Repository, target: Repository, carry: Callable[[Iterable[Part]], Iterator[Part]]
) -> None:
    parts = sent(source)
    assert len(frames(parts)) >= 8
    received = taken(target, carry(parts))
    assert received.blobs == len(TEXTS)
    assert all(frame in segment(target) for frame in frames(parts))
    assert list(fsck(target, silent())) == []
    store = target.store
    assert sorted(store.read_many(BLOB, range(1, len(TEXTS) + 1))) == sorted(TEXTS)


def test_of_a_frame_of_which_some_is_there_the_rest_is_taken(
    source: Repository, target: Repository
) -> None:
    Scribe(target).commit(Name(), {b"other": File(TEXTS[7])})
    parts = sent(source)
    assert taken(target, parts).blobs == len(TEXTS) - 1
    assert list(fsck(target, silent())) == []


def test_what_the_receiver_has_is_not_in_a_frame(source: Repository) -> None:
    held = {blob_id(TEXTS[at]) for at in range(0, 200, 10)}
    parts = list(Stored(source).missing(first(source), (), held.intersection))
    carried = {
        name for part in parts if isinstance(part, FramePart) for _, name, _ in part.records
    }
    assert carried.isdisjoint(held)


def hostile(*records: tuple[bytes, bytes]) -> FramePart:
    raw = b"".join(record(BLOB, name, data) for name, data in records)
    return FramePart(Whole(seal(RECORDS, raw, packer(3)), raw), records_in(raw, 0, 0))


def test_a_blob_that_is_not_what_its_id_says_refuses_the_frame(
    source: Repository, target: Repository
) -> None:
    bad = hostile((blob_id(b"a\n"), b"a\n"), (blob_id(b"b\n"), b"c\n"))
    with pytest.raises(RefusedObjectError, match="content of another id"):
        taken(target, [bad, *sent(source)])
    assert target.store.count(BLOB) == 0


def test_a_blob_of_a_frame_that_no_change_names_is_refused(
    source: Repository, target: Repository
) -> None:
    extra = hostile((blob_id(b"a\n"), b"a\n"))
    with pytest.raises(RefusedObjectError, match="does not name it") as caught:
        taken(target, [extra, *sent(source)])
    assert caught.value.object_id == blob_id(b"a\n")


def test_a_blob_that_is_twice_in_a_frame_is_stored_once(
    source: Repository, target: Repository
) -> None:
    *blobs, change = sent(source)
    name = BlobId(blob_id(TEXTS[0]))
    twice = hostile((name, TEXTS[0]), (name, TEXTS[0]))
    assert isinstance(change, ChangePart)
    assert taken(target, [twice, *blobs, change]).blobs == len(TEXTS)
    assert list(fsck(target, silent())) == []


def test_a_frame_in_which_another_seems_to_begin_is_sealed_anew(
    source: Repository, target: Repository
) -> None:
    frame, *rest = sent(source)
    assert isinstance(frame, FramePart)
    forged = frame._replace(whole=frame.whole._replace(frame=frame.whole.frame + MAGIC + b"x"))
    taken(target, [forged, *rest])
    assert forged.whole.frame not in segment(target)
    assert list(fsck(target, silent())) == []
