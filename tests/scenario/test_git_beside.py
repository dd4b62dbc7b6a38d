"""A repository beside Git's in one directory, through both command lines, to the letter."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from oxy_git.beside.checkout import Checkout
from oxy_git.reader.git import GitError
from tests.builders.desk import AUTHOR, Desk
from tests.builders.gitrepo import GitRepo, isolated

PERSON = ("-c", "user.name=Grace", "-c", "user.email=grace@example.org")
EDITOR = ("-c", "core.editor=true")


class Side(GitRepo):
    """Git's side."""

    def commit_all(self, message: str, *words: str) -> None:
        self.git("add", "-A")
        self.git(*PERSON, "commit", "-q", "-m", message, *words)

    def fails(self, *words: str) -> None:
        command = ["git", "-C", str(self.root), *PERSON, *words]
        assert subprocess.run(
            command, env=isolated(), capture_output=True, check=False
        ).returncode

    def status(self) -> str:
        return self.git("status", "--porcelain", "--branch").decode()

    def log(self, *words: str) -> list[str]:
        return self.git("log", "--format=%s", *words).decode().splitlines()


@pytest.fixture
def git(tmp_path: Path) -> Side:
    git = Side(tmp_path / "desk")
    (git.root / "f").write_text("a\nb\nc\n")
    git.commit_all("One")
    return git


