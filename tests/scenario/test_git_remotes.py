"""Working beside Git over a remote, through the real command line (spec: git-bridge, GB37)."""

import os
import re
from pathlib import Path

import pytest

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
