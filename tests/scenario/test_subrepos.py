"""Repositories that changes pin, through the real command line, to the letter."""

from pathlib import Path
from shutil import rmtree

import pytest

from tests.builders.desk import AUTHOR, Desk

NOWHERE = (
    "oxy: nothing here has the pinned state of the subrepo 'vendor/lib'\n"
    "hint: clone it there by hand, or add a remote to it that has the state, and update again\n"
)


@pytest.fixture
def desk(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    """A library in `lib`, and a project in `p` that has it as the subrepo `vendor/lib`."""
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    for name in ("lib", "p"):
        desk.says("init", name)
        desk.write(f"{name}/{name}.c", "1\n")
        said(desk, name, "commit", "-m", f"Base of {name}")
    assert said(desk, "p", "subrepo", "add", "vendor/lib", "../lib") == (
        "recorded ID: vendor/lib is a subrepo\n"
    )
    return desk


def said(desk: Desk, where: str, *words: str) -> str:
    return desk.says(*words, where=where).replace(str(desk.root), "ROOT")


def refused(desk: Desk, where: str, *words: str, code: int = 2) -> str:
    return desk.refuses("-C", where, *words, code=code)


def advance(desk: Desk, text: str = "2\n") -> None:
    """Record a change in the subrepo, and pin it."""
    desk.write("p/vendor/lib/lib.c", text)
    said(desk, "p/vendor/lib", "commit", "-m", "Lib goes on")
    said(desk, "p", "subrepo", "record", "-m", "Take the new lib")


def inner(desk: Desk, where: str = "p") -> str:
    return (desk.root / where / "vendor/lib/lib.c").read_text()


def test_a_subrepo_is_quiet_while_it_is_as_pinned(desk: Desk) -> None:
    assert inner(desk) == "1\n"
    assert said(desk, "p", "status") == "on main\nnothing changed\n"
    assert said(desk, "p", "subrepo", "list") == "vendor/lib as pinned\n"
    assert said(desk, "p", "files") == "p.c\nvendor/lib\n"
    assert said(desk, "p", "fsck") == "nothing is wrong\n"
    assert "+Subproject commit oxy:" in said(desk, "p", "show")


def test_what_moved_and_what_differs_in_a_subrepo_is_told_and_recorded(desk: Desk) -> None:
    desk.write("p/vendor/lib/lib.c", "2\n")
    assert said(desk, "p", "status") == (
        "on main\nleft out: vendor/lib is a subrepo: as pinned, 1 file differs\n"
        "nothing changed\n"
    )
    said(desk, "p/vendor/lib", "commit", "-m", "Two")
    assert said(desk, "p", "subrepo", "list") == "vendor/lib moved, 1 ahead\n"
    assert said(desk, "p", "subrepo", "record") == "recorded ID\n"
    assert said(desk, "p", "log", "--oneline", "-n", "1") == "ID [main] Move vendor/lib\n"
    assert said(desk, "p", "subrepo", "record") == (
        "nothing to record: all subrepos are as pinned\n"
    )
    assert said(desk, "p", "undo") == "undone: subrepo Move vendor/lib\n"
    assert said(desk, "p", "subrepo", "list") == "vendor/lib moved, 1 ahead\n"
    desk.run("-C", str(desk.root / "p"), "subrepo", "list", "--json")
    assert '"stands": "moved", "ahead": 1, "behind": 0, "edits": 0' in desk.out


def test_a_subrepo_follows_a_switch_unless_it_holds_edits(desk: Desk) -> None:
    said(desk, "p", "bookmark", "old")
    advance(desk)
    assert said(desk, "p", "switch", "old") == (
        "on old at ID\nthe subrepo vendor/lib followed\n"
    )
    assert inner(desk) == "1\n"
    said(desk, "p", "switch", "main")
    assert inner(desk) == "2\n"
    desk.write("p/vendor/lib/lib.c", "3\n")
    assert said(desk, "p", "switch", "old") == "on old at ID\n"
    assert desk.err == "the subrepo vendor/lib stays: moved, 1 ahead, 1 file differs\n"
    assert inner(desk) == "3\n"
    said(desk, "p/vendor/lib", "discard", "lib.c")
    assert said(desk, "p", "subrepo", "update") == "vendor/lib updated\n"
    assert inner(desk) == "1\n"
    assert said(desk, "p", "subrepo", "update") == "vendor/lib is as pinned\n"


def test_a_switch_to_where_there_is_no_subrepo_leaves_it_there(desk: Desk) -> None:
    said(desk, "p", "switch", "main~1")
    assert inner(desk) == "1\n"
    assert said(desk, "p", "status").endswith(
        "left out: vendor/lib is a repository of its own: `oxy subrepo add` pins it\n"
        "nothing changed\n"
    )
    said(desk, "p", "switch", "main")
    assert said(desk, "p", "subrepo", "list") == "vendor/lib as pinned\n"


def test_a_clone_has_the_subrepos_and_fetches_what_is_pinned_later(desk: Desk) -> None:
    said(desk, ".", "clone", "p", "q")
    assert inner(desk, "q") == "1\n"
    assert said(desk, "q", "status") == "on main\nnothing changed\n"
    advance(desk)
    said(desk, "q", "pull")
    assert said(desk, "q", "subrepo", "list") == "vendor/lib without the pinned state\n"
    assert said(desk, "q", "subrepo", "update") == "vendor/lib updated\n"
    assert inner(desk, "q") == "2\n"
    rmtree(desk.root / "q/vendor")
    assert said(desk, "q", "status") == "on main\nnothing changed\n"
    assert said(desk, "q", "subrepo", "list") == "vendor/lib missing\n"
    assert said(desk, "q", "subrepo", "update", "vendor/lib") == "vendor/lib updated\n"
    assert inner(desk, "q") == "2\n"


def test_a_clone_of_what_lacks_its_subrepo_says_so(desk: Desk) -> None:
    rmtree(desk.root / "p/vendor")
    said(desk, ".", "clone", "p", "q")
    assert desk.err == (
        "warning: the subrepo vendor/lib is not there: nothing here has the pinned state of "
        "the subrepo 'vendor/lib'\n"
    )
    assert refused(desk, "q", "subrepo", "update").startswith(
        "oxy: nothing here has the pinned"
    )


def test_no_symlink_leads_a_subrepo_out_of_a_repository(desk: Desk) -> None:
    said(desk, ".", "clone", "p", "q")
    outside = desk.root / "outside"
    (desk.root / "p/vendor").rename(outside)
    (desk.root / "p/vendor").symlink_to(outside)
    rmtree(desk.root / "q/vendor")
    assert refused(desk, "q", "subrepo", "update").startswith(
        "oxy: nothing here has the pinned"
    )
    (desk.root / "q/vendor").symlink_to(desk.root / "elsewhere")
    (desk.root / "elsewhere").mkdir()
    (desk.root / "p/vendor").unlink()
    outside.rename(desk.root / "p/vendor")
    assert refused(desk, "q", "subrepo", "update").startswith(
        "oxy: nothing here has the pinned"
    )
    assert list((desk.root / "elsewhere").iterdir()) == []
    refusal = refused(desk, "q", "subrepo", "add", "vendor/more", "../lib")
    assert refusal == (
        "oxy: 'vendor/more' cannot be a subrepo: a symlink is on the way to it\n"
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("add", "p.c"), "'p.c' cannot be a subrepo: something is tracked there already"),
        (("add", "vendor"), "'vendor' cannot be a subrepo: something is tracked there already"),
        (("add", "none"), "'none' cannot be a subrepo: no repository of oxy is there"),
        (("add", ".git/x", "../lib"), "'.git/x' cannot be a subrepo: its path "),
        (("add", "empty"), "'empty' cannot be a subrepo: nothing is recorded in it"),
        (("add", "x", "../none"), "no repository at or above"),
        (("update", "none"), "no subrepo is recorded at 'none'"),
        (("record", "none"), "no subrepo is recorded at 'none'"),
        (("remove", "p.c"), "no subrepo is recorded at 'p.c'"),
    ],
)
def test_what_cannot_be_a_subrepo_is_refused(
    desk: Desk, *, words: tuple[str, ...], why: str
) -> None:
    said(desk, "p", "init", "empty")
    assert desk.run("-C", "p", "subrepo", *words) in {2, 3}
    assert desk.err.startswith(f"oxy: {why}")
    assert not (desk.root / "p/x").exists()