@pytest.fixture
def desk(
    git: Side, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    for name in ("SYSTEM", "GLOBAL"):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", os.devnull)
    desk = Desk(git.root, capfdbinary)
    assert desk.says("git", "init", "--colocate").replace(str(git.root), "ROOT") == (
        "made a repository in ROOT\n1 commit of Git taken in; on main\n"
    )
    return desk


def apart(desk: Desk, *words: str) -> None:
    """Run a command as if oxy had been killed before Git's side followed."""
    note = desk.root / ".oxy/companion"
    note.rename(desk.root / ".oxy/put-aside")
    desk.says(*words)
    (desk.root / ".oxy/put-aside").rename(note)


def test_nothing_is_written_but_the_repository_and_neither_sees_the_other(
    git: Side, desk: Desk
) -> None:
    assert desk.says("status") == "on main\nnothing changed\n"
    assert desk.err == ""
    assert git.status() == "## main\n"
    assert desk.says("log", "--format", "{subject}") == "One\n"


def test_what_git_commits_the_next_command_knows(git: Side, desk: Desk) -> None:
    desk.write("f", "a\nB\nc\n")
    desk.write("new", "n\n")
    git.commit_all("Two")
    desk.write("new", "local\n")
    assert desk.says("status") == "on main\nM new\n"
    assert desk.err == ""
    assert desk.says("bookmark") == "* main ID  2 changes  Two\n"


def test_what_oxy_records_is_there_as_a_commit(git: Side, desk: Desk) -> None:
    desk.write("f", "a\nB\nc\n")
    desk.write("d/run", "x\n").chmod(0o755)
    (desk.root / "link").symlink_to("f")
    desk.commit("Two")
    assert git.status() == "## main\n"
    assert git.log() == ["Two", "One"]
    assert git.git("ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD").decode() == (
        "100755 d/run\n100644 f\n120000 link\n"
    )
    git.git("fsck", "--strict")
    # The user's commit stands on oxy's, which is not taken for another change.
    desk.write("f", "a\nB\nC\n")
    git.commit_all("Three")
    assert desk.says("bookmark") == "* main ID  3 changes  Three\n"


def test_only_named_paths_are_committed_and_the_others_stay_edits(
    git: Side, desk: Desk
) -> None:
    desk.write("f", "a\nB\nc\n")
    desk.write("g", "g\n")
    git.git("add", "g")
    desk.commit("Two", "f")
    assert git.status() == "## main\n?? g\n"
    assert desk.says("status") == "on main\nA g\n"


def test_branches_and_head_are_in_step_both_ways(git: Side, desk: Desk) -> None:
    git.git("checkout", "-q", "-b", "topic")
    desk.write("t", "t\n")
    desk.commit("On topic")
    assert git.status() == "## topic\n"
    assert git.log("topic") == ["On topic", "One"]
    assert desk.says("switch", "main") == "on main at ID: 0 written, 1 removed\n"
    assert git.status() == "## main\n"
    desk.says("bookmark", "third")
    assert git.log("third") == ["One"]
    git.git("branch", "-q", "-D", "topic")
    assert desk.says("bookmark") == "* main  ID  1 change   One\n  third ID  1 change   One\n"
    desk.says("bookmark", "--delete", "third")
    assert git.git("branch") == b"* main\n"


def test_a_merge_is_a_merge_commit_and_undo_takes_it_back(git: Side, desk: Desk) -> None:
    git.git("checkout", "-q", "-b", "topic")
    desk.write("t", "t\n")
    git.commit_all("On topic")
    desk.says("switch", "main")
    desk.write("m", "m\n")
    desk.commit("On main")
    desk.says("merge", "topic")
    assert len(git.git("log", "-1", "--format=%p").split()) == 2
    assert git.status() == "## main\n"
    assert git.git("fsck", "--strict") == b""
    desk.says("undo")
    assert git.log() == ["On main", "One"]
    assert git.status() == "## main\n"


def test_undo_takes_back_what_git_committed(git: Side, desk: Desk) -> None:
    desk.write("f", "a\nB\nc\n")
    git.commit_all("Two")
    assert desk.says("undo") == "undone: taken in from git\n"
    assert git.log() == ["One"]
    assert desk.says("status") == "on main\nnothing changed\n"
    assert (desk.root / "f").read_text() == "a\nb\nc\n"
    assert git.status() == "## main\n"


def test_git_keeps_its_branches_where_even_the_first_import_is_undone(
    git: Side, desk: Desk
) -> None:
    git.git("branch", "other")
    git.git("tag", "v1")
    desk.says("status")
    refs = git.git("for-each-ref")
    desk.says("op", "restore", "0")
    assert git.git("for-each-ref") == refs
    desk.says("undo")
    assert desk.says("status") == "on main\nnothing changed\n"
    assert git.git("for-each-ref") == refs
    assert git.status() == "## main\n"


def test_a_bookmark_in_conflict_holds_its_branch_back_until_it_is_resolved(
    git: Side, desk: Desk
) -> None:
    git.git("checkout", "-q", "-b", "topic")
    desk.write("f", "a\nT\nc\n")
    git.commit_all("Theirs")
    desk.says("switch", "main")
    desk.write("f", "a\nM\nc\n")
    desk.commit("Mine")
    desk.says("merge", "topic")
    assert desk.err.splitlines()[-1] == (
        "git's main stays where it is: main is in conflict in f"
    )
    assert git.status() == "## main\n M f\n"
    desk.run("status")
    assert desk.err == ""
    desk.write("f", "a\nTM\nc\n")
    desk.commit("Resolved")
    assert git.log("-1") == ["Resolved"]
    assert len(git.git("log", "-1", "--format=%p").split()) == 2
    assert git.status() == "## main\n"


def test_an_amended_change_is_another_commit(git: Side, desk: Desk) -> None:
    desk.write("f", "a\nB\nc\n")
    desk.commit("Two")
    desk.write("f", "a\nB\nC\n")
    desk.says("amend")
    assert git.log() == ["Two", "One"]
    assert git.status() == "## main\n"
    assert git.git("show", "HEAD:f") == b"a\nB\nC\n"


def test_a_rebase_of_git_is_followed_and_loses_nothing(git: Side, desk: Desk) -> None:
    git.git("checkout", "-q", "-b", "topic")
    desk.write("t", "t\n")
    old = desk.commit("On topic")
    git.git("checkout", "-q", "main")
    desk.write("m", "m\n")
    git.commit_all("On main")
    git.git(*PERSON, "rebase", "-q", "main", "topic")
    assert desk.says("status") == "on topic\nnothing changed\n"
    assert desk.err == "git took 1 change out of topic; `oxy op log` has the states before\n"
    assert git.log() == ["On topic", "On main", "One"]
    assert desk.says("cat", "t", "--at", old[:12]) == "t\n"


def test_what_git_threw_away_is_not_asked_for(git: Side, desk: Desk) -> None:
    desk.write("f", "a\nB\nc\n")
    git.commit_all("Two")
    desk.says("status")
    git.git("reset", "-q", "--soft", "HEAD~1")
    git.commit_all("Another two")
    git.git("reflog", "expire", "--expire=now", "--all")
    git.git("gc", "-q", "--prune=now")
    assert desk.says("bookmark") == "* main ID  2 changes  Another two\n"
    desk.says("undo")
    assert git.log() == ["Two", "One"]
    assert git.status() == "## main\n"


def test_git_is_left_alone_in_the_middle_of_something(git: Side, desk: Desk) -> None:
    git.git("checkout", "-q", "-b", "topic")
    desk.write("f", "a\nT\nc\n")
    git.commit_all("Theirs")
    git.git("checkout", "-q", "main")
    desk.write("f", "a\nM\nc\n")
    git.commit_all("Mine")
    desk.says("status")
    git.fails("rebase", "main", "topic")
    desk.says("status")
    assert desk.err == (
        "git is in the middle of a rebase: both sides are in step again after it\n"
    )
    desk.write("f", "a\nMT\nc\n")
    git.git("add", "f")
    git.git(*PERSON, *EDITOR, "rebase", "--continue")
    assert desk.says("status") == "on topic\nnothing changed\n"
    assert desk.says("cat", "f") == "a\nMT\nc\n"


def test_a_stash_is_nothing_to_oxy(git: Side, desk: Desk) -> None:
    desk.write("f", "a\nB\nc\n")
    git.git(*PERSON, "stash", "-q")
    assert desk.says("status") == "on main\nnothing changed\n"
    git.git("stash", "pop", "-q")
    assert desk.says("status") == "on main\nM f\n"
    assert desk.says("op", "log", "-n", "1").splitlines()[0].endswith(": git init")


def test_a_detached_head_is_no_bookmark(git: Side, desk: Desk) -> None:
    git.git("checkout", "-q", "--detach")
    desk.write("f", "a\nB\nc\n")
    desk.commit("Alone")
    assert git.status() == "## HEAD (no branch)\n"
    assert git.log() == ["Alone", "One"]
    assert git.log("main") == ["One"]
    desk.says("switch", "main")
    assert git.status() == "## main\n"


def test_tags_are_in_step(git: Side, desk: Desk) -> None:
    git.git(*PERSON, "tag", "-a", "-m", "The first", "v1")
    assert desk.says("tag") == "v1 ID The first\n"
    desk.says("tag", "v2")
    assert git.git("tag").decode() == "v1\nv2\n"
    git.git("tag", "-d", "v1")
    desk.says("tag", "--delete", "v2")
    assert git.git("tag") == b""
    assert desk.says("tag") == ""


def test_a_submodule_stays_a_submodule(git: Side, desk: Desk, tmp_path: Path) -> None:
    other = Side(tmp_path / "other")
    (other.root / "s").write_text("s\n")
    other.commit_all("Sub")
    allow = ("-c", "protocol.file.allow=always")
    git.git(*allow, "submodule", "--quiet", "add", str(other.root), "sub")
    git.commit_all("With sub")
    desk.write("f", "a\nB\nc\n")
    desk.commit("Two")
    assert git.status() == "## main\n"
    assert git.git("ls-tree", "HEAD", "sub").split()[:2] == [b"160000", b"commit"]


def test_a_branch_that_another_worktree_is_on_stays(
    git: Side, desk: Desk, tmp_path: Path
) -> None:
    git.git("worktree", "add", "-q", "-b", "there", str(tmp_path / "there"))
    desk.write("f", "a\nB\nc\n")
    desk.commit("Two")
    desk.says("bookmark", "--move", "there", "main")
    assert desk.err == (
        f"git's there stays where it is: it is checked out in {tmp_path / 'there'}\n"
    )
    git.git("worktree", "remove", str(tmp_path / "there"))
    desk.says("status")
    assert git.log("there") == ["Two", "One"]


def test_in_a_linked_worktree_its_own_head_counts(
    git: Side, desk: Desk, tmp_path: Path
) -> None:
    git.git("worktree", "add", "-q", "-b", "there", str(tmp_path / "there"))
    there = Desk(tmp_path / "there", desk._capture)  # noqa: SLF001 - the same capture
    assert there.says("git", "init", "--colocate").endswith("; on there\n")
    there.write("f", "a\nB\nc\n")
    there.commit("Two")
    assert git.log("there") == ["Two", "One"]
    assert git.status() == "## main\n"


def test_what_a_crash_left_behind_goes_out_with_the_next_command(git: Side, desk: Desk) -> None:
    desk.write("f", "a\nB\nc\n")
    apart(desk, "commit", "-m", "Two")
    assert git.status() == "## main\n M f\n"
    assert desk.says("status") == "on main\nnothing changed\n"
    assert git.log() == ["Two", "One"]
    assert git.status() == "## main\n"


@pytest.mark.parametrize("step", ["move", "move_head", "make_index"])
def test_whatever_step_fails_the_next_command_ends_it(
    git: Side, desk: Desk, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object) -> None:
        raise GitError(step, b"it was killed")

    desk.write("f", "a\nB\nc\n")
    with monkeypatch.context() as patched:
        patched.setattr(Checkout, step, fail)
        desk.run("commit", "-m", "Two")
        desk.run("switch", "-c", "topic")
        assert "not in step with git: git " + step in desk.err
    assert desk.says("status") == "on topic\nnothing changed\n"
    assert desk.err == ""
    assert git.status() == "## topic\n"
    assert git.log("main") == git.log("topic") == ["Two", "One"]


def test_what_git_moves_in_the_middle_is_read_again(
    git: Side, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = Checkout.move
    seen: list[object] = []

    def late(checkout: Checkout, refs: list[tuple[bytes, bytes, bytes]], why: bytes) -> None:
        if not seen:
            seen.append(refs)
            git.git(*PERSON, "commit", "-q", "--allow-empty", "-m", "Theirs")
        move(checkout, refs, why)

    monkeypatch.setattr(Checkout, "move", late)
    desk.write("o", "o\n")
    desk.commit("Ours")
    assert desk.err == "main moved in git and here: it has what both have now\n"
    assert sorted(git.log("main")[1:]) == ["One", "Ours", "Theirs"]
    assert git.status() == "## main\n"
    assert desk.says("status") == "on main\nnothing changed\n"


def test_a_move_that_oxy_noted_and_git_committed_is_done(git: Side, desk: Desk) -> None:
    desk.says("mv", "f", "g")
    git.commit_all("Moved")
    assert desk.says("status") == "on main\nnothing changed\n"
    assert not (desk.root / ".oxy/moves").exists()


def test_what_both_moved_has_what_both_have(git: Side, desk: Desk) -> None:
    desk.write("o", "o\n")
    apart(desk, "commit", "-m", "Ours")
    git.git(*PERSON, "commit", "-q", "--allow-empty", "-m", "Theirs")
    desk.says("status")
    assert desk.err == "main moved in git and here: it has what both have now\n"
    assert desk.out == "on main\nnothing changed\n"
    assert sorted(git.log("main")[1:]) == ["One", "Ours", "Theirs"]
    assert git.status() == "## main\n"


def test_without_its_notes_both_sides_are_found_in_step(git: Side, desk: Desk) -> None:
    desk.write("f", "a\nB\nc\n")
    desk.commit("Two")
    before = git.git("for-each-ref")
    shutil.rmtree(desk.root / ".oxy/beside")
    assert desk.says("status") == "on main\nnothing changed\n"
    shutil.rmtree(desk.root / ".oxy/beside")
    shutil.rmtree(desk.root / ".oxy/cache")
    assert desk.says("bookmark") == "* main ID  2 changes  Two\n"
    assert git.git("for-each-ref") == before


def test_it_can_be_ended_and_begun_again(git: Side, desk: Desk) -> None:
    assert desk.says("git", "colocate", "--off") == "both sides go their own ways now\n"
    desk.write("f", "a\nB\nc\n")
    desk.commit("Two")
    assert git.log() == ["One"]
    assert desk.record("git", "colocate", "--off") == {
        "path": str(git.root),
        "colocated": False,
    }
    assert desk.record("git", "colocate") == {
        "path": str(git.root),
        "commits": 0,
        "bookmark": "main",
    }
    assert git.log() == ["Two", "One"]


def test_a_repository_without_commits_begins_with_oxys(tmp_path: Path, desk: Desk) -> None:
    git = Side(tmp_path / "new")
    new = Desk(git.root, desk._capture)  # noqa: SLF001 - the same capture
    assert new.says("git", "init", "--colocate").endswith(
        "0 commits of Git taken in; on main\n"
    )
    new.write("f", "a\n")
    new.commit("One")
    assert git.log() == ["One"]
    assert git.status() == "## main\n"


def test_what_git_cannot_be_asked_is_told_and_oxy_works(git: Side, desk: Desk) -> None:
    shutil.rmtree(git.store)
    assert desk.says("status") == "on main\nnothing changed\n"
    assert desk.err.replace(str(git.root), "ROOT") == (
        "warning: not in step with git: there is no Git repository at ROOT\n" * 2
    )


def test_where_there_is_nothing_of_git_none_is_begun(tmp_path: Path, desk: Desk) -> None:
    (tmp_path / "bare").mkdir()
    new = Desk(tmp_path / "bare", desk._capture)  # noqa: SLF001 - the same capture
    assert new.refuses("git", "init", "--colocate", code=3) == (
        "oxy: there is no Git repository at ROOT\n"
        "hint: `git init` makes one; `oxy init` makes a repository without Git\n"
    )
    assert not (tmp_path / "bare/.oxy").exists()
    assert desk.refuses("git", "init", code=3) == (
        "oxy: there is a repository already at ROOT\n"
        "hint: `oxy git colocate` keeps it in step with Git's in the same directory\n"
    )


def test_a_companion_that_nobody_knows_is_told(desk: Desk) -> None:
    desk.write(".oxy/companion", "fossil\n")
    assert desk.refuses("status", code=3) == (
        "oxy: ROOT/.oxy/companion names 'fossil', with which this oxy cannot keep in step\n"
    )
