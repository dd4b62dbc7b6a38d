import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.worktree.descent import KEPT, Descent


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Iterator[int]:
    fd = os.open(tmp_path, os.O_RDONLY)
    yield fd
    os.close(fd)


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_each_path_leads_to_its_directory(tmp_path: Path, root: int) -> None:
    descent = Descent(root)
    for path in ("a/b/c", "a/b/d", "a", "e", "a/b/c", ""):
        (tmp_path / path).mkdir(parents=True, exist_ok=True)
        there = os.fstat(descent.at(os.fsencode(path)))
        assert os.path.samestat(there, os.stat(tmp_path / path))
    descent.close()


def test_descriptors_are_bounded_and_all_closed(tmp_path: Path, root: int) -> None:
    before = open_files()
    descent = Descent(root)
    deep = "/".join(["d"] * (KEPT + 50))
    (tmp_path / deep).mkdir(parents=True)
    (tmp_path / deep / "x").mkdir()
    for path in (deep, deep + "/x", deep, deep[:-2]):
        there = os.fstat(descent.at(path.encode()))
        assert os.path.samestat(there, os.stat(tmp_path / path))
        assert open_files() <= before + KEPT + 2
    descent.close()
    assert open_files() == before


@pytest.mark.parametrize(
    "path", [b"link", b"link/sub", b"dir/up/dir", b"..", b"dir/..", b"dir//sub"]
)
def test_neither_a_symlink_nor_dots_are_followed(
    tmp_path: Path, root: int, path: bytes
) -> None:
    (tmp_path / "dir" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to("dir")
    (tmp_path / "dir" / "up").symlink_to("..")
    descent = Descent(root)
    with pytest.raises(NotADirectoryError):
        descent.at(path)
    descent.close()


def test_a_failed_step_leaves_the_rest_usable(tmp_path: Path, root: int) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    before = open_files()
    descent = Descent(root)
    with pytest.raises(FileNotFoundError):
        descent.at(b"a/none/x")
    assert os.path.samestat(os.fstat(descent.at(b"a/b")), os.stat(tmp_path / "a" / "b"))
    descent.close()
    assert open_files() == before


def test_a_strict_descent_notices_a_directory_that_was_moved_away(
    tmp_path: Path, root: int
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    descent = Descent(root, strict=True)
    descent.at(b"a/b")
    (tmp_path / "a").rename(tmp_path / "moved")
    (tmp_path / "a").symlink_to("moved")
    with pytest.raises(NotADirectoryError):
        descent.at(b"a/b")
    (tmp_path / "a").unlink()
    with pytest.raises(FileNotFoundError):
        descent.at(b"a/b")
    descent.close()


def test_a_failure_tells_how_far_the_way_leads(tmp_path: Path, root: int) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    descent = Descent(root)
    with pytest.raises(FileNotFoundError):
        descent.at(b"a/b/c/d")
    assert descent.depth == len(("a", "b"))
    descent.close()
