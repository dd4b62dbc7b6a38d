"""A collection or an upgrade that dies at any of its steps loses nothing (ST29, ST31).

It dies at the n-th step: the steps are the calls that change files and the statements given to
SQLite, before and after each. Then everything is proven, and it is done again.
"""

import os
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from blake3 import blake3

from oxy.actions.commit import Request as Commit
from oxy.actions.commit import commit
from oxy.actions.gc import Request, gc
from oxy.actions.init import init
from oxy.actions.undo import undo
from oxy.actions.upgrade import upgrade
from oxy.repo.fsck import fsck, rebuild
from oxy.repo.repository import opened
from oxy.store.errors import FormatTooOldError
from oxy.store.protocol import BLOB, CHANGE
from oxy.worktree.workcopy import working_copy
from tests.builders.dying import dies_at
from tests.builders.exchange import Silent
from tests.builders.tree import File, Tree, make

CALLS = ("fsync", "open", "pwrite", "rename", "truncate", "unlink")
SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
NOW = 4_000_000_000_000_000
STEP = int(os.environ.get("OXY_GC_STEP", "7"))
"""Of so many steps one is died at."""


@pytest.fixture
def work() -> Iterator[Path]:
    directory = Path(tempfile.mkdtemp(dir=SHARED if os.path.isdir(SHARED) else None))
    yield directory
    shutil.rmtree(directory)


def recorded(root: Path, tree: Tree) -> None:
    make(root, tree)
    with working_copy(bytes(root)) as copy:
        commit(copy, Commit(author=b"Ada <ada@example.org>"), lambda _: b"step")


@pytest.fixture
def template(work: Path) -> Path:
    """Return a repository with a large blob, some small ones, and a change nobody holds."""
    root = work / "template"
    init(bytes(root))
    recorded(root, {"f": File(b"1\n"), "big": File(os.urandom(1 << 20) + b"\0" * (1 << 20))})
    recorded(root, {"f": File(b"2\n"), "text": File(b"line\n" * 2000)})
    recorded(root, {"f": File(b"3\n")})
    with working_copy(bytes(root)) as copy:
        undo(copy)
    recorded(root, {"f": File(b"4\n")})
    return root


def held(root: Path) -> dict[int, list[bytes]]:
    """Return every object that is there, once all of the repository is proven right."""
    with opened(bytes(root)) as repository:
        assert list(fsck(repository, Silent())) == []
        store = repository.store
        found: dict[int, list[bytes]] = {}
        for kind in (CHANGE, BLOB):
            gone = store.all_gone(kind)
            numbers = [at for at in range(1, store.count(kind) + 1) if at not in gone]
            found[kind] = [b"".join(store.chunks(kind, number)) for number in numbers]
        return found


def collected(root: Path, grace: str) -> None:
    with opened(bytes(root)) as repository:
        gc(repository, Request(NOW, grace), Silent())


def deaths(template: Path, copy: Path, action: Callable[[], None]) -> Iterator[int]:
    for step in count(1, STEP):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(template, copy)
        if not dies_at(step, action, CALLS):
            return
        yield step


def test_a_collection_that_dies_loses_nothing(template: Path, work: Path) -> None:
    before, copy = held(template), work / "copy"
    steps = 0
    for steps in deaths(template, copy, lambda: collected(copy, "14")):  # noqa: B007 - counted
        assert held(copy) == before
        collected(copy, "14")
        assert held(copy) == before
        assert len(os.listdir(copy / ".oxy/segments")) == 2
    assert steps > 10 * STEP


def test_a_removal_that_dies_is_before_or_after(template: Path, work: Path) -> None:
    before, copy = held(template), work / "copy"
    after = {CHANGE: [before[CHANGE][at] for at in (0, 1, 3)], BLOB: before[BLOB]}
    for _ in deaths(template, copy, lambda: collected(copy, "0")):
        assert held(copy) in (before, after)
        collected(copy, "0")
        assert held(copy) == after


def test_after_a_death_the_index_is_made_anew_from_the_segments(
    template: Path, work: Path
) -> None:
    before, copy = held(template), work / "copy"
    for _ in deaths(template, copy, lambda: collected(copy, "14")):
        assert rebuild(bytes(copy)) == []
        assert held(copy) == before


def made_old(root: Path) -> None:
    """Make of a repository one of the first format, as the spec has it (ST37)."""
    path = root / ".oxy/segments/000001.oxs"
    start = struct.pack(">8sIIQ", b"\x8foxyseg\n", 1, 1, 0)
    path.write_bytes(start + blake3(start).digest(8) + path.read_bytes()[32:])
    database = sqlite3.connect(root / ".oxy/index.db")
    database.execute("DROP TABLE gone")
    database.execute("PRAGMA user_version=1")
    database.commit()
    database.close()


def upgraded(root: Path) -> tuple[int, int, int, int]:
    return upgrade(bytes(root), Silent())


def again(root: Path) -> None:
    upgraded(root)


def test_an_upgrade_that_dies_goes_on(template: Path, work: Path) -> None:
    before, copy = held(template), work / "copy"
    made_old(template)
    with pytest.raises(FormatTooOldError), opened(bytes(template)):
        pass
    for _ in deaths(template, copy, lambda: again(copy)):
        assert upgraded(copy)[2:] == (2, 2)
        assert held(copy) == before
        assert upgraded(copy) == (2, 2, 2, 2)
    shutil.rmtree(copy)
    shutil.copytree(template, copy)
    assert upgraded(copy) == (1, 1, 2, 2)
    assert held(copy) == before
