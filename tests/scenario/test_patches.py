"""Patches made, read and applied through the real command line, compared to the letter."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from oxy.cli.main import main
from tests.builders.desk import AUTHOR, Desk
from tests.builders.tree import File, held, make

POEM = "one\ntwo words here\nthree\n"


BASE = {"d/poem": File(POEM.encode()), "run": File(b"go\n"), "gone": File(b"x\n")}


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Have a desk with three files, two of them edited."""
    desk.write("d/poem", POEM)
    desk.write("run", "go\n")
    desk.write("gone", "x\n")
    desk.commit("Base")
    desk.write("d/poem", "one\ntwo other words here\nthree \n")
    desk.write("run", "go\n").chmod(0o755)
    (desk.root / "gone").unlink()
    desk.write("new ä", "1\n2\n")
    return desk


def test_a_difference_in_numbers(desk: Desk) -> None:
    assert desk.says("diff", "--stat", where="d") == (
        " poem              | 4 ++--\n"
        " ../gone           | 1 -\n"
        ' "../new \\303\\244" | 2 ++\n'
        " ../run            | 0\n"
        " 4 files changed, 4 insertions(+), 3 deletions(-)\n"
    )


def test_a_difference_in_paths(desk: Desk) -> None:
    assert desk.says("diff", "--name-only") == "d/poem\ngone\nnew ä\nrun\n"
    assert desk.says("diff", "--name-status", "-z") == (
        "M\0d/poem\0D\0gone\0A\0new ä\0M\0run\0"
    )
    desk.says("mv", "run", "walk")
    assert desk.says("diff", "--name-status", "walk") == "R\trun\twalk\n"
    assert desk.refuses("diff", "--stat", "--name-only", code=2).startswith(
        "oxy: --stat and --name-only do not go together\n"
    )
    assert desk.refuses("diff", "--hunks", "--stat", code=2).startswith(
        "oxy: --hunks numbers a patch, and goes with no other form\n"
    )
    assert desk.refuses("diff", "-z", code=2).startswith("oxy: -z goes with --name-only")


def test_a_difference_in_words(desk: Desk) -> None:
    assert desk.says("diff", "--word-diff", "-w", "d") == (
        "diff --git a/d/poem b/d/poem\n"
        "--- a/d/poem\n"
        "+++ b/d/poem\n"
        "@@ -1,3 +1,3 @@\n"
        "one\n"
        "two {+other +}words here\n"
        "three \n"
    )
    assert "\x1b[7;32mother \x1b[0m" in desk.says("diff", "--color", "always", "d")


def test_white_space_alone_is_no_difference_if_asked(desk: Desk) -> None:
    desk.write("d/poem", POEM.replace(" ", "  "))
    desk.write("run", "go\n").chmod(0o644)
    assert desk.says("diff", "-w", "--name-only") == "gone\nnew ä\n"
    assert desk.says("diff", "-b", "-q", "d", "run") == ""
    assert desk.run("diff", "-q", "d") == 1
    assert desk.out == ""


def test_lines_around_edits_may_be_more_or_fewer(desk: Desk) -> None:
    assert desk.says("diff", "-U", "0", "-w", "d").splitlines()[3:] == [
        "@@ -2 +2 @@",
        "-two words here",
        "+two other words here",
    ]


def test_what_a_change_did_at_some_paths(desk: Desk) -> None:
    change = desk.commit("Edits")
    assert desk.says("diff", "--of", change, "--name-status", "d", "gone") == (
        "M\td/poem\nD\tgone\n"
    )
    assert desk.says("show", "--name-only") == desk.says("log", "-n", "1") + (
        "d/poem\ngone\nnew ä\nrun\n"
    )
    assert desk.refuses("diff", "--of", change, "--to", "main", code=2).startswith(
        "oxy: --of names a change, and goes with neither"
    )


def test_several_changes_are_shown_one_after_the_other(desk: Desk) -> None:
    desk.commit("Edits")
    both = desk.says("show", "--stat", "main", "main")
    assert both == "\n".join([desk.says("show", "--stat")] * 2)


def test_in_json_a_brief_form_leaves_the_patch_out(desk: Desk) -> None:
    assert desk.record("diff", "--stat", "d") == {
        "path": "d/poem",
        "kind": "modified",
        "old_mode": "100644",
        "new_mode": "100644",
        "binary": False,
        "added": 2,
        "removed": 2,
    }


