from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.model.operation import PLACE
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.worktree.workcopy import working_copy
from tests.builders.history import History


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a working copy of a state in which two nodes show as one file."""
    init(bytes(tmp_path))
    (tmp_path / "a").write_text("same\n")
    with opened(bytes(tmp_path)) as repository:
        history = History(repository)
        base = history.commit({b"x": b"x\n"})
        history.commit({b"a": b"same\n"}, base, bookmark=None)
        history.commit({b"a": b"same\n"}, base, bookmark=None)
        history.commit({b"x": b"y\n"}, 2, 3)
    (tmp_path / "x").write_text("y\n")
    return tmp_path


def _record(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")


def _shown(root: Path, change: int) -> dict[bytes, tuple[int, ...]]:
    with opened(bytes(root)) as repository:
        tree = tree_of(repository, Name((change,)))
        return {path: entry.twins for path, entry in files(tree)}


def _gone(root: Path, change: int) -> list[int]:
    """Return the nodes that a change deletes."""
    with opened(bytes(root)) as repository:
        return [
            node
            for node in (2, 3)
            for write in repository.nodes.registers(node).writes
            if write.change == change and write.register == PLACE and write.value is None
        ]


def test_an_edit_of_one_twin_retires_the_other(root: Path) -> None:
    (twin,) = _shown(root, 4)[b"a"]
    (root / "a").write_text("other\n")
    _record(root)
    assert _shown(root, 5) == {b"a": (), b"x": ()}
    assert _gone(root, 5) == [twin]


def test_a_deletion_takes_both(root: Path) -> None:
    (root / "a").unlink()
    _record(root)
    assert _shown(root, 5) == {b"x": ()}
    assert _gone(root, 5) == [2, 3]


def test_a_change_of_another_file_leaves_both(root: Path) -> None:
    (root / "x").write_text("z\n")
    _record(root)
    assert len(_shown(root, 5)[b"a"]) == 1
    assert _gone(root, 5) == []
