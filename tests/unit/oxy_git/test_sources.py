"""Repositories of every make are read as they are, or refused in a sentence (GB26, GB41)."""

import subprocess
from pathlib import Path

import pytest

from oxy_git.reader.git import GitError
from oxy_git.reader.objects import DamagedObjectError, MissingObjectError
from tests.builders.bridge import brought, ids
from tests.builders.gitcases import ALL, TEN
from tests.builders.gitrepo import GitRepo, isolated


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    git = GitRepo(tmp_path / "git")
    ALL["merge_of_two"](git)
    return git


def run(*words: str | Path) -> None:
    subprocess.run(["git", *map(str, words)], check=True, env=isolated(), capture_output=True)


def reads_alike(git: GitRepo, other: Path) -> bool:
    """Return whether the same changes come of two repositories."""
    here, _ = brought(git)
    there, _ = brought(GitRepo.at(other))
    return ids(here, git) == ids(there, git)


def test_objects_of_an_alternate_are_read(git: GitRepo, tmp_path: Path) -> None:
    run("clone", "-q", "--shared", git.root, tmp_path / "shared")
    assert not list((tmp_path / "shared/.git/objects").glob("??"))
    assert reads_alike(git, tmp_path / "shared")


def test_an_alternate_that_is_gone_is_a_missing_object(git: GitRepo, tmp_path: Path) -> None:
    run("clone", "-q", "--shared", git.root, tmp_path / "shared")
    git.root.rename(tmp_path / "elsewhere")
    with pytest.raises(GitError, match="failed"):
        brought(GitRepo.at(tmp_path / "shared"))


def test_a_file_that_names_the_git_directory_is_followed(git: GitRepo, tmp_path: Path) -> None:
    run("init", "-q", "--separate-git-dir", tmp_path / "far", git.root)
    assert (git.root / ".git").is_file()
    found = GitRepo.at(git.root)
    assert brought(found)[1].commits == 4


def test_packs_and_packed_refs_are_read(git: GitRepo) -> None:
    whole = ids(brought(git)[0], git)
    run("-C", git.root, "gc", "-q", "--aggressive", "--prune=now")
    assert (git.store / "packed-refs").is_file()
    assert ids(brought(git)[0], git) == whole


def test_a_partial_clone_fetches_nothing(git: GitRepo, tmp_path: Path) -> None:
    git.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    url = f"file://{git.root}"
    run("clone", "-q", "--bare", "--filter=blob:none", url, partial)
    with pytest.raises(MissingObjectError, match="no whole object"):
        brought(GitRepo.at(partial))


def test_a_damaged_pack_is_refused(git: GitRepo) -> None:
    run("-C", git.root, "gc", "-q", "--prune=now")
    (pack,) = (git.store / "objects" / "pack").glob("*.pack")
    pack.chmod(0o644)
    data = bytearray(pack.read_bytes())
    data[len(data) // 2] ^= 0xFF
    pack.write_bytes(data)
    with pytest.raises((GitError, MissingObjectError), match=r"no whole object|failed"):
        brought(git)


def test_a_damaged_object_is_named(git: GitRepo) -> None:
    _, oid = git.blob(b"c\n")
    (git.store / "objects" / oid[:2] / oid[2:]).write_bytes(b"damaged")
    with pytest.raises(MissingObjectError, match=f"no whole object {oid}, 'c' in commit"):
        brought(git)
    assert issubclass(DamagedObjectError, MissingObjectError)


def test_a_detached_head_and_one_unborn_are_both_followed(tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "unborn")
    assert brought(git)[1].here.bookmark == b"main"
    first = git.commit({b"a": TEN})
    (git.store / "HEAD").write_text(f"{first}\n")
    _, report = brought(git)
    assert report.here.bookmark is None
    assert report.commits == 1
