"""Importing again, in another order, after an interruption, and from what is damaged."""

import os
from pathlib import Path

import pytest

from oxy.model.change import Moment
from oxy.repo.fsck import rebuild
from oxy.repo.recording import Intent
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.store.protocol import CHANGE
from oxy_git.importer import run
from oxy_git.importer.run import import_git
from oxy_git.reader.git import Git, GitError
from oxy_git.reader.objects import MissingObjectError
from tests.builders.bridge import Silent, brought, change_of, ids, stamp
from tests.builders.gitcases import TEN, swapped
from tests.builders.gitrepo import GitRepo


class Nobody(Silent):
    """Somebody who loses patience after so many commits."""

    def __init__(self, patience: int) -> None:
        self.left = patience

    def update(self, done: int, total: int | None, what: str, _size: int = 0) -> None:
        del done, total, what
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "git")


def forked(git: GitRepo) -> tuple[str, str]:
    """Make two branches that are merged into a third, and return the two."""
    base = git.commit({b"a": TEN, b"d/b": b"b\n"})
    one = git.commit({b"a": swapped(TEN, b"1", b"one"), b"d/b": b"b\n"}, base)
    two = git.commit({b"a": swapped(TEN, b"8", b"eight"), b"e": TEN}, base)
    for line in (3, 4):
        text = swapped(swapped(TEN, b"1", b"one"), b"%d" % line, b"side")
        one = git.commit({b"a": text, b"d/b": b"b\n"}, one)
    both = swapped(swapped(swapped(TEN, b"1", b"one"), b"4", b"side"), b"8", b"eight")
    git.branch("one", one)
    git.branch("two", two)
    git.main({b"a": both, b"e": TEN}, one, two)
    return one, two


def bookmarks(repository: Repository) -> dict[bytes, Name]:
    return {name: target.state for name, target in repository.refs.all(BOOKMARK)}


@pytest.mark.parametrize("first", ["one", "two"])
def test_a_branch_that_came_before_makes_no_difference(git: GitRepo, first: str) -> None:
    branches = dict(zip(("one", "two"), forked(git), strict=True))
    whole, _ = brought(git)
    part = git.cloned("part")
    part.branch(first, branches[first])
    other, report = brought(part)
    assert report.already == 0
    brought(git, other)
    assert ids(other, git) == ids(whole, git)
    assert bookmarks(other).keys() == bookmarks(whole).keys() == {b"main", b"one", b"two"}


def test_another_history_beside_it_makes_no_difference(git: GitRepo, tmp_path: Path) -> None:
    forked(git)
    whole, _ = brought(git)
    stranger = GitRepo(tmp_path / "stranger")
    stranger.main({b"a": b"another\n"})
    other, _ = brought(stranger)
    brought(git, other)
    assert ids(other, git) == ids(whole, git)


def test_an_import_goes_on_where_it_was_interrupted(
    git: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    forked(git)
    whole, _ = brought(git)
    monkeypatch.setattr(run, "BATCH", 2)
    repository = Repository.in_memory()
    with pytest.raises(KeyboardInterrupt):
        import_git(repository, Git(str(git.root).encode()), stamp, Nobody(5))
    assert repository.store.count(CHANGE) == 4
    assert bookmarks(repository) == {}
    _, report = brought(git, repository)
    assert (report.commits, report.already) == (2, 4)
    assert ids(repository, git) == ids(whole, git)
    assert bookmarks(repository)[b"main"] == Name((change_of(repository, tip(git)),))


def tip(git: GitRepo) -> str:
    return git.git("rev-parse", "main").decode().strip()


def test_a_second_import_brings_what_is_new_and_moves_bookmarks(git: GitRepo) -> None:
    one, _ = forked(git)
    repository, _ = brought(git)
    fresh = git.branch("one", git.commit({b"a": TEN}, one))
    repository, report = brought(git, repository)
    assert (report.commits, report.already, report.refs.moved) == (1, 6, 1)
    assert bookmarks(repository)[b"one"] == Name((change_of(repository, fresh),))


def test_a_rewritten_branch_moves_its_bookmark_and_loses_nothing(git: GitRepo) -> None:
    _, two = forked(git)
    repository, _ = brought(git)
    again = git.branch("one", git.commit({b"a": b"rewritten\n"}, two))
    brought(git, repository)
    assert bookmarks(repository)[b"one"] == Name((change_of(repository, again),))
    assert repository.store.count(CHANGE) == 7


def test_commits_are_known_again_when_the_index_is_made_anew(
    git: GitRepo, tmp_path: Path
) -> None:
    forked(git)
    root = os.fsencode(tmp_path / "into")
    repository, _ = brought(git, Repository.create(root))
    repository.close()
    assert not rebuild(root)
    repository, report = brought(git, Repository.at(root))
    repository.close()
    assert (report.commits, report.already) == (0, 6)


def lost(git: GitRepo, oid: str) -> None:
    os.unlink(git.store / "objects" / oid[:2] / oid[2:])


@pytest.fixture
def damaged(git: GitRepo) -> tuple[GitRepo, str, str]:
    """Return a repository whose second commit has a file that is not there."""
    first = git.commit({b"a": TEN})
    second = git.commit({b"a": TEN, b"d/lost": b"lost\n"}, first)
    git.main({b"a": b"a\n", b"d/lost": b"lost\n"}, second)
    _, oid = git.blob(b"lost\n")
    lost(git, oid)
    return git, second, oid


def test_a_missing_file_is_named_with_its_commit(damaged: tuple[GitRepo, str, str]) -> None:
    git, commit, oid = damaged
    with pytest.raises(MissingObjectError) as caught:
        brought(git)
    assert str(caught.value) == (
        f"the Git repository has no whole object {oid}, 'd/lost' in commit {commit}"
    )


def test_what_came_before_a_missing_file_is_kept(
    damaged: tuple[GitRepo, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    git, _, _ = damaged
    monkeypatch.setattr(run, "BATCH", 1)
    repository = Repository.in_memory()
    with pytest.raises(MissingObjectError):
        brought(git, repository)
    assert repository.store.count(CHANGE) == 1


def test_a_bookmark_with_changes_of_its_own_stays(git: GitRepo) -> None:
    forked(git)
    repository, _ = brought(git)
    intent = Intent(b"A <a@e.x>", Moment(0, 0), b"own\n")
    with writing(repository, stamp()) as work:
        name = bookmarks(repository)[b"one"]
        made = work.record(intent, name, (), work.next_change())
        work.move(Ref(BOOKMARK, b"one"), Target(Name((made.number,))))
    _, report = brought(git, repository)
    assert report.refs.skipped == (
        (b"refs/heads/one", "the bookmark has changes that Git does not know"),
    )
    assert bookmarks(repository)[b"one"] == Name((made.number,))


def test_a_missing_tree_is_named_with_its_commit(git: GitRepo) -> None:
    first = git.commit({b"d/a": TEN})
    second = git.main({b"d/a": b"a\n"}, first)
    oid = git.tree({b"a": b"a\n"})
    lost(git, oid)
    with pytest.raises(GitError, match=f"of commit {second} failed: .*{oid}"):
        brought(git)


def test_a_missing_commit_is_named(git: GitRepo) -> None:
    first = git.commit({b"a": TEN})
    git.main({b"a": b"a\n"}, first)
    lost(git, first)
    with pytest.raises(GitError, match=f"{first}; fatal: revision walk setup failed"):
        brought(git)