@pytest.fixture
def other(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Have another repository of the same base, but for a line."""
    root = tmp_path_factory.mktemp("other")
    for name, text in {"d/poem": "zero\n" + POEM, "run": "go\n", "gone": "x\n"}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    assert main(["-C", str(root), "init"]) == 0
    assert main(["-C", str(root), "commit", "-m", "Base"]) == 0
    desk.commit("Grüße\n\nWhy.")
    (desk.root / "bin").write_bytes(b"\0\1\2")
    desk.commit("Add bin")
    return root


def series(desk: Desk) -> Path:
    assert desk.run("log", "--json") == 0
    found = [json.loads(line)["id"] for line in desk.out.splitlines()]
    mails = desk.root.parent / "series.mbox"
    assert desk.run("show", "--patch", found[1], found[0]) == 0
    mails.write_text(desk.out)
    return mails


def test_a_series_goes_from_one_repository_to_another(desk: Desk, other: Path) -> None:
    mails = series(desk)
    assert "Subject: [PATCH 1/2] =?UTF-8?q?Gr=C3=BC=C3=9Fe?=\n" in mails.read_text()
    there = ("-C", str(other))
    assert desk.says(*there, "apply", "--check", str(mails)) == (
        "hunk 1 of d/poem fits 1 line below where it says\n"
        "M d/poem\nD gone\nM new ä\nM run\nM bin\n"
    )
    assert desk.says(*there, "status") == "on main\nnothing changed\n"
    assert desk.says(*there, "apply", "--commit", str(mails)) == (
        "hunk 1 of d/poem fits 1 line below where it says\n"
        "recorded ID Grüße\n"
        "recorded ID Add bin\n"
    )
    assert desk.says(*there, "status") == "on main\nnothing changed\n"
    assert (other / "bin").read_bytes() == b"\0\1\2"
    assert (other / "d/poem").read_text() == "zero\none\ntwo other words here\nthree \n"
    shown = desk.says(*there, "log", "-n", "2")
    assert f"author: {AUTHOR}\n" in shown
    assert "    Grüße\n\n    Why.\n" in shown
    assert desk.says("apply", "--commit", str(mails)) == (
        "here already: Grüße\nhere already: Add bin\n"
    )


def test_a_patch_that_does_not_apply_changes_nothing(desk: Desk, other: Path) -> None:
    mails = series(desk)
    (other / "d/poem").write_text("other\n")
    (other / "gone").unlink()
    before = desk.says("-C", str(other), "status")
    assert desk.refuses("-C", str(other), "apply", str(mails), code=2) == (
        "oxy: the patch does not apply: of d/poem, hunk 1, of line 1, fits nowhere; "
        "there is no gone\nhint: nothing was done\n"
    )
    assert desk.says("-C", str(other), "status") == before
    assert desk.refuses("apply", "--commit", "--check", "-", code=2).startswith(
        "oxy: --commit and --check do not go together"
    )


def test_git_apply_takes_what_diff_and_show_write(desk: Desk, tmp_path: Path) -> None:
    for name, content in {'say "hi"': b"1\n2", " b/ x": b"\0\1", "tail ": b"\xe9\r\n"}.items():
        path = desk.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    (desk.root / "link").symlink_to("run")
    desk.says("mv", "d/poem", "moved/poem")
    new = held(desk.root)
    made = [desk.writes("diff")]
    change = desk.commit("All of it")
    made += [desk.writes("show", change), desk.writes("diff", "--of", change)]
    for number, patch in enumerate(made):
        root = tmp_path.parent / f"applied{number}"
        root.mkdir()
        make(root, BASE)
        command = ["git", "apply", "--whitespace=nowarn", "-"]
        subprocess.run(command, input=patch, cwd=root, check=True)
        assert held(root) == new


def test_a_patch_comes_through_a_pipe(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.run("diff") == 0
    patch = desk.out.encode()
    desk.says("discard", "--all")
    (desk.root / "new ä").unlink()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(patch)))
    assert desk.record("apply", "-") == {
        "id": None,
        "message": "",
        "known": False,
        "written": [{"path": "d/poem"}, {"path": "new ä"}, {"path": "run"}],
        "removed": [{"path": "gone"}],
        "off": [],
    }
    assert desk.run("diff") == 0
    assert desk.out.encode() == patch
