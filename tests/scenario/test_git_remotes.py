"""Working beside Git over a remote, through the real command line (spec: git-bridge, GB37)."""

import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from oxy.actions.landing import Landed
from tests.builders.desk import AUTHOR, Desk
from tests.builders.gitrepo import GitRepo

GRACE = ("-c", "user.name=Grace Hopper", "-c", "user.email=grace@example.org")
HEX = re.compile(r"\b[0-9a-f]{7}\b")


class Office:
    """A bare Git repository, a colleague who uses plain Git, and desks with oxy."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        self.root = root
        self._capture = capture
        self.hub = GitRepo(root / "hub.git", bare=True)
        self.url = str(self.hub.root)

    def desk(self, name: str) -> Desk:
        """Return an empty directory for somebody with oxy."""
        (self.root / name).mkdir()
        return Desk(self.root / name, self._capture)

    def cloned(self, name: str, *words: str) -> Desk:
        """Return a desk with a clone of what the hub has."""
        desk = self.desk(name)
        desk.says("git", "clone", self.url, ".", *words)
        return desk

    def grace(self) -> GitRepo:
        """Return a clone that somebody works in with plain Git."""
        self.hub.git("clone", "-q", self.url, str(self.root / "grace"))
        return GitRepo.at(self.root / "grace")

    def log(self, branch: str = "main") -> list[str]:
        """Return the subjects of a branch of the hub, newest first."""
        said = self.hub.git("log", "--topo-order", "--format=%s", branch)
        return said.decode().splitlines()


def said(desk: Desk, *words: str) -> str:
    """Return what a command says, with abbreviated ids of Git as GIT."""
    return HEX.sub("GIT", desk.says("git", *words)).replace(str(desk.root.parent), "ROOT")


def commits(git: GitRepo, path: str, text: str, message: str) -> None:
    """Commit a file with plain Git, and push."""
    (git.root / path).parent.mkdir(parents=True, exist_ok=True)
    (git.root / path).write_text(text)
    git.git("add", "-A")
    git.git(*GRACE, "commit", "-q", "-m", message)
    git.git("push", "-q", "origin", "HEAD")


@pytest.fixture
def office(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Office:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return Office(tmp_path, capfdbinary)


@pytest.fixture
def ada(office: Office) -> Desk:
    """Make a repository with one change, and push it."""
    desk = office.desk("ada")
    desk.says("init")
    desk.write("f", "a\nb\nc\nd\ne\n")
    desk.commit("One")
    desk.says("git", "remote", "add", "origin", office.url)
    assert said(desk, "push") == "main@origin: new, GIT\n"
    return desk


def test_what_was_pushed_is_there_and_known(office: Office, ada: Desk) -> None:
    assert office.log() == ["One"]
    assert said(ada, "push") == "nothing to push: origin has it all\n"
    assert said(ada, "status") == "origin ROOT/hub.git\n  main: the same\n"
    assert said(ada, "pull") == "nothing new\n"
    office.hub.git("fsck", "--strict")


def test_a_clone_has_the_changes_themselves(office: Office, ada: Desk) -> None:
    bob = office.cloned("bob")
    assert bob.writes("log") == ada.writes("log")
    assert (bob.root / "f").read_text() == "a\nb\nc\nd\ne\n"
    bob.write("f", "a\nb\nc\nd\nE\n")
    bob.commit("Two")
    ada.write("f", "A\nb\nc\nd\ne\n")
    ada.commit("Three")
    assert said(bob, "push") == "main@origin: GIT to GIT\n"
    ada.run("git", "push")
    assert "main@origin: it is not what was last seen of it: pull first" in ada.out
    ada.says("git", "pull")
    assert (ada.root / "f").read_text() == "A\nb\nc\nd\nE\n"
    assert said(ada, "status") == "origin ROOT/hub.git\n  main: 1 change to push\n"
    assert said(ada, "push") == "main@origin: GIT to GIT\n"
    bob.says("git", "pull")
    assert bob.writes("log") == ada.writes("log")
    assert said(bob, "push") == "nothing to push: origin has it all\n"


class Story(NamedTuple):
    """Two with oxy and one with plain Git, each with a clone of one repository."""

    hub: GitRepo
    ada: Desk
    bob: Desk
    grace: GitRepo


def test_a_whole_story(office: Office) -> None:
    grace = office.grace()
    commits(grace, "dir/g", "1\n2\n3\n4\n5\n6\n7\n8\n", "Grace begins")
    story = Story(office.hub, office.cloned("ada"), office.cloned("bob"), grace)
    for chapter in (all_edit, two_disagree, a_branch_comes_and_goes, one_starts_anew):
        chapter(story)
        for desk in (story.ada, story.bob):
            desk.says("fsck")
            desk.says("git", "verify")
        story.hub.git("fsck", "--strict")


def all_edit(story: Story) -> None:
    """Move, edit, tag and edit the same file beside each other."""
    _, ada, bob, grace = story
    ada.says("mv", "dir", "lib")
    ada.commit("Ada moves")
    assert said(ada, "push") == "main@origin: GIT to GIT\n"
    grace.git("pull", "-q", "--ff-only")
    commits(grace, "lib/g", "1\n2\n3\n4\n5\n6\n7\neight\n", "Grace edits")
    grace.git("tag", "v1")
    grace.git("push", "-q", "origin", "v1")
    bob.write("dir/g", "one\n2\n3\n4\n5\n6\n7\n8\n")
    bob.commit("Bob edits")
    assert bob.run("git", "push") == 1
    assert bob.out == (
        "not moved: main@origin: it is not what was last seen of it: pull first\n"
    )
    bob.says("git", "pull")
    assert (bob.root / "lib/g").read_text() == "one\n2\n3\n4\n5\n6\n7\neight\n"
    assert bob.says("tag").split()[0] == "v1"
    assert said(bob, "push", "--dry-run") == (
        "a merge commit unites ID, ID\nmain@origin: would be moved from GIT\n"
    )
    assert said(bob, "push") == "main@origin: GIT to GIT\n"
    grace.git("pull", "-q", "--ff-only")
    assert (grace.root / "lib/g").read_text() == "one\n2\n3\n4\n5\n6\n7\neight\n"


def two_disagree(story: Story) -> None:
    """Edit one line in two ways, and settle it."""
    _, ada, bob, grace = story
    commits(grace, "lib/g", "one\n2\n3\nfour\n5\n6\n7\neight\n", "Grace again")
    ada.write("lib/g", "1\n2\n3\nvier\n5\n6\n7\n8\n")
    ada.commit("Ada edits")
    assert said(ada, "pull") == (
        "3 changes came by Grace Hopper (2), Ada Lovelace (1)\n"
        "  ID Grace again\n  ID Bob edits\n  ID Grace edits\n"
        "tag v1\n"
        "merged into main: 3 changes by Grace Hopper (2), Ada Lovelace (1)\n"
        "M lib/g\nC lib/g  text\n"
    )
    assert ada.run("git", "push") == 2
    assert ada.err == (
        "oxy: Git has no conflicts in its trees; resolve first: 'lib/g' (main)\n"
    )
    assert said(ada, "status") == (
        "origin ROOT/hub.git\n"
        "  main: 1 change to push; 1 file in conflict: resolve before it can be pushed\n"
    )
    settled = "one\n2\n3\nfour (vier)\n5\n6\n7\neight\n"
    ada.write("lib/g", settled)
    ada.commit("Ada resolves")
    said(ada, "push")
    bob.says("git", "pull")
    grace.git("pull", "-q", "--ff-only")
    for root in (ada.root, bob.root, grace.root):
        assert (root / "lib/g").read_text() == settled
    assert bob.writes("log") == ada.writes("log")


def a_branch_comes_and_goes(story: Story) -> None:
    """Push a branch, and delete it."""
    _, ada, bob, grace = story
    ada.says("bookmark", "feature")
    assert said(ada, "push", "origin", "feature") == "feature@origin: new, GIT\n"
    grace.git("fetch", "-q", "--prune")
    assert b"origin/feature" in grace.git("branch", "-r")
    bob.says("git", "fetch")
    assert "feature: only there" in said(bob, "status")
    assert said(ada, "push", "--delete", "feature") == "feature@origin: deleted\n"
    bob.says("git", "pull")
    assert "feature" not in said(bob, "status")


def one_starts_anew(story: Story) -> None:
    """Rewrite the branch with plain Git: what it had is not lost."""
    _, _, bob, grace = story
    lost = bob.says("log", "-n", "1")
    grace.git("reset", "-q", "--hard", "HEAD~1")
    (grace.root / "lib/g").write_text("anew\n")
    grace.git(*GRACE, "commit", "-q", "-a", "-m", "Grace starts anew")
    grace.git("push", "-q", "--force", "origin", "main")
    assert "was taken back there" in bob.says("git", "pull")
    assert (bob.root / "lib/g").read_text() == "anew\n"
    bob.says("undo")
    assert bob.says("log", "-n", "1") == lost


def test_what_is_contained_is_joined(office: Office, ada: Desk) -> None:
    bob = office.cloned("bob")
    ada.write("g", "g\n")
    ada.commit("Two")
    bob.write("h", "h\n")
    bob.commit("Three")
    ada.says("git", "push")
    bob.says("git", "pull")
    bob.says("git", "push")
    assert office.log()[0].startswith("Merge ")
    ada.says("git", "fetch")
    ada.write("i", "i\n")
    ada.commit("Four")
    ada.says("git", "pull")
    assert said(ada, "push") == (
        "main@origin: GIT to GIT\na merge commit joins main with what was there\n"
    )
    bob.says("git", "pull")
    assert bob.writes("log") == ada.writes("log")
    bob.write("h", "H\n")
    bob.commit("Five")
    assert said(bob, "push") == "main@origin: GIT to GIT\n"
    assert said(ada, "pull") != "nothing new\n"
    ada.write("i", "I\n")
    ada.commit("Six")
    assert said(ada, "push") == "main@origin: GIT to GIT\n"
    office.hub.git("fsck", "--strict")


@pytest.mark.usefixtures("ada")
def test_files_and_ssh_are_reached_as_git_reaches_them(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = office.root / "ssh"
    stand_in.write_text(f'#!/bin/sh\necho "$@" >> {office.root}/asked\neval "$2"\n')
    stand_in.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(stand_in))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    for name, url in (("x", f"file://{office.url}"), ("s", f"ssh://hub{office.url}")):
        desk = office.desk(name)
        desk.says("git", "clone", url, "there")
        assert (desk.root / "there/f").read_text() == "a\nb\nc\nd\ne\n"
        desk.write(f"there/{name}", "new\n")
        desk.says("commit", "-m", f"By {name}", where="there")
        desk.says("git", "push", where="there")
    assert (office.root / "asked").read_text().splitlines() == [
        f"hub git-upload-pack '{office.url}'",
        f"hub git-upload-pack '{office.url}'",
        f"hub git-receive-pack '{office.url}'",
    ]
    assert office.log() == ["By s", "By x", "One"]


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("--upload-pack=touch", "it is empty, or begins with a dash"),
        ("", "it is empty, or begins with a dash"),
        ("ext::sh -c touch", "helpers for other transports are not run"),
        ("ftp://example.org/x", "'ftp' is none of file, git, http, https, ssh"),
        ("ssh://-oProxyCommand=touch/x", "a user, host or path begins with a dash"),
        ("ssh://host/-x", "a user, host or path begins with a dash"),
        ("-x@host:path", "it is empty, or begins with a dash"),
        ("user@-x:path", "a user, host or path begins with a dash"),
        ("https:///x", "it names no host"),
        ("host:a\nb", "it has a control character"),
    ],
)
def test_an_address_that_git_is_not_run_with(
    office: Office, ada: Desk, url: str, rule: str
) -> None:
    assert ada.run("git", "remote", "add", "--", "bad", url) == 2
    assert ada.err.rstrip().endswith(f"is no address for a Git remote: {rule}")
    assert ada.says("git", "remote", "list") == f"origin {office.url}\n"


def test_a_password_is_never_shown(ada: Desk) -> None:
    url = "https://ada:secret@localhost:1/x.git"
    ada.says("git", "remote", "add", "far", url)
    for words in (("git", "remote", "list"), ("git", "status"), ("op", "log")):
        shown = ada.says(*words)
        assert "far" in shown
        assert "secret" not in shown
    assert ada.run("git", "pull", "far") == 3
    assert "secret" not in ada.err


def test_a_clone_that_fails_leaves_nothing(office: Office) -> None:
    desk = office.desk("ada")
    assert desk.run("git", "clone", str(office.root / "nowhere"), "new") == 3
    assert desk.run("git", "clone", office.url, "new", "-b", "none") == 2
    assert list(desk.root.iterdir()) == []


def test_a_branch_can_be_chosen(office: Office) -> None:
    grace = office.grace()
    commits(grace, "f", "1\n", "One")
    grace.git("switch", "-q", "-c", "side")
    commits(grace, "f", "2\n", "Two")
    bob = office.cloned("bob", "-b", "side")
    assert (bob.root / "f").read_text() == "2\n"
    commits(grace, "f", "3\n", "Three")
    bob.says("git", "pull", "origin", "side")
    assert (bob.root / "f").read_text() == "3\n"
    assert bob.run("git", "pull", "origin", "sid") == 2
    assert bob.err == ("oxy: origin has no bookmark 'sid'\nhint: did you mean side?\n")


def test_several_remotes_stand_beside_each_other(office: Office, ada: Desk) -> None:
    other = GitRepo(office.root / "other.git", bare=True)
    ada.says("git", "remote", "add", "other", str(other.root))
    ada.write("f", "a\n")
    ada.commit("Two")
    assert said(ada, "push", "other", "main") == "main@other: new, GIT\n"
    assert said(ada, "status") == (
        "origin ROOT/hub.git\n  main: 1 change to push\n"
        "other ROOT/other.git\n  main: the same\n"
    )
    assert ada.run("git", "pull", "third") == 2
    ada.says("git", "remote", "remove", "origin")
    assert said(ada, "status") == "other ROOT/other.git\n  main: the same\n"
    assert said(ada, "push") == "nothing to push: other has it all\n"


def test_where_changes_may_not_be_kept_commits_are_commits(office: Office) -> None:
    hook = office.hub.root / "hooks/update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\ncase "$1" in refs/heads/*) ;; *) exit 1 ;; esac\n')
    hook.chmod(0o755)
    ada = office.desk("ada")
    ada.says("init")
    ada.write("f", "a\n")
    ada.commit("One")
    ada.says("git", "remote", "add", "origin", office.url)
    assert said(ada, "push") == "main@origin: new, GIT\n"
    assert ada.err == (
        "origin says: error: hook declined to update refs/oxy/changes\n"
        "warning: the changes could not be kept beside the commits: hook declined\n"
    )
    bob = office.desk("bob")
    assert said(bob, "clone", office.url, ".").splitlines()[1:] == [
        "commits that say they are oxy's, without a change that proves it: 1"
    ]


@pytest.mark.usefixtures("ada")
def test_a_change_that_breaks_a_rule_is_refused(office: Office) -> None:
    held = office.hub.git("ls-tree", "-r", "--name-only", "refs/oxy/changes").decode().split()
    assert len(held) == 1
    forged = office.hub.put(b"blob", b"no change")
    office.hub.git("update-index", "--add", "--cacheinfo", f"100644,{forged},{held[0]}")
    tree = office.hub.git("write-tree").decode().strip()
    commit = office.hub.git(*GRACE, "commit-tree", "-m", "Forged", tree).decode().strip()
    office.hub.git("update-ref", "refs/oxy/changes", commit)
    bob = office.desk("bob")
    assert bob.run("git", "clone", office.url, "new") == 4
    assert not (bob.root / "new").exists()


def test_a_push_that_failed_is_done_again(office: Office, ada: Desk) -> None:
    hook = office.hub.root / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    ada.write("f", "new\n")
    ada.commit("Two")
    assert ada.run("git", "push") == 1
    assert ada.out == "not moved: main@origin: pre-receive hook declined\n"
    hook.unlink()
    assert said(ada, "push") == "main@origin: GIT to GIT\n"
    assert office.log() == ["Two", "One"]
    assert office.cloned("bob").writes("log") == ada.writes("log")


def test_a_lost_private_repository_is_made_again(office: Office, ada: Desk) -> None:
    shutil.rmtree(ada.root / ".oxy/git")
    ada.write("f", "new\n")
    ada.commit("Two")
    assert ada.run("git", "push") == 1
    ada.says("git", "pull")
    assert said(ada, "push") == "main@origin: GIT to GIT\n"
    assert office.log() == ["Two", "One"]


def test_a_commit_that_oxy_made_is_found_by_its_id(office: Office, ada: Desk) -> None:
    commit = office.hub.git("rev-parse", "main").decode().strip()
    assert ada.writes("show", f"git:{commit[:10]}") == ada.writes("show", "main")


def test_log_and_show_tell_which_commit_a_change_became(office: Office, ada: Desk) -> None:
    ada.write("f", "mine\n")
    ada.commit("Mine")
    assert "git:" not in ada.says("log", "-n", "1")
    ada.says("git", "push")
    commit = office.hub.git("rev-parse", "main").decode().strip()
    told = f"git:    {commit}\n"
    assert told in ada.says("log", "-n", "1")
    assert told in ada.says("log", "--author", "Ada", "-n", "1")
    assert told in ada.says("show")
    assert ada.record("show")["git"] == commit
    assert f" git:{commit[:10]} " in ada.says("log", "--oneline", "-n", "1")


def test_a_tag_goes_along_and_stays_what_it_is(office: Office, ada: Desk) -> None:
    ada.says("tag", "v1")
    assert said(ada, "push", "origin", "v1") == "v1@origin: new, GIT\n"
    ada.write("f", "new\n")
    ada.commit("Two")
    grace = office.grace()
    commits(grace, "g", "g\n", "By Grace")
    grace.git("tag", "-f", "v1")
    grace.git("push", "-q", "--force", "origin", "v1")
    ada.says("git", "pull")
    assert ada.err == "warning: tag v1 is another there; yours stays\n"
    assert ada.run("git", "push", "origin", "main", "v1") == 1
    assert HEX.sub("GIT", ada.out) == (
        "main@origin: GIT to GIT\nnot moved: v1@origin: there is another tag of this name\n"
    )


def test_what_was_seen_can_be_overwritten_and_nothing_else(office: Office, ada: Desk) -> None:
    grace = office.grace()
    commits(grace, "g", "g\n", "By Grace")
    ada.says("git", "fetch")
    ada.write("f", "new\n")
    ada.commit("Two")
    assert ada.run("git", "push") == 1
    assert ada.out == (
        "not moved: main@origin: it has commits that are not in the bookmark: pull first\n"
    )
    commits(grace, "h", "h\n", "By Grace again")
    assert ada.run("git", "push", "--force") == 1
    assert ada.out == (
        "not moved: main@origin: it is not what was last seen of it: pull first\n"
    )
    ada.says("git", "fetch")
    assert said(ada, "push", "--force") == "main@origin: GIT to GIT\n"
    assert office.log() == ["Two", "One"]


def test_an_import_of_the_other_repository_takes_the_changes_too(
    office: Office, ada: Desk
) -> None:
    bob = office.desk("bob")
    told = said(bob, "import", office.url, ".").splitlines()
    assert told[3] == "commits that oxy made: 1; 1 change came along"
    assert bob.writes("log") == ada.writes("log")


def test_an_interrupted_clone_goes_on(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    grace = office.grace()
    commits(grace, "f", "1\n", "One")
    grace.git("switch", "-q", "-c", "trunk")
    commits(grace, "f", "2\n", "Two")
    office.hub.git("symbolic-ref", "HEAD", "refs/heads/trunk")
    bob = office.desk("bob")

    def interrupt(*_: object, **__: object) -> Landed:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("oxy_git.remote.pull.land", interrupt)
        assert bob.run("git", "clone", office.url, ".") == 130
    assert "what came is kept; `oxy git pull` there goes on" in bob.err
    bob.says("git", "pull")
    assert (bob.root / "f").read_text() == "2\n"
    assert said(bob, "status") == (
        "origin ROOT/hub.git\n  main: only there: 1 change\n  trunk: the same\n"
    )


def test_what_the_other_side_says_is_told_and_does_no_harm(office: Office, ada: Desk) -> None:
    hook = office.hub.root / "hooks/post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nprintf 'Look at \\033[31mthis\\n'\n")
    hook.chmod(0o755)
    ada.write("f", "new\n")
    ada.commit("Two")
    assert said(ada, "push") == "main@origin: GIT to GIT\n"
    assert ada.err == "origin says: Look at \\x1b[31mthis\n"


def test_a_git_remote_is_none_of_oxys_own(ada: Desk) -> None:
    assert ada.run("pull", "origin") == 2
    assert ada.err == (
        "oxy: the remote 'origin' is a Git repository\n"
        "hint: use `oxy git pull` and `oxy git push` with it\n"
    )
    assert ada.says("remote", "list") == ""


def test_changes_of_two_lie_beside_each_other(office: Office, ada: Desk) -> None:
    bob = office.cloned("bob")
    for desk, name in ((ada, "left"), (bob, "right")):
        desk.write(name, name)
        desk.commit(name)
        desk.says("bookmark", name)
        assert said(desk, "push", "origin", name) == f"{name}@origin: new, GIT\n"
        assert desk.err == ""
    held = office.hub.git("ls-tree", "-r", "--name-only", "refs/oxy/changes").split()
    assert len(held) == 3
    ada.says("git", "pull", "origin", "right")
    assert ada.says("log", "--count", "right", "--") == "2\n"
