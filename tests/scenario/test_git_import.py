"""`oxy git import` and `oxy git verify` through the real command line, to the letter."""

import re
import subprocess
from pathlib import Path

import pytest

from oxy.cli.main import main
from oxy_git.verb import importing
from tests.builders.desk import AUTHOR, Desk
from tests.builders.gitcases import ALL, TEN, swapped
from tests.builders.gitrepo import Blob, GitRepo, isolated
from tests.builders.tree import Tree, held

TIME = re.compile(r"in \d+\.\d s: \d+ commits/s")
REAL = [
    name
    for name in ALL
    if name not in {"withheld_paths", "odd_orders", "odd_people", "empty_things"}
]


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
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


def checked_out(git: GitRepo, root: Path) -> Tree:
    """Return the files that git itself writes."""
    command = ["git", "clone", "-q", str(git.root), str(root)]
    subprocess.run(command, check=True, env=isolated(), capture_output=True)
    files = held(root)
    return {name: file for name, file in files.items() if name.split("/")[0] != ".git"}


def test_a_project_comes_in_beside_its_source_and_proves(desk: Desk, git: GitRepo) -> None:
    base = git.commit({b"src/a": TEN, b"run": Blob(b"#!\n", b"100755")})
    one = git.commit({b"src/a": swapped(TEN, b"1", b"one"), b"run": b"#!\n"}, base)
    two = git.branch("topic", git.commit({b"lib/a": TEN, b"run": b"#!\n"}, base))
    git.main({b"lib/a": swapped(TEN, b"1", b"one"), b"run": b"#!\n"}, one, two)
    git.tag("v1", base)
    git.ref("refs/tags/tree", git.tree({b"a": TEN}))
    for name in ("refs/pull/1/head", "refs/pull/2/head", "refs/stash"):
        git.ref(name, base)
    assert said(desk, "git", "import", str(git.root)) == (
        "imported into ROOT/project\n"
        "4 commits, 1 of them a merge, in TIME\n"
        "6 file changes, 1 of them a rename\n"
        "4 bookmarks and tags moved\n"
        "passed over refs/pull/: 2 refs, such as refs/pull/1/head\n"
        "passed over refs/stash\n"
        "on main: 2 files written\n"
    )
    assert desk.says("git", "verify", where="project") == (
        "4 commits: 8 trees hashed, 0 of them kept raw; 8 files rendered and hashed; "
        "0 mismatches\n3 objects of tags have their ids\n"
    )
    assert desk.says(where="project") == "on main\nnothing changed\n"
    assert desk.says("bookmark", where="project") == (
        "* main  ID  4 changes  A change\n  topic ID  2 changes  A change\n"
    )
    assert desk.says("fsck", where="project") == "nothing is wrong\n"


@pytest.mark.parametrize("case", REAL)
def test_the_working_copy_is_what_git_checks_out(
    case: str, desk: Desk, git: GitRepo, tmp_path: Path
) -> None:
    ALL[case](git)
    desk.says("git", "import", str(git.root), "here")
    assert held(desk.root / "here") == checked_out(git, tmp_path / "clone")
    assert desk.says(where="here") == "on main\nnothing changed\n"


