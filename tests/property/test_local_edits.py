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
from tests.builders.steps import planted, stepped
from tests.builders.tree import Tree, held, make

SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
WHERE = SHARED if os.path.isdir(SHARED) else None
AUTHOR = b"Ada <ada@example.org>"


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
    one = planted(rng)
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
    one = planted(rng)
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
