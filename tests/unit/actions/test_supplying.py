import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oxy.actions.access import Rights
from oxy.actions.admitting import Admitted
from oxy.actions.clone import clone
from oxy.actions.gc import Request as Sweep
from oxy.actions.gc import gc
from oxy.actions.hosting import Hosted
from oxy.actions.pull import Request, pull
from oxy.actions.remotes import ORIGIN, StillNeededError, remove, rename
from oxy.actions.supplying import NotBroughtError, NotThereError, supply, supply_all
from oxy.model.digest import BlobId
from oxy.model.operation import KIND_BINARY, BlobRef
from oxy.repo.fsck import fsck, rebuild
from oxy.repo.lacking import LackedError, bring_through
from oxy.repo.promised import count, lacked
from oxy.repo.refs import BOOKMARK, Ref
from oxy.repo.repository import Repository, opened
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.endpoint import holds_none
from oxy.sync.errors import RefusedObjectError
from oxy.sync.part import BlobPart, FramePart, Part
from oxy.worktree.workcopy import working_copy
from tests.builders.exchange import Silent
from tests.builders.history import History, Made

if TYPE_CHECKING:
    from oxy.repo.lacking import Lazy

STAMP = Stamp(1, 0, b"bob", b"fetch")
OLD = b"".join(b"line %d of the text\n" % at for at in range(500))
NEW = OLD + b"".join(b"%d\n" % at for at in range(3000))
IMAGE = bytes(range(256)) * 40


@pytest.fixture(autouse=True)
def asked() -> list[int]:
    """How many blobs were asked for, each time."""
    found: list[int] = []

    def bring(repository: "Lazy", refs: Sequence[BlobRef]) -> None:
        found.append(len(refs))
        supply(repository, refs, Silent())

    bring_through(bring)
    return found


@pytest.fixture
def there(tmp_path: Path) -> bytes:
    """A repository of four changes, of which the last needs two blobs of four."""
    root = bytes(tmp_path / "there")
    history = History(Repository.create(root, "fast"))
    first = history.commit({b"text": OLD, b"image": Made(IMAGE, kind=KIND_BINARY)})
    second = history.commit({b"text": NEW}, first)
    third = history.commit({b"image": Made(IMAGE[::-1], kind=KIND_BINARY)}, second)
    history.commit({b"small": b"1\n"}, third)
    history.repository.close()
    return root


@pytest.fixture
def here(there: bytes, tmp_path: Path) -> bytes:
    return cloned(there, tmp_path / "here")


def cloned(source: bytes, root: Path, *, lazy: bool = True) -> bytes:
    return clone(source, bytes(root), None, Silent(), lazy=lazy).root


@pytest.fixture
def repository(here: bytes) -> Iterator[Repository]:
    with opened(here) as found:
        yield found


def texts(repository: Repository) -> list[bytes]:
    """Return the text that each change inserts into the first text file, and the images."""
    store = repository.store
    nodes = repository.nodes
    found = []
    for node in (1, 2):
        for change, _ in nodes.touching(node):
            state = repository.states.of_change(change)
            found.append(b"".join(nodes.content(node, state)))
    assert store.count(CHANGE) == 4
    return found


def test_a_lazy_clone_asks_once_for_what_its_files_need(here: bytes, asked: list[int]) -> None:
    assert asked == [3]
    assert Path(os.fsdecode(here), "text").read_bytes() == NEW
    assert Path(os.fsdecode(here), "image").read_bytes() == IMAGE[::-1]
    with opened(here) as repository:
        assert count(repository.store) == (1, len(IMAGE))


def test_what_is_lacked_comes_when_it_is_read(
    there: bytes, repository: Repository, asked: list[int]
) -> None:
    with opened(there) as full:
        assert texts(repository) == texts(full)
    assert asked == [3, 1]
    assert list(lacked(repository.store)) == []


def test_with_all_text_a_lazy_clone_is_like_a_full_one(
    there: bytes, here: bytes, tmp_path: Path
) -> None:
    full = cloned(there, tmp_path / "full", lazy=False)
    with opened(here) as one:
        assert supply_all(one, STAMP, Silent()) == (ORIGIN, (1, len(IMAGE)))
    with opened(here) as one, opened(full) as other:
        assert not one.is_lazy
        assert supply_all(one, STAMP, Silent()) is None
        assert list(fsck(one, Silent())) == []
        assert held(one) == held(other)


def held(repository: Repository) -> list[object]:
    store = repository.store
    return [
        dict(
            zip(
                store.ids_of(kind, range(1, store.count(kind) + 1)),
                store.read_many(kind, range(1, store.count(kind) + 1)),
                strict=True,
            )
        )
        for kind in (CHANGE, BLOB)
    ] + [list(store.rows(table)) for table in range(1, 7)]


def test_what_is_lacked_is_no_damage(repository: Repository, asked: list[int]) -> None:
    assert list(fsck(repository, Silent())) == []
    assert asked == [3]


def test_what_a_full_clone_lacks_is_damage(here: bytes) -> None:
    with opened(here) as repository:
        rename(repository, STAMP, ORIGIN, b"there")
        assert repository.is_lazy
        ref = Ref(7, b"there")
        target = repository.refs.get(ref)
        assert target is not None
        with writing(repository, STAMP) as work:
            work.move(ref, target._replace(extra=target.extra[:1]))
    with opened(here) as repository:
        assert ["is missing" in each.what for each in fsck(repository, Silent())][:1] == [True]


