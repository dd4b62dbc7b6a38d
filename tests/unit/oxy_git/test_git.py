"""What can be read as a Git repository, and what is refused in one sentence."""

import os
import subprocess
from pathlib import Path

import pytest

from oxy_git.reader.git import Git, NoGitError, NoGitRepositoryError, UnsupportedError
from tests.builders.bridge import brought
from tests.builders.gitcases import TEN
from tests.builders.gitrepo import GitRepo, isolated


def opened(path: Path) -> Git:
    return Git(os.fsencode(path))


def test_a_directory_that_is_no_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoGitRepositoryError, match="is no Git repository"):
        opened(tmp_path)


def test_a_source_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoGitRepositoryError, match="No such file"):
        opened(tmp_path / "absent")


def test_without_git_nothing_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = GitRepo(tmp_path / "git")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoGitError):
        opened(git.root)


def test_a_directory_inside_a_repository_is_not_taken_for_it(tmp_path: Path) -> None:
    GitRepo(tmp_path / "git")
    inside = tmp_path / "git" / "inside"
    inside.mkdir()
    with pytest.raises(NoGitRepositoryError):
        opened(inside)


@pytest.mark.parametrize("bare", [False, True])
def test_a_repository_is_read_with_or_without_files(tmp_path: Path, *, bare: bool) -> None:
    git = GitRepo(tmp_path / "git", bare=bare)
    git.main({b"a": TEN})
    assert brought(git)[1].commits == 1


def test_the_git_directory_itself_will_do(tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    assert opened(git.store).directory == os.fsencode(git.store)


def test_a_linked_working_tree_is_read(tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    first = git.main({b"a": TEN})
    git.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), first)
    linked = opened(tmp_path / "linked")
    assert linked.run("rev-parse", "main").strip().decode() == first


def test_a_shallow_clone_is_refused_with_what_to_do(tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    git.main({b"a": b"a\n"}, git.commit({b"a": TEN}))
    shallow = tmp_path / "shallow"
    command = ["git", "clone", "-q", "--depth", "1", f"file://{git.root}", str(shallow)]
    subprocess.run(command, check=True, env=isolated())
    with pytest.raises(UnsupportedError, match=r"is a shallow clone; .*--unshallow"):
        opened(shallow)


def test_a_form_that_git_does_not_know_is_refused_and_named(tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    git.main({b"a": TEN})
    git.git("config", "core.repositoryformatversion", "1")
    git.git("config", "extensions.yetToCome", "reftable")
    with pytest.raises(
        UnsupportedError, match=r"git here does not know \(yettocome\); .*newer"
    ):
        opened(git.root)


def test_other_object_ids_are_refused(tmp_path: Path) -> None:
    command = ["git", "init", "-q", "--object-format=sha256", str(tmp_path / "long")]
    subprocess.run(command, check=True, env=isolated())
    with pytest.raises(UnsupportedError, match="uses sha256 object ids"):
        opened(tmp_path / "long")


def test_replacements_and_the_environment_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = GitRepo(tmp_path / "git")
    first = git.main({b"a": TEN})
    git.ref(f"refs/replace/{first}", git.commit({b"a": b"replaced\n"}))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    found = opened(git.root)
    assert found.run("cat-file", "blob", f"{first}:a") == TEN
