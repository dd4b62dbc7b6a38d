"""Moving between states and back, through the real command line, compared to the letter."""

import json
import os
from pathlib import Path

import pytest

from oxy.worktree.writer import TreeWriter, UnwritableError
from tests.builders.desk import Desk
from tests.builders.tree import held


def fork(desk: Desk) -> None:
    """Record on main, then on a topic that has another file and edits the first."""
    desk.write("a", "1\n")
    desk.write("other", "1\n")
    desk.commit("Base")
    assert desk.says("switch", "-c", "topic") == "on topic at ID\n"
    desk.write("a", "2\n")
    desk.write("d/new", "new\n")
    desk.commit("Topic")


def test_files_follow_from_bookmark_to_bookmark(desk: Desk) -> None:
    fork(desk)
    assert desk.says("switch", "main") == "on main at ID: 1 written, 1 removed\n"
    assert {name: file.data for name, file in held(desk.root).items()} == {
        "a": b"1\n",
        "other": b"1\n",
    }
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("switch", "topic") == "on topic at ID: 2 written, 0 removed\n"
    assert (desk.root / "d/new").read_text() == "new\n"


def test_what_is_recorded_moves_the_bookmark_that_one_is_on(desk: Desk) -> None:
    fork(desk)
    desk.says("switch", "main")
    desk.write("other", "2\n")
    desk.commit("Main goes on")
    assert desk.says("log", "--oneline", "topic") == "ID [topic] Topic\nID Base\n"
    assert desk.says("log", "--oneline", "main") == "ID [main] Main goes on\nID Base\n"


def test_edits_elsewhere_stay_and_edits_in_the_way_stop_everything(desk: Desk) -> None:
    fork(desk)
    desk.write("other", "edited\n")
    desk.says("switch", "main")
    assert desk.says() == "on main\nM other\n"
    desk.write("d/new", "mine, not tracked\n")
    before = held(desk.root)
    assert desk.refuses("switch", "topic", code=2) == (
        "oxy: edited or untracked files would be overwritten: d/new\n"
        "hint: commit or shelve the edits first, and move away what is not tracked\n"
    )
    (desk.root / "d/new").unlink()
    desk.write("a", "edited\n")
    assert "overwritten: a\n" in desk.refuses("switch", "topic", code=2)
    (desk.root / "a").unlink()
    assert "overwritten: a\n" in desk.refuses("switch", "topic", code=2)
    desk.write("a", "1\n")
    desk.write("d/new", "mine, not tracked\n")
    assert held(desk.root) == before
    assert desk.says() == "on main\nA d/new\nM other\n"


def test_an_ignored_file_is_not_overwritten_either(desk: Desk) -> None:
    fork(desk)
    desk.says("switch", "main")
    desk.write(".gitignore", "d\n")
    desk.write("d/new", "mine\n")
    assert "overwritten: d/new\n" in desk.refuses("switch", "topic", code=2)


def test_a_file_that_is_already_as_wanted_is_taken_as_it_is(desk: Desk) -> None:
    fork(desk)
    desk.says("switch", "main")
    desk.write("d/new", "new\n")
    assert desk.says("switch", "topic") == "on topic at ID: 1 written, 0 removed\n"
    assert desk.says() == "on topic\nnothing changed\n"


def test_a_file_becomes_a_directory_and_back(desk: Desk) -> None:
    desk.write("x", "file\n")
    file = desk.commit("File")
    (desk.root / "x").unlink()
    desk.write("x/y/z", "below\n")
    below = desk.commit("Directory")
    desk.says("switch", file)
    assert (desk.root / "x").read_text() == "file\n"
    desk.says("switch", below)
    assert (desk.root / "x/y/z").read_text() == "below\n"
    desk.write("x/mine", "untracked\n")
    assert "overwritten: x/mine\n" in desk.refuses("switch", file, code=2)


