"""Repositories that are published as files, and what reads them (spec: sync, SY56 to SY60)."""

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from blake3 import blake3

from oxy.codec.wire import pack
from oxy.errors import OxyError
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync import limits
from oxy.sync.bundle import offered_of
from oxy.sync.errors import LostError, RefusedTransferError
from oxy.sync.folder import GRACE, Folder
from oxy.sync.part import Part
from oxy.sync.published import (
    HEADS,
    MAGIC,
    decode_heads,
    decode_page,
    encode_heads,
    file_of,
)
from oxy.sync.publishing import SMALL, Published, publish
from oxy.sync.shelf import File, OnlyReadError, Shelf, shelf
from tests.builders.exchange import Silent, ids, taken
from tests.builders.scribe import File as Content
from tests.builders.scribe import Scribe


class Story:
    """A repository that grows, where it is published, and what is read of that."""

    def __init__(self, root: Path) -> None:
        self.repository = Repository.in_memory()
        self.scribe = Scribe(self.repository)
        self.root = root
        self.folder = Folder(os.fsencode(root))
        self.state = Name()
        self.read: list[str] = []

    def grow(self, **files: bytes) -> int:
        changed = {name.encode(): Content(data) for name, data in files.items()}
        self.state = Name((self.scribe.commit(self.state, changed).number,))
        return self.state.heads[0]

    def publish(self, state: Name | None = None) -> Published:
        main = offered_of(self.repository, BOOKMARK, b"main", state or self.state)
        return publish(self.repository, self.folder, [main], b"main", Silent())

    def get(self, name: str) -> File | None:
        self.read.append(name)
        return self.folder.get(name)

    def shelf(self) -> Shelf:
        self.read.clear()
        found = shelf(self.get)
        assert found is not None
        return found

    def brought(self, target: Repository) -> int:
        """Take in what a repository lacks; return how many changes came."""
        parts = self.shelf().lacking((), target.store.numbers_of)
        return len(taken(target, parts).changes)

    def files_there(self) -> set[str]:
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {str(path.relative_to(self.root)) for path in found}


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path)


def noise(seed: int, size: int) -> bytes:
    return bytes(random.Random(seed).choices(b"abcdefgh\n", k=size))  # noqa: S311 -- not a secret


def test_what_is_published_is_read_whole(story: Story) -> None:
    for at in range(5):
        story.grow(f=b"%d\n" % at)
    assert story.publish() == Published(5, 2, 0)
    target = Repository.in_memory()
    assert story.brought(target) == 5
    assert ids(target, range(1, 6)) == ids(story.repository, range(1, 6))
    assert story.shelf().current() == b"main"
    assert story.shelf().refs() == (
        offered_of(story.repository, BOOKMARK, b"main", story.state),
    )


def test_nothing_is_published_where_nothing_is_there(story: Story) -> None:
    assert shelf(story.folder.get) is None


def test_publishing_again_writes_nothing(story: Story) -> None:
    story.grow(f=b"1\n")
    story.publish()
    before = {path: os.stat(story.root / path).st_mtime_ns for path in story.files_there()}
    assert story.publish() == Published(0, 0, 0)
    after = {path: os.stat(story.root / path).st_mtime_ns for path in story.files_there()}
    assert before == after


def test_what_is_new_is_in_files_of_its_own(story: Story) -> None:
    story.grow(f=b"1\n")
    story.publish()
    target = Repository.in_memory()
    story.brought(target)
    story.grow(f=b"2\n")
    assert story.publish() == Published(1, 2, 0)
    assert story.brought(target) == 1
    # The heads, the page, and the one file with what is new.
    assert len(story.read) == 3
    assert story.brought(target) == 0
    assert story.read == [HEADS]


