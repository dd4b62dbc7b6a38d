"""Recording a part of what differs, through the real command line, compared to the letter."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from oxy.diff.literal import encoded
from tests.builders.desk import Desk, Terminal
from tests.builders.tree import held

LINES = [f"{number}\n" for number in range(1, 31)]


def edit(desk: Desk) -> None:
    """Record files, and edit them in several ways."""
    desk.write("a", "".join(LINES))
    desk.write("moved", "".join(LINES[:20]))
    desk.write("run", "x\n")
    (desk.root / "binary").write_bytes(b"\0one")
    desk.commit("Base")
    edited = {2: "two\n", 5: "five\n", 25: "twenty-five\n"}
    desk.write("a", "".join(edited.get(n, line) for n, line in enumerate(LINES, 1)))
    os.rename(desk.root / "moved", desk.root / "there")
    desk.write("there", "".join(LINES[:19]))
    desk.write("run", "x\ny\n").chmod(0o755)
    (desk.root / "binary").write_bytes(b"\0two")
    desk.write("new", "new\n")


LISTED = """\
1 a @@ -1,8 +1,8 @@ +2 -2, 2 parts
2 a @@ -22,7 +22,7 @@ +1 -1
3 modified binary
4 added new
5 mode run
6 run @@ -1 +1,2 @@ +1 -0
7 renamed moved -> there
8 there @@ -17,4 +17,3 @@ +0 -1
"""


def recorded(desk: Desk, path: str) -> str:
    return desk.says("cat", path)


def test_hunks_are_listed_and_numbered_in_the_order_of_paths(desk: Desk) -> None:
    edit(desk)
    assert desk.says("hunks") == LISTED
    assert desk.says("hunks", "run", "new") == (
        "1 added new\n2 mode run\n3 run @@ -1 +1,2 @@ +1 -0\n"
    )
    assert desk.run("hunks", "--json", "run", "there", "moved") == 0
    assert [json.loads(line) for line in desk.out.splitlines()] == [
        {"hunk": 1, "path": "run", "kind": "mode"},
        {
            "hunk": 2,
            "path": "run",
            "kind": "text",
            "old_start": 1,
            "new_start": 1,
            "added": 1,
            "removed": 0,
            "parts": 1,
            "lines": " x\n+y\n",
        },
        {"hunk": 3, "path": "there", "kind": "renamed", "from": "moved"},
        {
            "hunk": 4,
            "path": "there",
            "kind": "text",
            "from": "moved",
            "old_start": 17,
            "new_start": 17,
            "added": 0,
            "removed": 1,
            "parts": 1,
            "lines": " 17\n 18\n 19\n-20\n",
        },
    ]


def test_a_patch_names_its_hunks(desk: Desk) -> None:
    edit(desk)
    lines = (*encoded(4, [b"\0two"]), *encoded(4, [b"\0one"]))
    literals = "".join(line.decode() + "\n" for line in lines)
    assert desk.says("diff", "--hunks", "run", "binary") == (
        "hunk 1: modified\n"
        "diff --git a/binary b/binary\n"
        "index eb2e937a24737d7e5ade6dc8e0bb3bdd4af15686.."
        "886adc15f115902428928b59754b5e78e19b0b02 100644\n"
        "GIT binary patch\n" + literals + "hunk 2: mode\n"
        "diff --git a/run b/run\n"
        "old mode 100644\n"
        "new mode 100755\n"
        "--- a/run\n"
        "+++ b/run\n"
        "@@ -1 +1,2 @@ hunk 3\n"
        " x\n"
        "+y\n"
    )
    found = desk.record("diff", "--hunks", "run")
    assert found["hunks"] == [
        json.loads(line) for line in desk.says("hunks", "run", "--json").splitlines()
    ]
    assert desk.refuses("diff", "--hunks", "--from", "main", code=2).startswith(
        "oxy: --hunks is for the working copy"
    )


def test_a_patch_that_names_its_hunks_is_still_a_patch(desk: Desk, tmp_path: Path) -> None:
    edit(desk)
    paths = ("a", "moved", "there", "run", "new")
    assert desk.run("diff", "--hunks", *paths) == 0
    patch, after = desk.out.encode(), held(desk.root)
    desk.says("shelve")
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, check=True)
    applied = held(desk.root)
    assert {name: applied.get(name) for name in paths} == {n: after.get(n) for n in paths}


def test_chosen_hunks_are_recorded_and_the_others_stay(desk: Desk) -> None:
    edit(desk)
    before = held(desk.root)
    assert desk.says(
        "commit", "-m", "Some", "--hunk", "1.2,3", "--hunk", "5", "--hunk", "7"
    ) == ("R moved -> there\nrecorded ID Some\n")
    assert held(desk.root) == before
    assert desk.says() == "on main\nM a\nA new\nM run\nM there\n"
    assert recorded(desk, "a") == "".join(
        "five\n" if n == 5 else line for n, line in enumerate(LINES, 1)
    )
    assert recorded(desk, "run") == "x\n"
    assert recorded(desk, "there") == "".join(LINES[:20])
    desk.commit("The rest")
    assert desk.says() == "on main\nnothing changed\n"


def test_a_rename_can_stay_while_an_edit_is_recorded(desk: Desk) -> None:
    edit(desk)
    desk.says("commit", "-m", "Edit", "--hunk", "8")
    assert recorded(desk, "moved") == "".join(LINES[:19])
    assert desk.says("hunks", "moved", "there") == "1 renamed moved -> there\n"


def test_hunks_that_are_not_there_are_refused(desk: Desk) -> None:
    edit(desk)
    hint = "hint: `oxy hunks` with the same paths lists them\n"
    assert desk.refuses("commit", "-m", "x", "--hunk", "9", code=2) == (
        f"oxy: there is no hunk 9: there are 8\n{hint}"
    )
    assert desk.refuses("commit", "-m", "x", "--hunk", "1.3", code=2) == (
        f"oxy: hunk 1 has no part 3\n{hint}"
    )
    assert desk.refuses("commit", "-m", "x", "--hunk", "3.1", code=2) == (
        f"oxy: hunk 3 has no part 1\n{hint}"
    )
    assert desk.refuses("commit", "-m", "x", "--hunk", "two", code=2) == (
        "oxy: --hunk takes a number, or N.M, not 'two'\n"
    )
    assert desk.refuses("commit", "-m", "x", "--hunk", "1.0", code=2) == (
        "oxy: parts count from 1, not '1.0'\n"
    )
    assert desk.refuses("commit", "-i", "--hunk", "1", code=2) == (
        "oxy: -i and --hunk do not go together\n"
    )
    assert desk.says("hunks") == LISTED


def test_nobody_is_asked_without_a_terminal(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(desk)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert desk.refuses("commit", "-m", "x", "-i", code=2) == (
        "oxy: standard input is no terminal, so nobody can be asked about hunks\n"
        "hint: `oxy hunks` lists them, and `--hunk N` chooses\n"
    )
    assert desk.refuses("commit", "-m", "x", "-i", "--json", code=2) == (
        "oxy: -i and --json do not go together\n"
    )


def ask(desk: Desk, monkeypatch: pytest.MonkeyPatch, typed: str, *paths: str) -> str:
    """Record what somebody chooses who types this; return what was shown."""
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Terminal("".join(f"{line}\n" for line in typed.split())))
        desk.run("commit", "-m", "Chosen", "-i", *paths)
    return desk.out


def test_somebody_is_asked_for_each_hunk(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(desk)
    shown = ask(desk, monkeypatch, "s n y n", "a")
    assert shown.startswith(
        "diff --git a/a b/a\n"
        "--- a/a\n"
        "+++ b/a\n"
        "@@ -1,8 +1,8 @@\n"
        " 1\n-2\n+two\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        "take hunk 1 of a [y,n,a,d,s,e,q,?]? "
        "@@ -1,4 +1,4 @@\n"
        " 1\n-2\n+two\n 3\n 4\n"
        "take hunk 1.1 of a [y,n,a,d,q,?]? "
        "@@ -3,6 +3,6 @@\n"
        " 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        "take hunk 1.2 of a [y,n,a,d,q,?]? "
        "@@ -22,7 +22,7 @@\n"
    )
    assert "take hunk 2 of a [y,n,a,d,e,q,?]? recorded " in shown
    assert desk.says("hunks", "a") == (
        "1 a @@ -1,5 +1,5 @@ +1 -1\n2 a @@ -22,7 +22,7 @@ +1 -1\n"
    )


def test_the_rest_of_a_file_is_taken_or_left(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(desk)
    shown = ask(desk, monkeypatch, "a n n d a")
    assert "take hunk 3 (modified) of binary [y,n,a,d,q,?]? " in shown
    assert "take hunk 4 (added) of new [y,n,a,d,q,?]? " in shown
    assert "hunk 6" not in shown
    assert desk.says() == "on main\nM binary\nA new\nM run\n"


def test_what_follows_is_left_where_somebody_has_enough(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(desk)
    ask(desk, monkeypatch, "y q")
    assert desk.says("hunks", "a") == "1 a @@ -22,7 +22,7 @@ +1 -1\n"
    assert ask(desk, monkeypatch, "n", "a").endswith("nothing to record\n")
    assert ask(desk, monkeypatch, "q").endswith("nothing to record\n")
    assert ask(desk, monkeypatch, "").endswith("]? \nnothing to record\n")


def test_what_is_not_understood_is_answered_with_what_is(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(desk)
    shown = ask(desk, monkeypatch, "x ? y", "new")
    told = (
        "take hunk 1 (added) of new [y,n,a,d,q,?]? "
        "y - take this hunk\n"
        "n - leave it\n"
        "a - take it and the rest of the file\n"
        "d - leave it and the rest of the file\n"
        "q - leave it and all that follow\n"
        "? - show this\n"
    )
    assert told * 2 in shown
    assert desk.says("status", "new") == "on main\nnothing changed\n"


def edits_by(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *commands: str) -> None:
    """Let the editor be `sed` with some commands, one each time it is run."""
    count = tmp_path.parent / "count"
    count.write_text("0")
    lines = "".join(f"{n}) sed -i '{line}' \"$1\";;\n" for n, line in enumerate(commands))
    script = f"n=$(cat {count}); echo $((n+1)) > {count}\ncase $n in\n{lines}esac\n"
    (tmp_path.parent / "editor").write_text(script)
    monkeypatch.setenv("OXY_EDITOR", f"sh {tmp_path.parent}/editor")


def test_what_is_taken_of_a_hunk_is_edited(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    edit(desk)
    edits_by(monkeypatch, tmp_path, "s/^+two$/+deux/;s/^-5$/ 5/;/^+five/d;/^ 8/a+8.5")
    ask(desk, monkeypatch, "e n", "a")
    recorded = desk.says("cat", "a").splitlines()
    assert recorded[:9] == ["1", "deux", "3", "4", "5", "6", "7", "8", "8.5"]
    assert recorded[9:11] == ["9", "10"]
    assert (desk.root / "a").read_text().splitlines()[:5] == ["1", "two", "3", "4", "five"]
    assert desk.says("status", "a") == "on main\nM a\n"


def test_a_hunk_whose_old_lines_were_edited_is_not_taken(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    edit(desk)
    edits_by(monkeypatch, tmp_path, "s/^ 3$/ three/", "s/^ 3$/3/", "/^[-+ ]/d")
    shown = ask(desk, monkeypatch, "e y y n", "a")
    assert (
        "the edited hunk is not taken: its lines with a space or - are not those of the file\n"
        "edit it again [y,n]? the edited hunk is not taken: a line begins with '3'\n"
    ) in shown
    assert shown.endswith("nothing to record\n")
