"""Laws of recording and going back: what was recorded is what comes back, byte for byte."""

import os
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.status import status
from oxy.actions.switch import switch
from oxy.actions.undo import undo
from oxy.worktree.workcopy import working_copy
from tests.builders.tree import File, Tree, held, make

NAMES = ["a", "b", "d/a", "d/e/c", "e", "e/x"]
LINES = st.sampled_from(["one\n", "two\n", "three\n", "\r\n", "\n", "long line of text here\n"])
TEXTS = st.tuples(st.lists(LINES, max_size=8), st.sampled_from(["", "no final LF"])).map(
    lambda parts: File(("".join(parts[0]) + parts[1]).encode())
)
FILES = st.one_of(
    TEXTS,
    TEXTS.map(lambda file: file._replace(executable=True)),
    st.sampled_from(
        [
            File(b"\0binary"),
            File(b"\0" * 5000),
            File(b"caf\xe9\n" * 1200),
            File(b"a", is_link=True),
            File(b"../nowhere", is_link=True),
        ]
    ),
)


def fits(names: dict[str, File]) -> Tree:
    """Drop what cannot be beside a file: what lies below its name."""
    return {
        name: file
        for name, file in names.items()
        if not any(name.startswith(other + "/") for other in names)
    }


TREES = st.dictionaries(st.sampled_from(NAMES), FILES, max_size=5).map(fits)
# In memory where that can be had: what a sync costs is no part of these laws.
SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
WHERE = SHARED if os.path.isdir(SHARED) else None
AUTHOR = b"Ada <ada@example.org>"


class Desk:
    """A working copy and the trees that were recorded in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.start = os.fsencode(root)
        self.recorded: dict[bytes, Tree] = {}
        init(self.start)

    def record(self, tree: Tree) -> None:
        make(self.root, tree)
        with working_copy(self.start) as copy:
            done = commit(copy, Request(author=AUTHOR), lambda _: b"step")
        if done.id is not None:
            self.recorded[done.id] = tree

    def go(self, change: bytes) -> None:
        with working_copy(self.start) as copy:
            switch(copy, change.hex().encode())

    def changes(self) -> set[tuple[bytes, str]]:
        with working_copy(self.start) as copy:
            found = status(copy).snapshot.changes
            return {(change.path, change.kind) for change in found}


@given(st.lists(TREES, min_size=1, max_size=4))
def test_every_recorded_tree_comes_back_byte_for_byte(trees: list[Tree]) -> None:
    with tempfile.TemporaryDirectory(dir=WHERE) as directory:
        desk = Desk(Path(directory))
        for tree in trees:
            desk.record(tree)
            assert desk.changes() == set()
        steps = list(desk.recorded.items())
        for change, tree in [*reversed(steps), *steps]:
            desk.go(change)
            assert held(desk.root) == tree
            assert desk.changes() == set()


@given(TREES, TREES)
def test_an_undone_commit_leaves_the_files_and_shows_them_as_changes(
    one: Tree, two: Tree
) -> None:
    with tempfile.TemporaryDirectory(dir=WHERE) as directory:
        desk = Desk(Path(directory))
        desk.record(one)
        make(desk.root, two)
        before = desk.changes()
        desk.record(two)
        if before:
            with working_copy(desk.start) as copy:
                undo(copy)
        assert held(desk.root) == two
        assert desk.changes() == before


@given(TREES, TREES)
def test_a_lost_cache_changes_no_answer(one: Tree, two: Tree) -> None:
    with tempfile.TemporaryDirectory(dir=WHERE) as directory:
        desk = Desk(Path(directory))
        desk.record(one)
        make(desk.root, two)
        before = desk.changes()
        for cache in (desk.root / ".oxy/cache").iterdir():
            cache.unlink()
        assert desk.changes() == before
        assert desk.changes() == before
