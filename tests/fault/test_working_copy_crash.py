"""A command that dies at any of its steps can be followed by the next one (W28; design 14).

A child dies at the n-th step of an action, for every n: the steps are the calls that change
files and the statements given to SQLite, before and after each. Then the working copy is opened
again.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.discard import discard
from oxy.actions.init import init
from oxy.actions.mv import mv
from oxy.actions.status import Status, status
from oxy.actions.switch import switch
from oxy.actions.undo import undo
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.worktree.workcopy import working_copy
from tests.builders import dying
from tests.builders.scribe import STAMP, Scribe
from tests.builders.scribe import File as Given
from tests.builders.tree import File, Tree, held, make

CALLS = (
    "fsync",
    "ftruncate",
    "makedirs",
    "mkdir",
    "open",
    "pwrite",
    "rename",
    "replace",
    "rmdir",
    "symlink",
    "truncate",
    "unlink",
    "utime",
    "write",
)
SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it

OLD: Tree = {
    "a": File(b"1\n"),
    "d/gone": File(b"\0gone"),
    "link": File(b"a", is_link=True),
    "same": File(b"same\n"),
}
NEW: Tree = {
    "a": File(b"2\n", executable=True),
    "e/new": File(b"new"),
    "link": File(b"e/new", is_link=True),
    "same": File(b"same\n"),
}
FULL: Tree = {"a": File(b"1\n"), "d/e": File(b"2\n"), "d/f/g": File(b"3")}


def dies_at(step: int, action: Callable[[], None]) -> bool:
    """Run the action in a child that dies at a step; return False if it had fewer steps."""
    return dying.dies_at(step, action, CALLS)


def deaths(template: Path, work: Path, action: Callable[[], None]) -> Iterator[int]:
    """Let the action die at each of its steps, each on a copy of its own."""
    for step in count(1):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(template, work, symlinks=True)
        if not dies_at(step, action):
            return
        yield step


class Copy:
    """A working copy that commands run in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.start = bytes(root)

    def record(self) -> bytes | None:
        with working_copy(self.start) as copy:
            request = Request(author=b"Ada <ada@example.org>")
            return commit(copy, request, lambda _: b"step").id

    def switch(self, called: bytes) -> None:
        with working_copy(self.start) as copy:
            switch(copy, called)

    def undo(self) -> None:
        with working_copy(self.start) as copy:
            undo(copy)

    def discard(self) -> None:
        with working_copy(self.start) as copy:
            discard(copy, ())

    def move(self, old: bytes, new: bytes) -> None:
        with working_copy(self.start) as copy:
            mv(copy, [old], new)

    def status(self) -> Status:
        with working_copy(self.start) as copy:
            return status(copy)

    def is_clean(self) -> bool:
        found = self.status()
        return not found.snapshot.changes and found.interrupted is None


@pytest.fixture
def place() -> Iterator[Path]:
    """In memory where that can be had: a thousand syncs are no part of what is shown here."""
    where = SHARED if os.path.isdir(SHARED) else None
    with tempfile.TemporaryDirectory(dir=where) as directory:
        yield Path(directory)


@pytest.fixture
def template(place: Path) -> Path:
    root = place / "template"
    init(bytes(root))
    make(root, OLD)
    copy = Copy(root)
    copy.record()
    with working_copy(copy.start) as opened:
        switch(opened, b"@", b"new")
    make(root, NEW)
    return root


def test_a_switch_that_died_is_told_and_ended_by_the_same_switch(
    place: Path, template: Path
) -> None:
    Copy(template).record()
    work = Copy(place / "work")
    steps = 0
    for step in deaths(template, work.root, lambda: work.switch(b"main")):
        steps = step
        found = work.status()
        assert found.bookmark in {b"main", b"new"}
        if held(work.root) != (OLD if found.bookmark == b"main" else NEW):
            assert found.interrupted is not None
            assert found.interrupted.words == b"main"
        work.switch(b"main")
        assert held(work.root) == OLD
        assert work.is_clean()
    assert steps > 50


def test_a_first_checkout_that_died_is_ended_by_the_same_switch(place: Path) -> None:
    template = place / "template"
    init(bytes(template))
    with opened(bytes(template)) as repository:
        made = Scribe(repository).commit(
            Name(), {path.encode(): Given(file.data) for path, file in FULL.items()}
        )
        with writing(repository, STAMP) as writes:
            writes.move(Ref(BOOKMARK, b"full"), Target(Name((made.number,))))
    work = Copy(place / "work")
    half_written = 0
    for _ in deaths(template, work.root, lambda: work.switch(b"full")):
        there = held(work.root)
        half_written += any(file != FULL[path] for path, file in there.items())
        work.switch(b"full")
        assert held(work.root) == FULL
        assert work.is_clean()
    assert half_written


def test_a_switch_that_died_is_taken_back_by_a_switch_to_where_it_was(
    place: Path, template: Path
) -> None:
    Copy(template).record()
    work = Copy(place / "work")
    for _ in deaths(template, work.root, lambda: work.switch(b"main")):
        work.switch(b"new")
        assert held(work.root) == NEW
        assert work.is_clean()


