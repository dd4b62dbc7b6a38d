from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.grep import grep, recorded, working
from oxy.actions.init import init
from oxy.actions.seeking import Around, Matcher, Query
from oxy.actions.status import NoSuchPathError
from oxy.actions.tree import NoPathError
from oxy.worktree.workcopy import working_copy
from tests.builders.tree import File, make

FILES = {
    ".gitignore": File(b"ignored\n"),
    "a": File(b"one\ntwo\n"),
    "d/b": File(b"two\nthree\n"),
    "bin": File(b"x\n\0two\ntwo\n"),
    "link": File(b"two", is_link=True),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    make(tmp_path, FILES)
    with working_copy(bytes(tmp_path)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"base")
    (tmp_path / "a").write_text("one\ntwo now\n")
    (tmp_path / "new").write_text("two\n")
    (tmp_path / "ignored").write_text("two\n")
    return tmp_path


def found(root: Path, *paths: bytes, at: bool) -> dict[bytes, list[tuple[int, str]]]:
    matcher = Matcher(Query(("two",)))
    with working_copy(bytes(root)) as copy:
        sources = recorded(copy, copy.base.state, paths) if at else working(copy, paths)
        return {
            file.path: [] if file.binary else [(hit.number, hit.text) for hit in file.hits]
            for file in grep(sources, matcher, Around())
        }


def test_files_are_searched_as_they_are_on_disk(root: Path) -> None:
    assert found(root, at=False) == {
        b"a": [(2, "two now")],
        b"bin": [],
        b"d/b": [(1, "two")],
        b"new": [(1, "two")],
    }


def test_files_of_a_state_are_searched_as_it_has_them(root: Path) -> None:
    assert found(root, at=True) == {b"a": [(2, "two")], b"bin": [], b"d/b": [(1, "two")]}


@pytest.mark.parametrize("at", [True, False])
def test_paths_narrow_the_search(root: Path, at: bool) -> None:  # noqa: FBT001 - a case
    assert found(root, b"d", at=at) == {b"d/b": [(1, "two")]}


def test_a_path_that_is_nowhere_is_refused(root: Path) -> None:
    with pytest.raises(NoSuchPathError):
        found(root, b"none", at=False)
    with pytest.raises(NoPathError):
        found(root, b"none", at=True)
