"""What is tracked, and paths given in every way, through the real command line."""

import io
from pathlib import Path

import pytest

from oxy.worktree.generated import MANY
from tests.builders.desk import Desk


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Return a desk with one change, and `*.o` ignored."""
    desk.write(".gitignore", "*.o\nout/\n")
    desk.write("a.py", "a\n")
    desk.write("d/b.py", "b\n")
    desk.write("d/e/c.py", "c\n")
    desk.commit("Base")
    return desk


def test_what_is_ignored_is_tracked_where_that_is_said(desk: Desk) -> None:
    desk.write("x.o", "x\n")
    desk.write("out/y", "y\n")
    desk.write("out/z", "z\n")
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("track", "x.o", "out/y") == "tracked: x.o\ntracked: out/y\n"
    assert desk.says() == "on main\nA out/y\nA x.o\n"
    desk.commit("More")
    desk.write("x.o", "xx\n")
    assert desk.says() == "on main\nM x.o\n"
    assert desk.says("track", "x.o") == "tracked already: x.o\n"
    assert desk.record("track", "out") == {"path": "out", "tracked": True, "changed": True}
    assert desk.says() == "on main\nA out/z\nM x.o\n"


def test_what_is_untracked_stays_on_disk_and_stays_so(desk: Desk) -> None:
    assert desk.says("untrack", "d/e") == "untracked: d/e\n"
    assert desk.says() == "on main\nD d/e/c.py\n"
    desk.commit("Without")
    assert desk.says() == "on main\nnothing changed\n"
    assert (desk.root / "d/e/c.py").read_text() == "c\n"
    desk.write("d/e/new", "new\n")
    assert desk.says("status", "--ignored") == "on main\nuntracked: d/e/\nnothing changed\n"
    assert desk.says("status", "d/e/new") == (
        "on main\nleft out: d/e/new is untracked\nnothing changed\n"
    )
    assert desk.says("untrack", "d/e") == "untracked already: d/e\n"
    assert desk.says("track", "d/e/new") == "tracked: d/e/new\n"
    assert desk.says() == "on main\nA d/e/new\n"
    assert desk.says("track", "d/e") == "tracked: d/e\n"
    assert desk.says() == "on main\nA d/e/c.py\nA d/e/new\n"


def test_what_is_nowhere_or_refused_cannot_be_tracked(desk: Desk) -> None:
    assert desk.refuses("track", "no", code=2) == (
        "oxy: there is no 'no', neither on disk nor recorded\n"
    )
    assert desk.refuses("track", ".oxy/config.toml", code=2).startswith("oxy: ")
    assert "cannot be tracked" in desk.refuses("track", ".oxy", code=2)
    assert "paths are needed" in desk.refuses("untrack", code=2)


def test_an_ignored_file_that_is_named_is_recorded(desk: Desk) -> None:
    desk.write("x.o", "x\n")
    desk.write("out/y", "y\n")
    assert desk.says("status", "x.o") == "on main\nA x.o\n"
    desk.commit("Named", "x.o", "out/y")
    assert desk.says("files") == ".gitignore\na.py\nd/b.py\nd/e/c.py\nout/y\nx.o\n"
    assert desk.says("status", "out") == "on main\nnothing changed\n"


def test_a_large_new_file_is_recorded_once_it_is_said_to_be_tracked(desk: Desk) -> None:
    with (desk.root / "big").open("wb") as file:
        file.truncate((10 << 20) + 1)
    told = "left out: big is new and has 10485761 bytes: name it to record it\n"
    assert desk.says() == f"on main\n{told}nothing changed\n"
    desk.says("track", "big")
    assert desk.says() == "on main\nA big\n"


def test_a_first_commit_says_what_looks_generated(desk: Desk, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()
    desk.root = new
    desk.says("init")
    for number in range(MANY):
        desk.write(f"web/node_modules/p{number}/x.js", "x\n")
    desk.write("a", "a\n")
    assert desk.refuses("commit", "-m", "All", code=2) == (
        "oxy: this looks generated, and nothing ignores it: "
        f"web/node_modules ({MANY} files)\n"
        "hint: name it in .gitignore or .oxyignore, or record it with --all-files\n"
    )
    assert desk.says("log") == ""
    desk.says("commit", "-m", "One", "web")
    desk.says("undo")
    desk.says("commit", "-m", "All", "--all-files")
    assert desk.says() == "on main\nnothing changed\n"
    for number in range(MANY):
        desk.write(f"build/{number}.js", "x\n")
    desk.says("commit", "-m", "Later nobody asks")


def test_status_has_a_short_form(desk: Desk) -> None:
    desk.write("x.o", "x\n")
    desk.write("new", "new\n")
    (desk.root / "a.py").rename(desk.root / "A.py")
    (desk.root / "d/b.py").unlink()
    desk.says("untrack", "d/e")
    assert desk.says("status", "-s") == "R a.py -> A.py\nD d/b.py\nD d/e/c.py\nA new\n"
    assert desk.says("status", "-z", "--ignored") == (
        "R A.py\0a.py\0D d/b.py\0D d/e/c.py\0A new\0U d/e/\0I x.o\0"
    )
    ignored = desk.record("status", "--ignored")["ignored"]
    assert ignored == [
        {"path": "d/e/", "kind": "untracked"},
        {"path": "x.o", "kind": "ignored"},
    ]
    assert "ignored" not in desk.record("status")


def test_paths_are_given_as_patterns(desk: Desk) -> None:
    for name in ("a.py", "d/b.py", "d/e/c.py", "d/new", "x.o"):
        desk.write(name, "other\n")
    assert desk.says("status", "*.py") == "on main\nM a.py\nM d/b.py\nM d/e/c.py\n"
    assert desk.says("status", "d/*.py") == "on main\nM d/b.py\n"
    assert desk.says("status", "d/**/c.*", "d/n[a-f]w") == "on main\nM d/e/c.py\nA d/new\n"
    assert desk.says("status", "*.py", where="d") == "on main\nM b.py\nM e/c.py\n"
    assert desk.says("status", "../*.py", where="d") == "on main\nM ../a.py\n"
    assert desk.says("status", "e*/") == "on main\nM d/e/c.py\n"
    assert desk.says("diff", "d/b*").startswith("diff --git a/d/b.py b/d/b.py\n")
    assert desk.refuses("status", "*.o", code=2) == "oxy: no file matches '*.o'\n"
    assert desk.says("track", "*.o") == "tracked: x.o\n"
    desk.write("[x]", "x\n")
    assert desk.says("status", "[x]") == "on main\nA [x]\n"
    assert desk.says("status", "--", "[x]") == "on main\nA [x]\n"


def test_paths_are_given_as_a_list(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.py", "d/b.py", "d/e/c.py"):
        desk.write(name, "other\n")
    desk.write(".oxy/list", "a.py\nd/e/c.py\n")
    listed = str(desk.root / ".oxy/list")
    assert desk.says("status", "--paths-from", listed) == "on main\nM a.py\nM d/e/c.py\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"d/b.py\0a.py\0")))
    assert desk.says("commit", "-m", "Two", "--paths-from", "-") == "recorded ID Two\n"
    assert desk.says() == "on main\nM d/e/c.py\n"
    desk.write(".oxy/list", "\n")
    told = f"--paths-from {listed}: there is no path in it\n"
    assert told in f"{desk.refuses('status', '--paths-from', listed, code=2)}".replace(
        "ROOT", str(desk.root)
    )
    assert "No such file" in desk.refuses("status", "--paths-from", "none", code=2)


def test_patterns_and_lists_are_taken_by_what_rewrites_and_resolves(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.py", "d/b.py", "d/e/c.py"):
        desk.write(name, "other\n")
    desk.says("amend", "@", "d/*.py")
    assert desk.says() == "on main\nM a.py\nM d/e/c.py\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a.py\n")))
    desk.says("amend", "--paths-from", "-")
    assert desk.says() == "on main\nM d/e/c.py\n"
    desk.says("discard", "--all")
    desk.says("split", "@", "d/*", "-m", "Half")
    desk.says("switch", "-c", "topic")
    desk.write("a.py", "left\n")
    desk.write("d/b.py", "left\n")
    desk.commit("Left")
    desk.says("switch", "main")
    desk.write("a.py", "right\n")
    desk.write("d/b.py", "right\n")
    desk.commit("Right")
    desk.says("merge", "topic")
    assert desk.says("resolve", "--take", "left", "d/*") == "took left for d/b.py: text 1\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a.py\0")))
    took = desk.says("resolve", "--take", "left", "--paths-from", "-")
    assert took == "took left for a.py: text 1\n"
