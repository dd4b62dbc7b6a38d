"""Whether anything moved, without asking git (spec: GB61)."""

import os
from pathlib import Path

import pytest

from oxy.actions.init import init
from oxy_git.beside.glance import (
    git_directory,
    git_side,
    is_as_seen,
    oxy_side,
    remember,
    under_way,
)
from tests.builders.gitrepo import GitRepo


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    git = GitRepo(tmp_path / "git")
    git.main({b"a": b"a\n"})
    return git


def side(git: GitRepo) -> bytes:
    place = git_directory(bytes(git.root))
    assert place is not None
    return git_side(place)


def test_a_directory_without_git_has_no_git_directory(tmp_path: Path) -> None:
    assert git_directory(bytes(tmp_path)) is None
    (tmp_path / ".git").write_text("nothing of the kind\n")
    assert git_directory(bytes(tmp_path)) is None


def test_a_linked_worktree_shares_what_the_first_one_has(git: GitRepo, tmp_path: Path) -> None:
    git.git("worktree", "add", "-q", "-b", "there", str(tmp_path / "there"))
    place = git_directory(bytes(tmp_path / "there"))
    assert place is not None
    assert place.own == bytes(git.store / "worktrees/there")
    assert os.path.realpath(place.common) == bytes(git.store)


@pytest.mark.parametrize(
    "words",
    [
        ("branch", "other"),
        ("tag", "v1"),
        ("pack-refs", "--all"),
        ("checkout", "-q", "--detach"),
        ("update-ref", "refs/remotes/origin/main", "HEAD"),
        ("worktree", "add", "-q", "../there"),
        (
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b",
            "commit",
            "-q",
            "-m",
            "x",
            "--allow-empty",
        ),
    ],
)
def test_whatever_moves_a_ref_shows(git: GitRepo, words: tuple[str, ...]) -> None:
    git.git("reset", "-q", "--hard")
    before = side(git)
    assert side(git) == before
    git.git(*words)
    assert side(git) != before


def test_the_index_and_the_files_do_not_show(git: GitRepo) -> None:
    git.git("reset", "-q", "--hard")
    before = side(git)
    (git.root / "b").write_text("b\n")
    git.git("add", "b")
    assert side(git) == before


def test_what_was_remembered_holds_until_either_side_moves(git: GitRepo) -> None:
    control = bytes(git.root / ".oxy")
    place = git_directory(bytes(git.root))
    assert place is not None
    init(bytes(git.root))
    assert not is_as_seen(place, control)
    remember(control, oxy_side(control), git_side(place))
    assert is_as_seen(place, control)
    git.git("branch", "other")
    assert not is_as_seen(place, control)
    remember(control, b"", git_side(place))
    assert not is_as_seen(place, control)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("MERGE_HEAD", "a merge"),
        ("rebase-merge", "a rebase"),
        ("rebase-apply", "a rebase"),
        ("CHERRY_PICK_HEAD", "a cherry-pick"),
        ("REVERT_HEAD", "a revert"),
    ],
)
def test_what_git_waits_with_is_named(git: GitRepo, name: str, what: str) -> None:
    place = git_directory(bytes(git.root))
    assert place is not None
    assert under_way(place) is None
    (git.store / name).write_text("")
    assert under_way(place) == what
