import os
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.deps import dependencies
from oxy.actions.init import init
from oxy.actions.show import show
from oxy.actions.split import Wish, split
from oxy.model.operation import DIRECTORY, PLACE
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import kept_trees, moved, tree_of
from oxy.worktree.workcopy import working_copy
from tests.builders.desk import AUTHOR, Desk
from tests.builders.merging import fork


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    _write(tmp_path, "d/a", "".join(f"line {number}\n" for number in range(20)))
    _write(tmp_path, "d/s/b", "something else\n")
    _write(tmp_path, "x", "x\n")
    _record(tmp_path)
    return tmp_path


def _write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def _record(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")


def _is_clean(root: Path) -> bool:
    with working_copy(bytes(root)) as copy:
        return not copy.snapshot().changes


def _shown(root: Path, *heads: int) -> list[bytes]:
    with opened(bytes(root)) as repository:
        return [path for path, _ in files(tree_of(repository, Name(heads)))]


def test_a_directory_that_was_moved_whole_is_one_write(root: Path) -> None:
    (root / "d").rename(root / "e")
    (root / "e/a").write_text((root / "e/a").read_text() + "one more\n")
    _record(root)
    assert _is_clean(root)
    with opened(bytes(root)) as repository:
        edits = repository.change(2).operations.nodes
        assert [edit.node.change == DIRECTORY for edit in edits] == [False, True]
        assert [write.register for edit in edits for write in edit.writes] == [PLACE]
        shown = [(diff.old_path, diff.new_path) for diff in show(repository, 2)]
    assert shown == [(b"d/a", b"e/a"), (b"d/s/b", b"e/s/b")]
    assert _shown(root, 2) == [b"e/a", b"e/s/b", b"x"]


def test_what_is_done_after_it_stands_where_it_shows(root: Path) -> None:
    (root / "d").rename(root / "e")
    _record(root)
    (root / "e/a").rename(root / "e/z")
    _write(root, "d/a", "another a\n")
    _write(root, "e/new", "new\n")
    _record(root)
    assert _is_clean(root)
    assert _shown(root, 3) == [b"d/a", b"e/new", b"e/s/b", b"e/z", b"x"]
    (root / "e").rename(root / "d2")
    _record(root)
    assert _is_clean(root)
    assert _shown(root, 4) == [b"d/a", b"d2/new", b"d2/s/b", b"d2/z", b"x"]
    with opened(bytes(root)) as repository:
        states = repository.states
        for name, _ in list(kept_trees(repository)):
            near = moved(
                repository, tree_of(repository, name), states.members(name), states.of_change(4)
            )
            assert [path for path, _ in files(near)] == _shown(root, 4)


def test_what_a_change_depends_on_is_told_by_the_path_that_it_has(root: Path) -> None:
    (root / "d").rename(root / "e")
    _record(root)
    _write(root, "e/s/b", "something more\n")
    _record(root)
    with opened(bytes(root)) as repository:
        told = [reason for found in dependencies(repository, 3) for reason in found.reasons]
    assert {reason.path for reason in told} == {b"e/s/b"}


def test_a_change_is_split_at_the_paths_that_show(root: Path) -> None:
    (root / "d").rename(root / "e")
    _record(root)
    _write(root, "e/s/b", "something more\n")
    _write(root, "x", "more\n")
    _record(root)
    with working_copy(bytes(root)) as copy:
        split(copy, Wish(b"@", [b"e"], b"first"))
    assert _is_clean(root)
    with opened(bytes(root)) as repository:
        parts = [[diff.new_path for diff in show(repository, number)] for number in (4, 5)]
    assert sorted(parts) == [[b"e/s/b"], [b"x"]]


def test_a_directory_moves_back(root: Path) -> None:
    (root / "d").rename(root / "e")
    _record(root)
    os.rename(root / "e", root / "d")
    _record(root)
    assert _is_clean(root)
    assert _shown(root, 3) == [b"d/a", b"d/s/b", b"x"]


def test_a_part_of_a_directory_is_moved_file_by_file(root: Path) -> None:
    (root / "e").mkdir()
    (root / "d/a").rename(root / "e/a")
    _record(root)
    with opened(bytes(root)) as repository:
        (edit,) = repository.change(2).operations.nodes
        assert edit.node.change != DIRECTORY
    assert _shown(root, 2) == [b"d/s/b", b"e/a", b"x"]


@pytest.mark.parametrize("name", ["theirs", "another"])
def test_a_directory_with_two_places_is_settled_by_moving_it(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(root, capfdbinary)
    fork(desk, lambda: (root / "d").rename(root / "q"), lambda: (root / "d").rename(root / "p"))
    shown, other = ("p", "q") if (root / "p").exists() else ("q", "p")
    assert f"C {shown}/a  directory\n" in desk.says()
    to = other if name == "theirs" else name
    (root / shown).rename(root / to)
    desk.commit("Settled")
    assert desk.says() == "on main\nnothing changed\n"
    with opened(bytes(root)) as repository:
        (edit,) = repository.change(4).operations.nodes
        assert edit.node.change == DIRECTORY
    assert _shown(root, 4) == [f"{to}/a".encode(), f"{to}/s/b".encode(), b"x"]
