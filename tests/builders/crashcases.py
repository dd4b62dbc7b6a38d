"""Every command that writes, in a small repository made for it (spec: T21)."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from oxy.cli.main import main
from tests.builders.tree import File, Tree, make

AUTHOR: Final = "Ada Lovelace <ada@example.org>"
HERE: Final = "here"
THERE: Final = "there"
SOURCE: Final = "source.git"


class Answer(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str


class Site:
    """A directory that loses power; what stands beside it does not.

    In it are the repository `here` and, where a case has one, another `there`.
    """

    def __init__(self, above: Path) -> None:
        self.above = above
        self.root = above / "disk"
        self.here = self.root / HERE
        self.there = self.root / THERE
        self.source = above / SOURCE
        self.heard = above / "heard"

    def words(self, words: tuple[str, ...]) -> list[str]:
        """Return what is typed: names of places in braces are those of this site."""
        places = {"here": self.here, "there": self.there, "source": self.source}
        at = self.here if self.here.is_dir() else self.root
        return ["-C", str(at), *(word.format(**places) for word in words)]

    def run(self, *words: str) -> Answer:
        """Run a command in this process."""
        held = sys.stdout, sys.stderr
        out, err = io.BytesIO(), io.BytesIO()
        streams = sys.stdout, sys.stderr = io.TextIOWrapper(out), io.TextIOWrapper(err)
        try:
            code = main(self.words(words))
            for stream in streams:
                stream.flush()
        finally:
            sys.stdout, sys.stderr = held
        return Answer(code, out.getvalue().decode(), err.getvalue().decode())

    def does(self, *words: str) -> None:
        """Run a command that has to go well."""
        answer = self.run(*words)
        assert answer.code == 0, (words, answer)


class Case(NamedTuple):
    """A command, and what there is when it is run.

    Attributes:
        name: what it is called.
        prepare: makes what there is.
        words: what is typed.
        leads: what leads on where half of it is done, so that the same words are refused.
        precious: files with edits of the user, which are nowhere else.
        is_gradual: it makes something in several operations, each of which may be the last.
        is_repeated: the same words finish it also where its operation is recorded already.
    """

    name: str
    prepare: Callable[[Site], None]
    words: tuple[str, ...]
    leads: tuple[str, ...] = ()
    precious: tuple[str, ...] = ()
    is_gradual: bool = False
    is_repeated: bool = False


FIRST: Final[Tree] = {
    "a": File(b"1\n2\n3\n4\n5\n"),
    "d/gone": File(b"\0gone"),
    "link": File(b"a", is_link=True),
    "same": File(b"same\n"),
}
SECOND: Final[Tree] = {
    "a": File(b"one\n2\n3\n4\n5\n", executable=True),
    "e/new": File(b"new\n"),
    "link": File(b"e/new", is_link=True),
    "same": File(b"same\n"),
}
EDITED: Final[Tree] = {**SECOND, "a": File(b"one\n2\n3\n4\nfive\n", executable=True)}


def nothing(site: Site) -> None:
    site.root.mkdir()


def one(site: Site) -> None:
    """Make a repository of one change."""
    site.root.mkdir()
    site.does("init", "{here}")
    make(site.here, FIRST)
    site.does("commit", "-m", "First")


def edited(site: Site) -> None:
    """Have edits beside one change."""
    one(site)
    make(site.here, SECOND)


def two(site: Site) -> None:
    """Have two bookmarks of different states, and be on the first."""
    one(site)
    site.does("switch", "-c", "other")
    make(site.here, SECOND)
    site.does("commit", "-m", "Second")
    site.does("switch", "main")


def carrying(site: Site) -> None:
    """Have an edit that goes along to another state."""
    two(site)
    make(site.here, {**FIRST, "a": File(b"1\n2\n3\n4\nfive\n"), "mine": File(b"mine\n")})


def apart(site: Site) -> None:
    """Have two bookmarks that can be merged."""
    two(site)
    make(site.here, {**FIRST, "same": File(b"not the same\n")})
    site.does("commit", "-m", "Third")


def disputed(site: Site) -> None:
    """Be on a state in conflict."""
    two(site)
    make(site.here, {**FIRST, "a": File(b"eins\n2\n3\n4\n5\n")})
    site.does("commit", "-m", "Third")
    site.does("merge", "other")


def pair(site: Site) -> None:
    """Have another repository with a change more."""
    one(site)
    site.does("clone", "{here}", "{there}")
    site.does("-C", str(site.there), "remote", "list")
    make(site.there, SECOND)
    site.does("-C", str(site.there), "commit", "-m", "Second")


def pulling(site: Site) -> None:
    """Have something to pull."""
    pair(site)
    site.does("remote", "add", "origin", "{there}")
    make(site.here, {**FIRST, "same": File(b"mine\n")})


def pushing(site: Site) -> None:
    """Have something to push."""
    one(site)
    site.does("clone", "{here}", "{there}")
    site.does("remote", "add", "origin", "{there}")
    site.does("-C", str(site.there), "switch", "-c", "elsewhere")
    make(site.here, SECOND)
    site.does("commit", "-m", "Second")


def cloning(site: Site) -> None:
    """Have something to clone, and nothing else: it stands beside the disk."""
    one(site)
    site.there.mkdir()


def git(site: Site) -> None:
    """Have a repository of Git beside the disk, and a new one of oxy."""
    site.root.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", site.source], check=True)
    stream = b"".join(
        b"commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata 2\nc%d\n"
        b"M 644 inline f\ndata %d\n%s\n" % (at, at, 2 * at, b"x\n" * at)
        for at in range(1, 5)
    )
    command = ["git", "-C", os.fspath(site.source), "fast-import", "--quiet", "--done"]
    subprocess.run(command, input=stream + b"done\n", check=True)
    site.does("init", "{here}")


def committed(site: Site) -> None:
    """Have recorded something, and nothing else to be done."""
    edited(site)
    site.does("commit", "-m", "Second")
    make(site.here, EDITED)


def thrown(site: Site) -> None:
    """Have thrown edits away."""
    edited(site)
    site.does("discard", "--all")


def shelved(site: Site) -> None:
    """Have put edits aside."""
    edited(site)
    site.does("shelve")


def bundled(site: Site) -> None:
    """Have a bundle of what there is not."""
    pair(site)
    site.does("-C", str(site.there), "bundle", "create", str(site.above / "bundle"))


CASES: Final = (
    Case("init", nothing, ("init", "{here}"), is_gradual=True),
    Case("commit", edited, ("commit", "-m", "Second"), precious=tuple(SECOND)),
    Case("amend", committed, ("amend",), precious=tuple(EDITED)),
    Case("reword", committed, ("reword", "main", "-m", "Other"), precious=tuple(EDITED)),
    Case("uncommit", committed, ("uncommit",), precious=tuple(EDITED)),
    Case("switch", two, ("switch", "other")),
    Case("switch with edits", carrying, ("switch", "other"), precious=("a", "mine")),
    Case("merge", apart, ("merge", "other")),
    Case("pick", apart, ("pick", "other")),
    Case("revert", two, ("revert", "main", "-m", "Back")),
    Case("undo of a commit", committed, ("undo",), precious=tuple(EDITED)),
    Case("undo of a switch", two, ("undo",)),
    Case("undo of a discard", thrown, ("undo",)),
    Case("tag", one, ("tag", "v1", "-m", "One")),
    Case("bookmark", one, ("bookmark", "topic")),
    Case("discard", edited, ("discard", "--all"), precious=("e/new",), is_repeated=True),
    Case("clean", edited, ("clean",), precious=("a", "link", "same"), is_repeated=True),
    Case("shelve", edited, ("shelve",), leads=("undo",)),
    Case("unshelve", shelved, ("unshelve",)),
    Case("mv", one, ("mv", "a", "b/c")),
    Case("rm", one, ("rm", "a")),
    Case("untrack", one, ("untrack", "a"), precious=("a",)),
    Case("resolve", disputed, ("resolve", "--take", "left")),
    Case("pull", pulling, ("pull",), precious=("same",)),
    Case("push", pushing, ("push",)),
    Case("fetch", pulling, ("fetch",), precious=("same",)),
    Case("clone", cloning, ("clone", "{here}", "{there}"), is_gradual=True),
    Case(
        "workspace",
        two,
        ("workspace", "add", "{there}", "other"),
        leads=("-C", "{there}", "switch", "other"),
        is_gradual=True,
    ),
    Case("checkpoint", two, ("checkpoint",)),
    Case("gc", thrown, ("gc",), precious=tuple(FIRST)),
    Case("gc without grace", thrown, ("gc", "--grace", "0"), precious=tuple(FIRST)),
    Case("fsck --rebuild", two, ("fsck", "--rebuild")),
    Case("config", one, ("config", "set", "--repository", "user.name", "x")),
    Case("bundle apply", bundled, ("bundle", "apply", "{here}/../../bundle")),
    Case("git import", git, ("git", "import", "{source}"), is_gradual=True),
)


def surroundings(put: Callable[[str, str], object]) -> None:
    """Make the environment one in which commands do the same each time."""
    put("OXY_AUTHOR", AUTHOR)
    put("XDG_CONFIG_HOME", os.devnull)
    put("GIT_CONFIG_GLOBAL", os.devnull)
    put("GIT_CONFIG_NOSYSTEM", "1")
