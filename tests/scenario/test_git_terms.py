"""Options of `oxy git import`, and what changes nothing (spec: GB25, GB45, GB71 to GB73)."""

import re
from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, Desk
from tests.builders.gitcases import TEN, swapped
from tests.builders.gitrepo import Blob, GitRepo

TIME = re.compile(r"in \d+\.\d s: \d+ commits/s")


@pytest.fixture
def desk(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    (tmp_path / "desk").mkdir()
    return Desk(tmp_path / "desk", capfdbinary)


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "project.git", bare=True)


def said(desk: Desk, *words: str) -> str:
    """Run a command, and return what it says without times and places."""
    return TIME.sub("in TIME", desk.says(*words).replace(str(desk.root), "ROOT"))


def test_a_branch_comes_in_alone_and_truncated(desk: Desk, git: GitRepo) -> None:
    one = git.commit({b"f": TEN}, message=b"One\n")
    two = git.commit({b"f": swapped(TEN, b"1", b"one")}, one, message=b"Two\n")
    git.branch("topic", git.commit({b"g": TEN}, two, message=b"Three\n"))
    git.main({b"f": TEN, b"h": TEN}, two)
    words = ("git", "import", "--branch", "topic", "--depth", "2", str(git.root))
    assert said(desk, *words) == (
        "imported into ROOT/project\n"
        "2 commits, 0 of them merges, in TIME\n"
        "2 file changes, 1 of them a rename\n"
        "1 bookmark or tag moved\n"
        "on topic: 1 file written\n"
    )
    assert desk.says("log", "--format", "{subject}", where="project") == "Three\nTwo\n"
    assert desk.says("bookmark", where="project") == "* topic ID  2 changes  Three\n"
    assert desk.says("git", "verify", where="project") == (
        "2 commits: 2 trees hashed, 0 of them kept raw; 2 files rendered and hashed; "
        "0 mismatches\n1 commit was imported without all their parents\n"
    )
    assert desk.refuses(
        "git", "import", "--branch", "nope", str(git.root), "other", code=2
    ) == (
        "oxy: the Git repository has no refs/heads/nope\n"
        "hint: `git branch` and `git tag` list them there\n"
    )
    assert not (desk.root / "other").exists()


def test_authors_are_shown_as_a_file_tells(desk: Desk, git: GitRepo) -> None:
    git.main({b"f": TEN, b".mailmap": b"Not She <ada@example.org>\n"})
    desk.write("authors", "# who\nada@example.org = Countess Lovelace <countess@example.org>\n")
    authors = str(desk.root / "authors")
    desk.says("git", "import", "--authors", authors, str(git.root))
    shown = "Countess Lovelace <countess@example.org>"
    assert f"author: {shown}\n" in desk.says("log", where="project")
    assert f"author: {shown}\n" in desk.says("show", where="project")
    assert "Countess Lovelace" in desk.says("blame", "f", where="project")
    # It is no change: what is stored has the ids that it had.
    assert "; 0 mismatches\n" in desk.says("git", "verify", where="project")
    desk.write("authors", "Ada\n")
    assert desk.refuses(
        "git", "import", "--authors", authors, str(git.root), "other", code=2
    ) == ("oxy: 'ROOT/authors', line 1: it names no author to show\n")
    assert not (desk.root / "other").exists()


def test_submodules_come_to_their_paths_at_their_pins(
    desk: Desk, git: GitRepo, tmp_path: Path
) -> None:
    library = GitRepo(tmp_path / "library")
    pinned = library.main({b"l": b"pinned\n"})
    newer = library.main({b"l": b"newer\n"}, pinned)
    modules = (
        b'[submodule "a"]\n\tpath = deps/a\n\turl = ../library\n'
        b'[submodule "b"]\n\tpath = deps/b\n\turl = https://example.org/b\n'
        b'[submodule "d"]\n\tpath = ../d\n\turl = ../library\n'
    )
    files: dict[bytes, bytes | Blob] = {
        b".gitmodules": modules,
        b"deps/a": Blob(pinned.encode(), b"160000"),
        b"deps/b": Blob(pinned.encode(), b"160000"),
        b"deps/c": Blob(pinned.encode(), b"160000"),
    }
    first = git.main(files)
    told = (
        "subrepo deps/a: imported\n"
        "subrepo deps/b: its address is no directory of this machine\n"
        "subrepo deps/c: no .gitmodules says where it is\n"
    )
    assert said(desk, "git", "import", "--recurse", str(git.root)) == (
        "imported into ROOT/project\n"
        "1 commit, 0 of them merges, in TIME\n"
        "4 file changes, 0 of them renames\n"
        "1 bookmark or tag moved\n"
        f"{told}"
        "on main: 1 file written\n"
    )
    inside = desk.root / "project" / "deps" / "a" / "l"
    assert inside.read_text() == "pinned\n"
    assert not (desk.root / "d").exists()
    # Done again, it brings what is new, and leaves the files alone.
    inside.write_text("mine\n")
    git.main({**files, b"deps/a": Blob(newer.encode(), b"160000")}, first)
    assert told in desk.says("git", "import", "--recurse", str(git.root))
    assert inside.read_text() == "mine\n"


def test_attributes_and_filters_change_no_byte(desk: Desk, git: GitRepo) -> None:
    pointer = (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 1\n"
    )
    attributes = (
        b"*.txt text eol=crlf\n*.lf text=auto\n*.c ident\n*.bin filter=lfs diff=lfs -text\n"
    )
    files: dict[bytes, bytes | Blob] = {
        b".gitattributes": attributes,
        b"lf.txt": b"a\nb\n",
        b"crlf.txt": b"a\r\nb\r\n",
        b"mixed.lf": b"a\r\nb\n",
        b"id.c": b"/* $Id$ */\n",
        b"big.bin": pointer,
    }
    base = git.main(files)
    desk.says("git", "import", str(git.root))
    for name, data in files.items():
        assert (desk.root / "project" / name.decode()).read_bytes() == data
    assert desk.says(where="project") == "on main\nnothing changed\n"
    desk.write("project/new", "x\n")
    desk.says("commit", "-m", "New", where="project")
    desk.says("git", "export", "--bare", str(desk.root / "back"), where="project")
    back = GitRepo.at(desk.root / "back")
    assert back.git("rev-parse", "main~1").decode().strip() == base
    assert back.git("ls-tree", "main").replace(git_line(back), b"") == git.git("ls-tree", base)


def git_line(git: GitRepo) -> bytes:
    """Return the line of the new file."""
    return git.git("ls-tree", "main", "new")
