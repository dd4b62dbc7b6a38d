"""Commits that oxy made come back as what they are (spec: git-bridge, GB35, GB48)."""

import os
from pathlib import Path

import pytest

from oxy.repo.exported import all_states, state_of
from oxy.repo.refs import BOOKMARK, Ref
from oxy.repo.repository import opened
from oxy.store.protocol import CHANGE
from tests.builders.bridge import brought
from tests.builders.desk import AUTHOR, Desk
from tests.builders.gitrepo import GitRepo

PERSON = ("-c", "user.name=Grace Hopper", "-c", "user.email=grace@example.org")


@pytest.fixture
def desk(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    (tmp_path / "desk").mkdir()
    desk = Desk(tmp_path / "desk", capfdbinary)
    desk.says("init")
    desk.write("dir/f", "a\nb\nc\n")
    desk.commit("One")
    return desk


def exported(desk: Desk) -> GitRepo:
    """Export everything, and return where to."""
    path = desk.root.parent / "out"
    desk.says("git", "export", str(path))
    return GitRepo.at(path)


def edited(git: GitRepo, path: str, text: str, *words: str) -> str:
    """Commit with plain Git."""
    (git.root / path).parent.mkdir(parents=True, exist_ok=True)
    (git.root / path).write_text(text)
    git.git("add", path)
    git.git(*PERSON, "commit", "-q", "-m", f"Edit {path}", *words)
    return git.git("rev-parse", "HEAD").decode().strip()


def count(desk: Desk) -> int:
    """Return how many changes there are."""
    with opened(os.fsencode(desk.root)) as repository:
        return repository.store.count(CHANGE)


def test_what_was_exported_makes_no_twin(desk: Desk) -> None:
    git = exported(desk)
    before = desk.writes("log")
    desk.says("git", "import", str(git.root))
    assert desk.writes("log") == before
    assert count(desk) == 1


def test_it_is_known_again_without_the_cache(desk: Desk) -> None:
    git = exported(desk)
    for file in (desk.root / ".oxy" / "cache").iterdir():
        file.unlink()
    desk.says("git", "import", str(git.root))
    assert count(desk) == 1
    commit = bytes.fromhex(git.git("rev-parse", "main").decode())
    with opened(os.fsencode(desk.root)) as repository:
        held = repository.refs.get(Ref(BOOKMARK, b"main"))
        assert held is not None
        assert state_of(repository, commit) == held.state
        assert dict(all_states(repository)) == {commit: held.state}


def test_an_amended_commit_is_another_change(desk: Desk) -> None:
    git = exported(desk)
    git.git(*PERSON, "commit", "-q", "--amend", "-m", "Better")
    assert b"oxy-change" in git.git("cat-file", "commit", "HEAD")
    desk.says("git", "import", str(git.root))
    assert count(desk) == 2


def test_a_commit_on_top_builds_on_the_change(desk: Desk) -> None:
    desk.says("mv", "dir", "other")
    desk.commit("Move")
    git = exported(desk)
    edited(git, "other/f", "a\nb\nC\n")
    edited(git, "other/new", "new\n")
    desk.says("git", "import", str(git.root))
    assert count(desk) == 4
    desk.says("switch", "main")
    assert (desk.root / "other/f").read_text() == "a\nb\nC\n"
    assert sorted(path.name for path in (desk.root / "other").iterdir()) == ["f", "new"]
    desk.says("fsck")
    desk.says("git", "verify")
    again = desk.root.parent / "again"
    desk.says("git", "export", str(again))
    back = GitRepo.at(again)
    assert back.git("rev-parse", "main") == git.git("rev-parse", "main")


def test_a_merge_over_a_moved_directory_is_as_git_has_it(desk: Desk) -> None:
    git = exported(desk)
    git.git("switch", "-q", "-c", "side")
    edited(git, "dir/f", "A\nb\nc\n")
    edited(git, "dir/g", "g\n")
    desk.says("mv", "dir", "other")
    desk.write("other/f", "a\nb\nC\n")
    desk.commit("Move")
    git.git("switch", "-q", "--detach")
    desk.says("git", "export", str(git.root))
    git.git("switch", "-q", "main")
    git.git(*PERSON, "-c", "merge.directoryRenames=true", "merge", "-q", "--no-edit", "side")
    edited(git, "other/f", "A\nb\nC\nd\n")
    desk.says("git", "import", str(git.root))
    desk.says("switch", "main")
    assert (desk.root / "other/f").read_text() == "A\nb\nC\nd\n"
    found = {str(path.relative_to(desk.root)) for path in desk.root.glob("*/*")}
    assert {path for path in found if not path.startswith(".oxy")} == {"other/f", "other/g"}
    desk.says("status")
    desk.says("git", "verify")


def test_a_stranger_is_imported_and_counted(desk: Desk) -> None:
    git = exported(desk)
    _, report = brought(git)
    assert (report.commits, report.tally.strangers, report.tally.recognised) == (1, 1, 0)