def test_an_import_again_follows_and_leaves_the_files_alone(desk: Desk, git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    desk.says("git", "import", str(git.root))
    git.main({b"a": b"new\n"}, first)
    assert said(desk, "-C", "project", "git", "import", str(git.root)) == (
        "imported into ROOT/project\n"
        "1 commit, 0 of them merges, in TIME; 1 was there\n"
        "1 file change, 0 of them renames\n"
        "1 bookmark or tag moved\n"
    )
    assert (desk.root / "project/a").read_bytes() == TEN
    assert desk.says("switch", "main", where="project") == (
        "on main at ID: 1 written, 0 removed\n"
    )


def test_the_bookmark_of_an_empty_repository_makes_way(desk: Desk, git: GitRepo) -> None:
    git.branch("trunk", git.commit({b"a": TEN}))
    git.git("symbolic-ref", "HEAD", "refs/heads/trunk")
    desk.says("init")
    desk.says("git", "import", str(git.root))
    assert desk.says("bookmark") == "* trunk ID  1 change   A change\n"
    assert (desk.root / "a").read_bytes() == TEN


def test_without_a_checkout_no_file_is_written(desk: Desk, git: GitRepo) -> None:
    git.main({b"a": TEN})
    desk.says("git", "import", str(git.root), "--no-checkout")
    assert held(desk.root / "project") == {}
    desk.says("switch", "main", where="project")
    assert (desk.root / "project/a").read_bytes() == TEN


def test_files_in_the_way_stay(desk: Desk, git: GitRepo) -> None:
    git.main({b"a": TEN})
    desk.says("init")
    desk.write("a", "mine\n")
    assert "would be overwritten: a\n" in desk.refuses("git", "import", str(git.root), code=2)
    assert (desk.root / "a").read_text() == "mine\n"
    (desk.root / "a").unlink()
    desk.says("git", "import", str(git.root))
    assert (desk.root / "a").read_bytes() == TEN


def test_a_repository_without_commits_gives_one(desk: Desk, git: GitRepo) -> None:
    desk.says("git", "import", str(git.root))
    assert desk.says(where="project") == "on main\nnothing changed\n"


def test_the_first_commits_and_then_the_others(desk: Desk, git: GitRepo) -> None:
    ALL["linear"](git)
    limited = desk.record("git", "import", str(git.root), "--limit", "2")
    assert (limited["commits"], limited["bookmark"]) == (2, None)
    whole = desk.record("git", "import", str(git.root), "project")
    assert (whole["commits"], whole["already"], whole["refs"]) == (2, 2, 1)
    assert desk.record("git", "verify", "-C", str(desk.root / "project")) == {
        "commits": 4,
        "imported": 4,
        "trees": 8,
        "raw_trees": 0,
        "files": 7,
        "mismatches": 0,
        "missing": 0,
        "cut": 0,
        "tags": 0,
    }


def test_what_is_withheld_is_listed_and_not_written(desk: Desk, git: GitRepo) -> None:
    ALL["withheld_paths"](git)
    assert said(desk, "git", "import", str(git.root)) == (
        "imported into ROOT/project\n"
        "3 commits, 0 of them merges, in TIME\n"
        "2 file changes, 0 of them renames\n"
        "8 trees kept raw, for the way in which they are written\n"
        "3 paths withheld, since no file may be called so:\n"
        "  .git/config is a spelling of .oxy or .git\n"
        "  a\\x0ab contains a control byte\n"
        "  d/.GIT is a spelling of .oxy or .git\n"
        "1 bookmark or tag moved\n"
        "on main: 2 files written\n"
    )
    assert held(desk.root / "project").keys() == {"f", "d/more"}


def test_a_source_that_is_no_repository_leaves_nothing_behind(desk: Desk) -> None:
    told = desk.refuses("git", "import", str(desk.root), "new", code=2)
    assert told.startswith("oxy: ROOT is no Git repository (fatal: not a git repository")
    assert list(desk.root.iterdir()) == []


def test_a_directory_with_other_things_is_not_used(desk: Desk, git: GitRepo) -> None:
    desk.write("project/file", "mine\n")
    assert desk.refuses("git", "import", str(git.root), code=2) == (
        "oxy: 'ROOT/project' is neither empty nor an oxy repository\n"
    )


def test_a_limit_is_a_number(desk: Desk, git: GitRepo) -> None:
    told = desk.refuses("git", "import", str(git.root), "--limit", "-1", code=2)
    assert "'-1' is no number of commits" in told


def test_an_interruption_says_that_it_goes_on(
    desk: Desk, git: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.main({b"a": TEN})

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(importing, "import_git", interrupted)
        assert desk.refuses("git", "import", str(git.root), code=130) == (
            "what was imported in whole batches is kept; run it again to go on\n"
            "oxy: interrupted\n"
        )
    desk.says("git", "import", str(git.root), "project")
    assert (desk.root / "project/a").read_bytes() == TEN


def test_a_mismatch_is_told_and_is_the_exit_code(
    desk: Desk, git: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = git.main({b"a": TEN})
    desk.says("git", "import", str(git.root))
    monkeypatch.setattr("oxy_git.verify.rendering.Renderer._blob", lambda *_: b"\0" * 20)
    assert desk.run("git", "verify", where="project") == 1
    assert desk.out == (
        f"mismatch: {first}: 'a': what it reads is not its tree\n"
        "1 commit: 1 tree hashed, 0 of them kept raw; 1 file rendered and hashed; 1 mismatch\n"
    )


def test_some_of_the_commits_are_verified(desk: Desk, git: GitRepo) -> None:
    ALL["linear"](git)
    desk.says("git", "import", str(git.root), "project")
    base = git.git("rev-parse", "main~2").decode()[:8]
    assert desk.says("git", "verify", f"{base}..main", "--jobs", "1", where="project") == (
        "2 commits of 4: 5 trees hashed, 0 of them kept raw; 4 files rendered and hashed; "
        "0 mismatches\n"
    )
    sampled = desk.record(
        "git", "verify", "-C", str(desk.root / "project"), "--sample", "26%", "--seed", "1"
    )
    assert (sampled["commits"], sampled["imported"], sampled["mismatches"]) == (2, 4, 0)
    assert desk.run("git", "verify", "nowhere..main", where="project") == 2
    assert desk.err == "oxy: no bookmark, tag or change is called 'nowhere'\n"
    assert desk.run("git", "verify", "--sample", "0%", where="project") == 2
    assert desk.err == (
        "oxy: argument --sample: '0%' is no number of commits from 1 up, and no part from 1% "
        "to 100%\nhint: `oxy help git verify` tells what it takes\n"
    )


def test_the_group_lists_its_verbs(desk: Desk) -> None:
    assert main(["-C", str(desk.root), "git"]) == 0
    told = desk.says("git", "-h")
    assert "  import " in told
    assert "  verify " in told
