"""Imports beside moves of directories that oxy recorded (spec: git-bridge, GB5; names, N14)."""

from pathlib import Path

import pytest

from oxy.model.change import Moment
from oxy.repo.moving import moving
from oxy.repo.recording import Intent
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.repo.writing import writing
from oxy_git.verify.run import verify
from tests.builders.bridge import Silent, brought, change_of, ids, listed, shown, stamp
from tests.builders.gitcases import TEN, swapped
from tests.builders.gitrepo import GitRepo

EDITED = swapped(TEN, b"1", b"one")


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    """Make a history in which a directory is added to, edited, and merged."""
    git = GitRepo(tmp_path / "git")
    base = git.main({b"d/a": TEN, b"x": TEN})
    ours = git.commit({b"d/a": EDITED, b"d/new": b"new\n", b"x": TEN}, base)
    theirs = git.commit({b"d/a": swapped(TEN, b"8", b"eight"), b"e/b": b"b\n", b"x": TEN}, base)
    both = {b"d/a": swapped(EDITED, b"8", b"eight"), b"d/new": b"new\n", b"x": TEN}
    git.branch("later", git.commit({**both, b"e/b": b"b\n"}, ours, theirs))
    return git


def moved(repository: Repository, base: Name, old: bytes, new: bytes) -> int:
    """Record that a directory is moved."""
    moves = moving(repository, base, old, new)
    intent = Intent(b"Ada <ada@example.org>", Moment(1, 0), b"Moved")
    with writing(repository, stamp()) as work:
        return work.record(intent, base, (), work.next_change(), moves).number


@pytest.mark.parametrize("new", [b"e", b"z"])
def test_a_move_of_oxy_reaches_no_import(git: GitRepo, new: bytes) -> None:
    whole, _ = brought(git)
    repository, _ = brought(git, limit=1)
    base = git.git("rev-parse", "main").decode().strip()
    move = moved(repository, Name((change_of(repository, base),)), b"d", new)
    brought(git, repository)
    assert ids(repository, git) == ids(whole, git)
    for commit in git.git("rev-list", "--all").decode().split():
        assert shown(repository, change_of(repository, commit)) == listed(git, commit)
    assert verify(repository, Silent()).mismatches == ()
    later = change_of(repository, git.git("rev-parse", "later").decode().strip())
    union = repository.states.join((Name((later,)), Name((move,))))
    seen = {path: entry.disputed for path, entry in files(tree_of(repository, union))}
    assert seen == {new + b"/a": 0, new + b"/new": 0, b"e/b": 0, b"x": 0}