def test_a_subrepo_is_taken_out_and_its_files_stay(desk: Desk) -> None:
    assert said(desk, "p", "subrepo", "remove", "vendor/lib") == (
        "recorded ID: vendor/lib is no subrepo any more\n"
    )
    assert inner(desk) == "1\n"
    assert said(desk, "p", "files") == "p.c\n"
    assert said(desk, "p", "subrepo", "add", "vendor/lib") == (
        "recorded ID: vendor/lib is a subrepo\n"
    )


def test_a_subrepo_is_moved_with_its_directory(desk: Desk) -> None:
    assert refused(desk, "p", "mv", "vendor", "third") == (
        "oxy: vendor/lib is a subrepo, whose move is a change of its own\n"
        "hint: `oxy subrepo move` does that\n"
    )
    assert said(desk, "p", "subrepo", "move", "vendor/lib", "third/lib") == (
        "recorded ID: vendor/lib is at third/lib\n"
    )
    assert (desk.root / "p/third/lib/lib.c").read_text() == "1\n"
    assert said(desk, "p", "files") == "p.c\nthird/lib\n"
    assert said(desk, "p", "subrepo", "list") == "third/lib as pinned\n"
    assert said(desk, "p", "status") == "on main\nnothing changed\n"
    assert "something is tracked" in refused(desk, "p", "subrepo", "move", "third/lib", "third")
    desk.write("p/new", "1\n")
    assert "something is there" in refused(desk, "p", "subrepo", "move", "third/lib", "new")
    (desk.root / "p/new").unlink()
    assert said(desk, "p", "fsck") == "nothing is wrong\n"


def test_what_is_no_sound_repository_does_not_break_the_status_around_it(desk: Desk) -> None:
    rmtree(desk.root / "p/vendor/lib/.oxy")
    (desk.root / "p/vendor/lib/.oxy").mkdir()
    assert said(desk, "p", "status") == (
        "on main\nleft out: vendor/lib is a subrepo: not a repository of oxy\nnothing changed\n"
    )


@pytest.mark.parametrize("path", ["vendor/lib", "vendor/lib/x"])
def test_nothing_else_is_recorded_where_a_subrepo_is(desk: Desk, path: str) -> None:
    rmtree(desk.root / "p/vendor/lib")
    desk.write(f"p/{path}", "1\n")
    why = f"oxy: {path} is where the subrepo vendor/lib is pinned\nhint: `oxy subrepo remove`"
    for words in (("commit", "-m", "In its place"), ("amend",), ("shelve",)):
        assert refused(desk, "p", *words).startswith(why)
    said(desk, "p", "subrepo", "remove", "vendor/lib")
    said(desk, "p", "commit", "-m", "In its place")
    assert said(desk, "p", "fsck") == "nothing is wrong\n"