def test_a_long_history_is_read_by_pages(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LISTED", 8)
    monkeypatch.setattr(limits, "PARCEL", 500)
    for at in range(40):
        story.grow(f=b"%d\n" % at)
    story.publish()
    target = Repository.in_memory()
    assert story.brought(target) == 40
    before = len(story.read)
    story.grow(f=b"last\n")
    story.publish()
    assert story.brought(target) == 1
    assert len(story.read) == 3
    assert before > 10


def test_many_small_files_become_one(story: Story) -> None:
    for at in range(SMALL):
        story.grow(f=b"%d\n" % at)
        story.publish()
    pages = story.shelf().pages
    assert len(story.shelf().parcels(pages[0])) == SMALL
    story.grow(f=b"one more\n")
    story.publish()
    (page,) = story.shelf().pages
    assert len(story.shelf().parcels(page)) == 1
    assert story.brought(Repository.in_memory()) == SMALL + 1


def test_blobs_of_one_change_lie_in_several_files(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PARCEL", 10_000)
    story.grow(a=b"1\n")
    story.grow(**{f"f{at}": noise(at, 6000) for at in range(9)})
    story.grow(a=b"2\n")
    story.publish()
    (page,) = story.shelf().pages
    parcels = story.shelf().parcels(page)
    assert len(parcels) > 4
    assert any(parcel.blobs and not parcel.changes for parcel in parcels)
    assert any(parcel.next for parcel in parcels)
    assert story.brought(Repository.in_memory()) == 3


def test_files_of_blobs_that_came_are_not_read_again(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PARCEL", 10_000)
    story.grow(**{f"f{at}": noise(at, 6000) for at in range(9)})
    story.publish()
    target = Repository.in_memory()
    with pytest.raises(LostError, match="lost"):
        raise lost_after(story, target, 4)
    first = len(story.read)
    assert story.brought(target) == 1
    assert len(story.read) + first < 2 + 2 + 7 + 2
    assert target.store.count(BLOB) == 9


def lost_after(story: Story, target: Repository, count: int) -> LostError:
    """Read until so many files have been opened; return what is said then."""

    def get(name: str) -> File | None:
        if len(story.read) == count:
            raise LostError(name)
        return story.get(name)

    story.read.clear()
    found = shelf(get)
    assert found is not None
    received = taken(target, found.lacking((), target.store.numbers_of))
    assert received.lost is not None
    return received.lost


def test_what_nobody_names_any_more_is_not_published(story: Story) -> None:
    base = Name((story.grow(f=b"1\n"),))
    story.grow(f=b"secret\n")
    story.publish()
    before = story.files_there()
    assert story.publish(base) == Published(0, 2, 0)
    assert story.brought(Repository.in_memory()) == 1
    # A reader may be on its way: what was there stays for a day.
    assert before < story.files_there()
    old = time.time() - GRACE - 60
    for path in story.files_there():
        os.utime(story.root / path, (old, old))
    assert story.publish(base).removed == 2
    assert len(story.files_there()) == 3
    assert story.brought(Repository.in_memory()) == 1


def test_a_merge_of_what_others_made_is_published_behind(story: Story) -> None:
    base = story.grow(f=b"1\n", g=b"1\n")
    left = story.grow(f=b"2\n")
    story.publish()
    right = story.scribe.commit(Name((base,)), {b"g": Content(b"2\n")})
    story.state = Name((left, right.number))
    assert story.publish().changes == 1
    assert story.brought(Repository.in_memory()) == 3


def test_a_file_that_is_missing_is_written_again(story: Story) -> None:
    story.grow(f=b"1\n")
    story.publish()
    (page,) = story.shelf().pages
    (parcel,) = story.shelf().parcels(page)
    (story.root / file_of(parcel.digest)).unlink()
    assert story.publish().written == 1
    assert story.brought(Repository.in_memory()) == 1


def test_heads_that_are_damaged_are_written_anew(story: Story) -> None:
    story.grow(f=b"1\n")
    story.publish()
    (story.root / HEADS).write_bytes(b"torn")
    story.publish()
    assert story.brought(Repository.in_memory()) == 1


def test_nothing_is_taken_there(story: Story) -> None:
    story.grow(f=b"1\n")
    story.publish()
    found = story.shelf()
    tries: list[Callable[[], object]] = [
        lambda: found.take([], []),
        lambda: found.known([]),
        lambda: found.missing([], [], lambda _: ()),
        lambda: found.holds([]),
    ]
    for each in tries:
        with pytest.raises(OnlyReadError):
            each()


def damage(data: bytes) -> Iterator[bytes]:
    """Yield what a server may make of a file."""
    yield data[:-1]
    yield data + b"\0"
    yield b""
    yield data[:40] + bytes([data[40] ^ 1]) + data[41:]
    yield b"<html>" + data


def test_no_damage_of_a_file_comes_in(story: Story) -> None:
    story.grow(f=noise(1, 300), g=noise(2, 9000))
    story.publish()
    for path in sorted(story.files_there()):
        data = (story.root / path).read_bytes()
        for other in damage(data):
            (story.root / path).write_bytes(other)
            target = Repository.in_memory()
            error = refusal(story, target)
            # A file that only ends early may have brought a change that is whole.
            assert isinstance(error, LostError) or target.store.count(CHANGE) == 0
        (story.root / path).write_bytes(data)
    assert story.brought(Repository.in_memory()) == 1


def refusal(story: Story, target: Repository) -> OxyError:
    """Return why nothing comes."""
    try:
        received = taken(target, story.shelf().lacking((), target.store.numbers_of))
    except (RefusedTransferError, LostError) as error:
        return error
    assert received.lost is not None
    return received.lost


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        ((), "form"),
        (((), b"", ((b"x", 1, ()),)), "digest"),
        (((), b"", ((b"x" * 32, -1, ()),)), "size"),
        (((), b"", ((b"x" * 32, 1, (b"y",)),)), "id"),
        ((((1, b"b", (), (), ()), (1, b"a", (), (), ())), b"", ()), "ascend"),
    ],
)
def test_heads_out_of_form_are_refused(raw: tuple[object, ...], rule: str) -> None:
    body = MAGIC + b"\0\0\0\1" + pack(raw)
    with pytest.raises(RefusedTransferError, match=rule):
        decode_heads(body + blake3(body).digest())


def test_heads_of_a_later_format_ask_for_a_later_oxy(story: Story) -> None:
    story.grow(f=b"1\n")
    story.publish()
    body = MAGIC + b"\0\0\0\2" + (story.root / HEADS).read_bytes()[12:-32]
    with pytest.raises(RefusedTransferError, match="upgrade oxy"):
        decode_heads(body + blake3(body).digest())


def test_heads_read_back(story: Story) -> None:
    story.grow(f=b"1\n")
    story.publish()
    data = (story.root / HEADS).read_bytes()
    assert encode_heads(decode_heads(data)) == data


@pytest.mark.parametrize("raw", [b"\xc1", pack(()) + b"x", pack(((b"x", 1, (), ()),))])
def test_a_page_out_of_form_is_refused(raw: bytes) -> None:
    with pytest.raises(RefusedTransferError):
        decode_page(raw)


def test_a_page_that_would_be_too_large_is_not_read(story: Story) -> None:
    story.grow(f=b"1\n")
    story.publish()
    heads = decode_heads((story.root / HEADS).read_bytes())
    large = heads.pages[0]._replace(size=limits.MESSAGE + 1)
    story.folder.replace_heads(encode_heads(heads._replace(pages=(large,))))
    with pytest.raises(RefusedTransferError, match="page is over"):
        list[Part](story.shelf().lacking((), lambda _kind, _ids: ()))


def test_heads_without_an_end_are_not_read_on(story: Story) -> None:
    class Endless:
        def read(self, size: int) -> bytes:
            return b"\0" * size

        def close(self) -> None:
            story.read.append("closed")

    with pytest.raises(RefusedTransferError, match="over"):
        shelf(lambda _: Endless())
    assert story.read == ["closed"]
