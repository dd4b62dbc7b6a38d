"""Laws of recording some of the hunks (W18): the rest stays, and nothing is recorded twice."""

import os
import tempfile
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.commit import Request, commit
from oxy.actions.hunks import hunks
from oxy.actions.init import init
from oxy.actions.status import examined, status
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.worktree.content import Content
from oxy.worktree.hunks import Pick, selected
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.workcopy import WorkingCopy, working_copy
from tests.builders.steps import planted, stepped
from tests.builders.tree import Tree, held, make

SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
WHERE = SHARED if os.path.isdir(SHARED) else None
AUTHOR = b"Ada <ada@example.org>"


def record(root: Path, picks: list[Pick] | None = None) -> bool:
    """Record what differs, or some of it; return whether there was anything."""

    def choose(copy: WorkingCopy, snapshot: Snapshot) -> Snapshot:
        return selected(copy, snapshot, picks or [])

    with working_copy(os.fsencode(root)) as copy:
        request = Request(author=AUTHOR, choose=None if picks is None else choose)
        return commit(copy, request, lambda _: b"step").id is not None


def recorded(root: Path) -> dict[str, bytes]:
    """Return what the base state holds."""
    with working_copy(os.fsencode(root)) as copy:
        content = Content(copy.repository, copy.base.state)
        return {
            os.fsdecode(path): content.read(Item(entry.node, entry.kind, entry.mode, UNHASHED))
            for path, entry in files(tree_of(copy.repository, copy.base.state))
        }


def data_of(tree: Tree) -> dict[str, bytes]:
    return {name: file.data for name, file in tree.items()}


@given(st.integers(0, 1 << 32))
def test_what_is_not_chosen_stays_and_can_be_recorded_next(seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - a case is made, no secret
    one = planted(rng)
    other = stepped(rng, stepped(rng, one))
    with tempfile.TemporaryDirectory(dir=WHERE) as directory:
        root = Path(directory)
        init(os.fsencode(root))
        make(root, one)
        record(root)
        make(root, other)
        with working_copy(os.fsencode(root)) as copy:
            found = list(hunks(copy, examined(copy)))
        every = [
            Pick(hunk.number, part)
            for file in found
            for hunk in file.hunks
            for part in range(min(1, len(hunk.edits)), len(hunk.edits) + 1)
        ]
        picks = [pick for pick in every if rng.random() < 0.5]
        assert record(root, picks) is bool(picks)
        assert held(root) == other
        untouched = {file.change.path for file in found} - {
            file.change.path
            for file in found
            for hunk in file.hunks
            if any(pick.hunk == hunk.number for pick in picks)
        }
        between = recorded(root)
        for path in map(os.fsdecode, untouched):
            assert between.get(path) == data_of(one).get(path)
        with working_copy(os.fsencode(root)) as copy:
            assert bool(status(copy).snapshot.changes) is (len(picks) < len(every))
        assert record(root) is (len(picks) < len(every))
        assert recorded(root) == data_of(other)
        with working_copy(os.fsencode(root)) as copy:
            assert not status(copy).snapshot.changes
