"""What breaks a rule is refused at each door by which it can come, and nothing is left."""

import struct
from io import BytesIO
from pathlib import Path

import pytest

from oxy.actions.applying import apply
from oxy.actions.bundling import verify
from oxy.actions.init import init
from oxy.actions.pull import Request, pull
from oxy.actions.push import Request as Push
from oxy.actions.push import push
from oxy.codec.decode import read
from oxy.codec.encode import node_sizes
from oxy.codec.wire import pack
from oxy.model.digest import ChangeId
from oxy.model.operation import Lines
from oxy.repo.indexing import Indexer
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.store.protocol import CHANGE
from oxy.sync.bundle import MAGIC
from oxy.sync.errors import RefusedNameError, RefusedObjectError
from oxy.sync.frames import framed
from oxy.sync.part import ChangePart
from oxy.worktree.workcopy import working_copy
from tests.builders.exchange import STAMP, Silent
from tests.builders.forged import (
    BASE,
    BINARY,
    deleted,
    header,
    linked_above,
    made,
    text,
    written,
)
from tests.unit.sync.test_receiving import content

EVIL = {
    "a path": (made(header(), text(b"..")), "is . or .."),
    "a symlink above": (linked_above(), "is that of a symlink"),
    "a line": (made(header(BASE.id), deleted(Lines(1, 2, 9))), "a line that is not there"),
    "a register": (made(header(BASE.id), written(2, 1, 1)), "was never written"),
}


@pytest.fixture
def roots(tmp_path: Path) -> tuple[Path, Path]:
    made = tmp_path / "evil", tmp_path / "mine"
    for root in made:
        init(bytes(root))
    return made


def planted(root: Path, *parts: ChangePart) -> None:
    """Store changes that nothing has checked, and let the bookmark main hold the last."""
    with opened(bytes(root)) as repository, writing(repository, STAMP) as work:
        indexer = Indexer(work.transaction, repository.states)
        at = 0
        for part in parts:
            change = read(part.payload)
            at = work.transaction.append(CHANGE, part.id, part.payload)
            indexer.index(change, at, part.payload, node_sizes(change.operations))
        work.move(Ref(BOOKMARK, b"main"), Target(Name((at,))))


def bundle(name: bytes, *parts: ChangePart) -> bytes:
    names = ((BOOKMARK, name, (parts[-1].id,), (), ()),) if parts else ()
    head = pack(((), names))
    start = struct.pack(">8sII", MAGIC, 1, len(head)) + head
    return start + b"".join(framed(parts, start))


@pytest.mark.parametrize("what", EVIL)
def test_what_breaks_a_rule_is_refused_at_every_door(
    roots: tuple[Path, Path], what: str
) -> None:
    evil, mine = roots
    bad, rule = EVIL[what]
    planted(evil, BASE, bad)
    with opened(bytes(mine)) as repository:
        before = content(repository)
    data = bundle(b"main", BASE, bad)
    with working_copy(bytes(mine)) as copy:
        with pytest.raises(RefusedObjectError, match=rule):
            pull(copy, Request(bytes(evil)), Silent())
        with pytest.raises(RefusedObjectError, match=rule):
            apply(copy, BytesIO(data).read, Silent())
        with pytest.raises(RefusedObjectError, match=rule):
            verify(copy.repository, BytesIO(data).read, Silent())
    with working_copy(bytes(evil)) as copy, pytest.raises(RefusedObjectError, match=rule):
        push(copy, Push(bytes(mine), (b"main",)), Silent())
    with opened(bytes(mine)) as repository:
        assert content(repository) == before
        assert repository.refs.get(Ref(BOOKMARK, b"main")) == Target(Name())
        assert (repository.refs.get(HERE) or Target(Name())).state == Name()
    with working_copy(bytes(mine)) as copy:
        assert apply(copy, BytesIO(bundle(b"main", BASE)).read, Silent()).came == 1


@pytest.mark.parametrize("name", [b"-x", b"a b", b"../x"])
def test_a_name_that_breaks_the_rule_is_refused(roots: tuple[Path, Path], name: bytes) -> None:
    _, mine = roots
    with working_copy(bytes(mine)) as copy:
        before = content(copy.repository)
        with pytest.raises(RefusedNameError, match="is refused"):
            apply(copy, BytesIO(bundle(name, BASE)).read, Silent())
        assert content(copy.repository) == before


def test_a_bundle_that_promises_more_than_it_holds_is_refused(
    roots: tuple[Path, Path],
) -> None:
    _, mine = roots
    gone = ChangePart(ChangeId(b"\7" * 32), b"")
    head = pack(((), ((BOOKMARK, b"main", (gone.id,), (), ()),)))
    start = struct.pack(">8sII", MAGIC, 1, len(head)) + head
    data = start + b"".join(framed([BASE, BINARY], start))
    with working_copy(bytes(mine)) as copy:
        before = content(copy.repository)
        with pytest.raises(RefusedNameError, match="of its state is missing"):
            apply(copy, BytesIO(data).read, Silent())
        with pytest.raises(RefusedNameError, match="of its state is missing"):
            verify(copy.repository, BytesIO(data).read, Silent())
        assert content(copy.repository) == before


def test_another_repository_is_only_read(roots: tuple[Path, Path]) -> None:
    other, mine = roots
    planted(other, BASE)
    held = {path: path.stat().st_mtime_ns for path in other.rglob("*")}
    with working_copy(bytes(mine)) as copy:
        pull(copy, Request(bytes(other)), Silent())
    assert {path: path.stat().st_mtime_ns for path in other.rglob("*")} == held


def test_what_a_crash_left_there_is_not_read(roots: tuple[Path, Path]) -> None:
    other, mine = roots
    planted(other, BASE)
    index = other / ".oxy/index.db"
    before = index.read_bytes()
    planted(other, BINARY)
    index.write_bytes(before)
    with working_copy(bytes(mine)) as copy:
        assert pull(copy, Request(bytes(other)), Silent()).came == 1
    assert index.read_bytes() == before