def test_where_the_remote_is_gone_it_says_so_and_does_nothing(
    there: bytes, repository: Repository
) -> None:
    os.rename(there, there + b"-moved")
    before = repository.store.count(BLOB)
    with pytest.raises(NotBroughtError, match=r"1 blob is not in .* 'origin' cannot be asked"):
        texts(repository)
    assert repository.store.count(BLOB) == before


def test_where_the_remote_lacks_it_too_it_says_so(there: bytes, here: bytes) -> None:
    shutil.rmtree(there)
    History(Repository.create(there, "fast")).repository.close()
    with opened(here) as repository, pytest.raises(NotThereError, match="1 blob is not here"):
        texts(repository)


def bring_and_fail(repository: Repository, ref: BlobRef) -> None:
    with writing(repository, STAMP):
        repository.bring((ref,))
        assert repository.store.number_of(BLOB, ref.id) is not None
        raise NotBroughtError(1, b"origin", "it ended")


def test_blobs_join_the_transaction_that_is_open(repository: Repository) -> None:
    (ref,) = lacked(repository.store)
    with pytest.raises(NotBroughtError, match="it ended"):
        bring_and_fail(repository, ref)
    assert list(lacked(repository.store)) == [ref]
    with writing(repository, STAMP):
        repository.bring((ref,))
    assert list(lacked(repository.store)) == []


def test_the_remote_stays_while_it_is_needed(repository: Repository) -> None:
    rename(repository, STAMP, ORIGIN, b"there")
    with pytest.raises(StillNeededError, match="'there' has 1 blob that"):
        remove(repository, STAMP, b"there")
    texts(repository)
    remove(repository, STAMP, b"there")


def test_a_pull_is_lazy_too(there: bytes, here: bytes, asked: list[int]) -> None:
    with opened(there) as full:
        target = full.refs.get(Ref(BOOKMARK, b"main"))
        assert target is not None
        history = History(full)
        fifth = history.commit({b"other": NEW[::-1] + b"\n"}, *target.state.heads, hours=9)
        history.commit({b"other": None}, fifth, hours=10)
    with working_copy(here) as copy:
        assert pull(copy, Request(None), Silent()).came == 2
        assert count(copy.repository.store).blobs == 2
    assert asked == [3]


def test_what_is_lacked_is_known_again_after_a_rebuild(here: bytes) -> None:
    with opened(here) as repository:
        before = list(lacked(repository.store))
    assert rebuild(here) == []
    with opened(here) as repository:
        assert list(lacked(repository.store)) == before
        assert list(fsck(repository, Silent())) == []


def test_gc_keeps_what_is_promised(repository: Repository) -> None:
    before = list(lacked(repository.store))
    gc(repository, Sweep(1 << 60, "0"), Silent())
    assert list(lacked(repository.store)) == before
    assert len(texts(repository)) == 4


def test_who_clones_from_a_lazy_clone_is_told_what_it_lacks(
    here: bytes, tmp_path: Path
) -> None:
    with pytest.raises(LackedError, match="is not in this lazy repository yet"):
        cloned(here, tmp_path / "third", lazy=False)
    assert not (tmp_path / "third").exists()


class Liar(Hosted):
    """Answers with what nobody asked for, or with another than the changes say."""

    answer: Sequence[Part] = ()

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[Part]:
        del ids
        return iter(self.answer)


def test_what_was_not_asked_for_is_refused(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.actions.hosting.Hosted", Liar)
    (ref,) = lacked(repository.store)
    other = BlobPart(BlobId(b"x" * 32), 1, iter((b"x",)))
    for part, rule in (
        (other, "it was not asked for"),
        (BlobPart(ref.id, ref.length, iter((b"x" * ref.length,))), "content of another id"),
        (BlobPart(ref.id, 1, iter((b"x",))), f"it has {ref.length} bytes"),
    ):
        monkeypatch.setattr(Liar, "answer", (part,))
        with pytest.raises(RefusedObjectError, match=rule):
            texts(repository)
        assert list(lacked(repository.store)) == [ref]
    twice = [BlobPart(ref.id, ref.length, iter((IMAGE,))) for _ in range(2)]
    monkeypatch.setattr(Liar, "answer", twice)
    with pytest.raises(RefusedObjectError, match="it was not asked for"):
        texts(repository)
    assert list(lacked(repository.store)) == [ref]


def test_only_blobs_of_what_may_be_read_are_told(there: bytes) -> None:
    with opened(there) as full:
        history = History(full)
        history.commit({b"secret": NEW[::-1] + b"\n"}, bookmark=b"secret", hours=9)
        ids = [BlobId(each) for each in full.store.ids_of(BLOB, range(1, 6))]
    for patterns, names in ((("main",), ids[:4]), (("*",), ids)):
        rights = Rights("ada", patterns)
        host = Admitted(Hosted(there, b"serve", Silent(), rights.user.encode()), rights)
        assert sorted(named(host.blobs(ids))) == sorted(names)
        assert list(host.missing((), (), holds_none)) == []
        host.close()


def named(parts: Iterator[Part]) -> Iterator[bytes]:
    for part in parts:
        if isinstance(part, FramePart):
            yield from (each.id for each in part.blobs())
        elif isinstance(part, BlobPart):
            yield part.id
