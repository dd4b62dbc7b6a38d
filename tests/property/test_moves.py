"""Laws of moves that were noted (N30, N42): each node is recorded where its file is."""

import os
import tempfile
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.mv import mv
from oxy.actions.rm import rm
from oxy.actions.status import status
from oxy.actions.undo import undo
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.worktree.workcopy import WorkingCopy, working_copy

SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
WHERE = SHARED if os.path.isdir(SHARED) else None
AUTHOR = b"Ada <ada@example.org>"
NAMES = ("a", "b", "c", "d/a", "d/b", "e/a")


def nodes(copy: WorkingCopy) -> dict[str, int]:
    held = files(tree_of(copy.repository, copy.base.state))
    return {os.fsdecode(path): entry.node for path, entry in held}


def record(root: Path) -> dict[str, int]:
    """Record what differs, and return which node is where."""
    with working_copy(os.fsencode(root)) as copy:
        commit(copy, Request(author=AUTHOR), lambda _: b"step")
    with working_copy(os.fsencode(root)) as copy:
        assert not status(copy).snapshot.changes
        return nodes(copy)


def stepped(rng: Random, root: Path, where: dict[str, int]) -> None:
    """Move or delete a file, and say so in `where`."""
    old = rng.choice(sorted(where))
    free = sorted({*NAMES, "t", "D/b"} - where.keys())
    new = rng.choice(free)
    with working_copy(os.fsencode(root)) as copy:
        if rng.random() < 0.15 and not os.path.exists(root / new):
            rm(copy, [os.fsencode(old)])
            del where[old]
        else:
            mv(copy, [os.fsencode(old)], os.fsencode(new))
            where[new] = where.pop(old)


@given(st.integers(0, 1 << 32))
def test_every_node_is_recorded_where_its_file_was_moved(seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - a case is made, no secret
    with tempfile.TemporaryDirectory(dir=WHERE) as directory:
        root = Path(directory)
        init(os.fsencode(root))
        for name in NAMES:
            (root / name).parent.mkdir(exist_ok=True)
            # Some are alike: nothing is found by what is in them.
            (root / name).write_text(f"{rng.randrange(3)}\n")
        before = record(root)
        for _ in range(2):
            where = dict(before)
            for _ in range(rng.randrange(1, 8)):
                if where:
                    stepped(rng, root, where)
            after = record(root)
            assert after == where
            if after != before:
                with working_copy(os.fsencode(root)) as copy:
                    undo(copy)
                assert record(root) == where
            before = after
            if not before:
                return