def test_nothing_is_written_through_a_symlink(desk: Desk, tmp_path: Path) -> None:
    desk.write("d/f", "1\n")
    first = desk.commit("First")
    desk.write("d/f", "2\n")
    desk.commit("Second")
    outside = tmp_path / "outside"
    os.rename(desk.root / "d", outside)
    (desk.root / "d").symlink_to(outside)
    assert "overwritten: d" in desk.refuses("switch", first, code=2)
    assert (outside / "f").read_text() == "2\n"


def test_an_unknown_state_is_answered_with_near_ones(desk: Desk) -> None:
    fork(desk)
    assert desk.refuses("switch", "topik", code=2) == (
        "oxy: no bookmark, tag or change is called 'topik'\nhint: did you mean topic?\n"
    )


def test_a_bookmark_is_not_made_twice(desk: Desk) -> None:
    fork(desk)
    assert desk.refuses("switch", "-c", "main", code=2) == (
        "oxy: there is a bookmark 'main' already\n"
    )


def interrupt(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go from topic to main, and fail at the second file."""
    written = TreeWriter.write

    def failing(self: TreeWriter, path: bytes, *rest: object, **named: object) -> bytes:
        if path == b"a":
            raise UnwritableError(path, OSError(28, "No space left on device"))
        return written(self, path, *rest, **named)  # type: ignore[arg-type] # passed on as it is

    with monkeypatch.context() as patch:
        patch.setattr(TreeWriter, "write", failing)
        assert desk.refuses("switch", "main", code=3) == (
            "oxy: cannot write a: No space left on device\n"
        )


def test_an_interrupted_switch_is_told_and_completed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork(desk)
    interrupt(desk, monkeypatch)
    assert desk.says() == (
        "on topic\na switch to main was interrupted: run `oxy switch main`\nD d/new\n"
    )
    assert desk.refuses("commit", "-m", "x", code=3) == (
        "oxy: a switch to main was interrupted\nhint: `oxy status` says how to end it\n"
    )
    assert desk.says("switch", "main") == "on main at ID: 1 written, 0 removed\n"
    assert desk.says() == "on main\nnothing changed\n"


def test_an_interrupted_switch_can_be_taken_back(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork(desk)
    before = held(desk.root)
    interrupt(desk, monkeypatch)
    assert desk.says("switch", "topic") == "on topic at ID: 1 written, 0 removed\n"
    assert held(desk.root) == before
    assert desk.says() == "on topic\nnothing changed\n"


def test_steps_are_taken_back_one_after_the_other(desk: Desk) -> None:
    fork(desk)
    desk.says("switch", "main")
    assert desk.says("undo") == "undone: switch main\n"
    assert (desk.root / "a").read_text() == "2\n"
    assert desk.says("undo") == "undone: commit Topic\n"
    assert desk.says() == "on topic\nM a\nA d/new\n"
    assert desk.says("undo") == "undone: switch topic\n"
    assert desk.says("bookmark").count("topic") == 0
    assert desk.says("undo") == "undone: commit Base\n"
    assert desk.says() == "on main\nA a\nA d/new\nA other\n"
    assert desk.refuses("undo", code=2) == "oxy: there is nothing to undo\n"


def test_away_from_bookmarks_the_state_is_named_and_a_commit_says_how_to_keep_it(
    desk: Desk,
) -> None:
    fork(desk)
    assert desk.says("switch", str(desk.record("status")["bookmark"])) == "on topic at ID\n"
    desk.says("tag", "here")
    assert desk.says("switch", "here") == "at ID\n"
    assert desk.says() == "at ID, on no bookmark\nnothing changed\n"
    desk.write("a", "3\n")
    assert desk.run("commit", "-m", "Aside") == 0
    assert desk.err == "hint: no bookmark moved along; `oxy bookmark NAME` makes one here\n"
    log = json.loads(desk.says("log", "-n", "1", "--json"))
    assert desk.record("status")["heads"] == [log["id"]]


def test_a_state_without_changes_is_called_empty(desk: Desk) -> None:
    desk.says("op", "restore", "0")
    assert desk.says() == "at the empty state, on no bookmark\nnothing changed\n"
