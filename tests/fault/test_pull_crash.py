"""A pull or a push that dies at any of its steps leaves before or after (SY6; design 14).

The pull dies at the n-th step, for every n: the steps are the calls that change files and the
statements given to SQLite, before and after each. Then everything is proven, and it is done
again.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from oxy.actions.commit import Request as Commit
from oxy.actions.commit import commit
from oxy.actions.init import init
from oxy.actions.pull import Request, pull
from oxy.actions.push import Request as Push
from oxy.actions.push import push
from oxy.repo.fsck import fsck
from oxy.repo.refs import BOOKMARK, Ref
from oxy.repo.repository import opened
from oxy.worktree.workcopy import working_copy
from tests.builders.dying import DIED, dies_at
from tests.builders.exchange import Silent
from tests.builders.tree import File, Tree, held, make

CALLS = ("fsync", "mkdir", "open", "pwrite", "rename", "replace", "truncate", "unlink")
SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
OLD: Tree = {"f": File(b"1\n")}
NEW: Tree = {"f": File(b"2\n"), "d/big": File(b"line\n" * 2000), "bin": File(b"\0" * 5000)}


@pytest.fixture
def work() -> Iterator[Path]:
    directory = Path(tempfile.mkdtemp(dir=SHARED if os.path.isdir(SHARED) else None))
    yield directory
    shutil.rmtree(directory)


def recorded(root: Path, tree: Tree) -> None:
    make(root, tree)
    with working_copy(bytes(root)) as copy:
        commit(copy, Commit(author=b"Ada <ada@example.org>"), lambda _: b"step")


def two(work: Path) -> tuple[Path, Path]:
    """Make one repository of two changes, and another that has the first of them."""
    source, target = work / "source", work / "template"
    for root in (source, target):
        init(bytes(root))
    recorded(source, OLD)
    pulled(source, target)
    recorded(source, NEW)
    return source, target


def pulled(source: Path, target: Path) -> None:
    with working_copy(bytes(target)) as copy:
        pull(copy, Request(bytes(source)), Silent())


def proven(root: Path) -> int:
    """Return how many changes the current bookmark has, all of the repository being right."""
    with opened(bytes(root)) as repository:
        assert list(fsck(repository, Silent())) == []
        target = repository.refs.get(Ref(BOOKMARK, b"main"))
        assert target is not None
        return len(repository.states.members(target.state))


def deaths(template: Path, copy: Path, action: Callable[[], None]) -> Iterator[int]:
    for step in count(1):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(template, copy)
        if not dies_at(step, action, CALLS):
            return
        yield step


def test_a_pull_that_dies_is_done_again(work: Path) -> None:
    source, template = two(work)
    target = work / "target"
    seen = set()
    for _ in deaths(template, target, lambda: pulled(source, target)):
        seen.add(proven(target))
        pulled(source, target)
        assert held(target) == NEW
        assert proven(target) == 2
    assert seen == {1, 2}


def test_a_push_that_dies_is_done_again(work: Path) -> None:
    target, source = two(work)
    recorded(source, {**OLD, "own": File(b"own\n")})
    pulled(target, source)
    other = work / "other"
    with working_copy(bytes(source)) as copy:
        name = copy.base.bookmark or b""

    def pushed() -> None:
        with working_copy(bytes(source)) as copy:
            push(copy, Push(bytes(other), (name,)), Silent())

    seen = set()
    for _ in deaths(target, other, pushed):
        seen.add(proven(other))
        pushed()
        assert proven(other) == 3
    assert seen == {2, 3}


def test_a_pull_that_was_killed_goes_on_from_what_it_had(work: Path) -> None:
    source, target = work / "source", work / "target"
    for root in (source, target):
        init(bytes(root))
    for at in range(40):
        recorded(source, {"f": File(os.urandom(40_000).hex().encode() + b"%d\n" % at)})

    class Killer(Silent):
        def update(self, done: int, total: int | None, what: str, _size: int = 0) -> None:
            super().update(done, total, what)
            if done == 60:
                os._exit(DIED)

    child = os.fork()
    if child == 0:
        with working_copy(bytes(target)) as copy:
            pull(copy, Request(bytes(source)), Killer())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == DIED
    with working_copy(bytes(target)) as copy:
        came = pull(copy, Request(bytes(source)), Silent()).came
    assert 10 <= came < 40 - 10
    assert proven(target) == 40
