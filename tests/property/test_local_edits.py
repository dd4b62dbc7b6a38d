"""Laws of local edits that go along (W24): they come back, or nothing is written."""

import os
import tempfile
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.status import status
from oxy.actions.switch import switch
from oxy.worktree.checkout import WouldOverwriteError
from oxy.worktree.workcopy import working_copy
from tests.builders.tree import File, Tree, held, make

NAMES = ["a", "b", "d/a", "d/e/c", "e"]
SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
WHERE = SHARED if os.path.isdir(SHARED) else None
AUTHOR = b"Ada <ada@example.org>"
LINES = [b"one\n", b"two\n", b"\n", b"a longer line of text\n"]


def text(rng: Random) -> File:
    """Return a text, in which lines may be alike."""
    size = rng.randrange(14)
    lines = [b"%d\n" % n if rng.random() < 0.7 else rng.choice(LINES) for n in range(size)]
    return File(b"".join(lines))


def edited(rng: Random, file: File) -> File:
    """Return a file with a few lines edited, or something else of it."""
    way = rng.random()
    if file.is_link or b"\0" in file.data or way < 0.1:
        return rng.choice(
            [
                File(b"\0binary%d" % rng.randrange(3)),
                File(b"a", is_link=True),
                file._replace(executable=not file.executable and not file.is_link),
                text(rng),
            ]
        )
    lines = file.data.splitlines(keepends=True)
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(lines) + 1)
        new = [rng.choice([b"new %d\n" % rng.randrange(9), *LINES])] * rng.randrange(3)
        lines[at : at + rng.randrange(3)] = new
    data = b"".join(lines)
    data = data.removesuffix(b"\n") if rng.random() < 0.1 else data
    return File(data, file.executable ^ (rng.random() < 0.1))


def stepped(rng: Random, tree: Tree) -> Tree:
    """Return a tree with some files edited, moved, added, deleted."""
    after = dict(tree)
    for name, file in tree.items():
        way = rng.random()
        if way < 0.5:
            after[name] = edited(rng, file)
        elif way < 0.6:
            del after[name]
        elif way < 0.75:
            del after[name]
            after[rng.choice(["moved/", ""]) + name.replace("/", "-") + "x"] = file
    if rng.random() < 0.3:
        after[rng.choice(["new", *NAMES])] = text(rng)
    return {n: f for n, f in after.items() if not any(m.startswith(n + "/") for m in after)}


class Desk:
    """A working copy."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.start = os.fsencode(root)
        init(self.start)

    def record(self, tree: Tree) -> bytes | None:
        make(self.root, tree)
        with working_copy(self.start) as copy:
            return commit(copy, Request(author=AUTHOR), lambda _: b"step").id

    def go(self, change: bytes) -> bool:
        """Go to the state of a change; return whether that was possible."""
        with working_copy(self.start) as copy:
            try:
                switch(copy, change.hex().encode())
            except WouldOverwriteError:
                return False
        return True

    def changes(self) -> dict[str, str]:
        """Return what happened to each path; a renamed file is at two."""
        with working_copy(self.start) as copy:
            found = status(copy).snapshot.changes
        sources = {os.fsdecode(c.source): c.kind for c in found if c.source is not None}
        return sources | {os.fsdecode(c.path): c.kind for c in found}


@given(st.integers(0, 1 << 32))
def test_edits_that_go_along_come_back_and_others_stop_everything(seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - nothing secret
    one = {name: text(rng) for name in NAMES if rng.random() < 0.7}
    other, local = stepped(rng, one), stepped(rng, one)
    with tempfile.TemporaryDirectory(dir=WHERE) as directory:
        desk = Desk(Path(directory))
        first, second = desk.record(one), desk.record(other)
        if first is None or second is None:
            return
        assert desk.go(first)
        make(desk.root, local)
        before = desk.changes()
        if not desk.go(second):
            assert held(desk.root) == local
            assert desk.changes() == before
            return
        there = held(desk.root)
        after = desk.changes()
        if not desk.go(first):
            assert held(desk.root) == there
            assert desk.changes() == after
            return
        back = held(desk.root)
        for name in one | other | local | back:
            if back.get(name) != local.get(name):
                # It was as the other state has it, and so no edit of that.
                assert local.get(name) == other.get(name)
                assert back.get(name) == one.get(name)


@given(st.integers(0, 1 << 32))
def test_a_state_with_edits_is_the_state_where_nothing_was_edited(seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - nothing secret
    one = {name: text(rng) for name in NAMES if rng.random() < 0.7}
    other, local = stepped(rng, one), stepped(rng, one)
    with tempfile.TemporaryDirectory(dir=WHERE) as directory:
        desk = Desk(Path(directory))
        first, second = desk.record(one), desk.record(other)
        if first is None or second is None or not desk.go(first):
            return
        make(desk.root, local)
        if desk.go(second):
            there = held(desk.root)
            edits = desk.changes()
            for name in one | other | there:
                if local.get(name) == one.get(name) and name not in edits:
                    assert there.get(name) == other.get(name)
            make(desk.root, other)
            assert desk.changes() == {}
