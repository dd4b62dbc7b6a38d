"""However a history comes in, each commit becomes the same change (GB5, GB24, GB45)."""

from itertools import permutations
from pathlib import Path

import pytest

from oxy.repo.repository import opened
from tests.builders.bridge import ids
from tests.builders.desk import AUTHOR, Desk
from tests.builders.gitcases import TEN, swapped
from tests.builders.gitrepo import GitRepo

BRANCHES = ("left", "right", "main")


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    """Return two lines of work that edit one file, move one, and meet."""
    git = GitRepo(tmp_path / "git")
    base = git.commit({b"a": TEN, b"d/b": b"b\n"})
    left = git.commit({b"a": swapped(TEN, b"3", b"three"), b"e/b": b"b\n"}, base)
    right = git.commit({b"a": swapped(TEN, b"3", b"drei"), b"d/b": b"b\n"}, base)
    right = git.commit({b"a": swapped(TEN, b"3", b"trois"), b"d/b": b"b\n", b"c": TEN}, right)
    git.branch("left", left)
    git.branch("right", right)
    git.main({b"a": swapped(TEN, b"3", b"three"), b"e/b": b"b\n", b"c": TEN}, left, right)
    return git


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    return Desk(tmp_path, capfdbinary)


def held(desk: Desk, where: str, git: GitRepo) -> dict[str, bytes]:
    with opened(bytes(desk.root / where)) as repository:
        return ids(repository, git)


def test_branches_come_in_any_order_one_by_one(desk: Desk, git: GitRepo) -> None:
    desk.says("git", "import", str(git.root), "whole")
    whole = held(desk, "whole", git)
    assert len(whole) == 5
    for order in permutations(BRANCHES):
        place = "-".join(order)
        for branch in order:
            desk.says("git", "import", "--branch", branch, str(git.root), place)
        assert held(desk, place, git) == whole


def test_what_moved_comes_in_as_if_it_had_been_there(desk: Desk, git: GitRepo) -> None:
    desk.says("git", "import", str(git.root), "followed")
    tip, other = git.git("rev-parse", "main", "main^2").decode().split()
    git.main({b"a": TEN}, git.commit({b"a": b"rewritten\n"}, other), tip)
    git.branch("left", git.commit({b"a": b"elsewhere\n"}))
    desk.says("git", "import", str(git.root), "followed")
    desk.says("git", "import", str(git.root), "anew")
    assert held(desk, "followed", git) == held(desk, "anew", git)
    assert " 0 mismatches" in desk.says("git", "verify", where="followed")


def test_two_who_have_a_part_each_exchange_and_have_all(desk: Desk, git: GitRepo) -> None:
    desk.says("git", "import", str(git.root), "whole")
    desk.says("git", "import", "--branch", "left", str(git.root), "ada")
    desk.says("git", "import", "--branch", "right", str(git.root), "grace")
    desk.says("pull", str(desk.root / "grace"), where="ada")
    desk.says("pull", str(desk.root / "ada"), where="grace")
    for place in ("ada", "grace"):
        assert desk.says("git", "verify", where=place).startswith("4 commits: ")
        found = desk.record("git", "import", str(git.root), place)
        assert (found["commits"], found["already"]) == (1, 4)
        assert held(desk, place, git) == held(desk, "whole", git)