def test_a_commit_that_died_has_happened_or_not(place: Path, template: Path) -> None:
    work = Copy(place / "work")
    happened = set()
    for _ in deaths(template, work.root, lambda: assert_recorded(work)):
        is_done = work.is_clean()
        happened.add(is_done)
        assert held(work.root) == NEW
        assert (work.record() is None) is is_done
        assert work.is_clean()
    assert happened == {False, True}


def assert_recorded(work: Copy) -> None:
    assert work.record() is not None


def test_an_undo_that_died_has_happened_or_not(place: Path, template: Path) -> None:
    Copy(template).record()
    work = Copy(place / "work")
    happened = set()
    for _ in deaths(template, work.root, work.undo):
        happened.add(not work.is_clean())
        assert held(work.root) == NEW
    assert happened == {False, True}


FIRST: Tree = {
    "edited": File(b"1\n2\n3\n4\n5\n"),
    "gone": File(b"".join(b"gone %d\n" % n for n in range(9))),
    "mode": File(b"mode\n"),
    "moved": File(b"".join(b"moved %d\n" % n for n in range(9))),
    "renamed": File(b"".join(b"renamed %d\n" % n for n in range(9))),
}
SECOND: Tree = {
    "edited": File(b"0\n1\n2\n3\n4\n5\n"),
    "d/gone": FIRST["gone"],
    "mode": File(b"mode\n", executable=True),
    "d/moved": FIRST["moved"],
    "renamed": File(b"more\n" + FIRST["renamed"].data),
}
LOCAL: Tree = {
    "edited": File(b"1\n2\n3\n4\n5 edited\n"),
    "mode": File(b"mode edited\n"),
    "moved": File(FIRST["moved"].data + b"more\n"),
    "mine": File(FIRST["renamed"].data, executable=True),
    "new": File(b"new\n"),
}
CARRIED: Tree = {
    "edited": File(b"0\n1\n2\n3\n4\n5 edited\n"),
    "mode": File(b"mode edited\n", executable=True),
    "d/moved": LOCAL["moved"],
    "mine": SECOND["renamed"]._replace(executable=True),
    "new": File(b"new\n"),
}


@pytest.fixture
def edited(place: Path) -> Path:
    """Stand on the first of two states, with edits that go along to the other."""
    root = place / "template"
    init(bytes(root))
    make(root, FIRST)
    copy = Copy(root)
    copy.record()
    with working_copy(copy.start) as opened:
        switch(opened, b"@", b"new")
    make(root, SECOND)
    copy.record()
    copy.switch(b"main")
    make(root, LOCAL)
    return root


def kinds(work: Copy) -> list[tuple[bytes, str]]:
    return [(change.path, change.kind) for change in work.status().snapshot.changes]


def test_edits_that_go_along_are_there_however_the_switch_died(
    place: Path, edited: Path
) -> None:
    work = Copy(place / "work")
    steps = 0
    for step in deaths(edited, work.root, lambda: work.switch(b"new")):
        steps = step
        work.switch(b"new")
        assert held(work.root) == CARRIED
        assert work.status().interrupted is None
        assert kinds(work) == [
            (b"d/gone", "deleted"),
            (b"d/moved", "modified"),
            (b"edited", "modified"),
            (b"mine", "renamed"),
            (b"mode", "modified"),
            (b"new", "added"),
        ]
    assert steps > 50


def test_edits_that_went_along_are_taken_back_however_the_switch_died(
    place: Path, edited: Path
) -> None:
    work = Copy(place / "work")
    before = kinds(Copy(edited))
    for _ in deaths(edited, work.root, lambda: work.switch(b"new")):
        work.switch(b"main")
        assert held(work.root) == LOCAL
        assert kinds(work) == before


def test_edits_are_there_where_the_switch_and_the_way_back_died(
    place: Path, edited: Path
) -> None:
    half, work = Copy(place / "half"), Copy(place / "work")
    for _ in deaths(edited, half.root, lambda: half.switch(b"new")):
        if held(half.root).get("edited") == CARRIED["edited"]:
            break
    for step in deaths(half.root, work.root, lambda: work.switch(b"main")):
        if step % 2:
            work.switch(b"new")
            assert held(work.root) == CARRIED


def test_what_was_thrown_away_comes_back_wherever_that_died(
    place: Path, template: Path
) -> None:
    work = Copy(place / "work")
    new = {"e/new": NEW["e/new"]}
    steps = 0
    for step in deaths(template, work.root, work.discard):
        steps = step
        work.status()
        work.discard()
        assert held(work.root) == {**OLD, **new}
        work.undo()
        if held(work.root) != NEW:
            work.undo()
        assert held(work.root) == NEW
    assert steps > 30


def test_a_move_that_died_was_made_or_was_not(place: Path, template: Path) -> None:
    Copy(template).record()
    work = Copy(place / "work")
    for _ in deaths(template, work.root, lambda: work.move(b"a", b"f/b")):
        changes = [(c.path, c.source) for c in work.status().snapshot.changes]
        assert changes in ([], [(b"f/b", b"a")])
        assert ("a" in held(work.root)) is not bool(changes)
        if not changes:
            work.move(b"a", b"f/b")
        work.record()
        assert work.is_clean()
