"""Edits thrown away, and everything taken back, through the real command line."""

import pytest

from tests.builders.desk import Desk
from tests.builders.tree import held

LINES = [f"{number}\n" for number in range(1, 31)]


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Return a desk with edits of every sort on main, which has one change."""
    desk.write(".gitignore", "*.o\n")
    desk.write("a", "".join(LINES))
    desk.write("b", "b\n")
    desk.write("d/run", "go\n")
    desk.write("old", "".join(LINES[:20]))
    desk.commit("Base")
    desk.write("a", "".join(["one\n", *LINES[1:29], "thirty\n"]))
    desk.write("new/file", "new\n")
    (desk.root / "b").unlink()
    (desk.root / "d/run").chmod(0o755)
    (desk.root / "old").rename(desk.root / "moved")
    return desk


EDITS = "M a\nD b\nX d/run\nR old -> moved\n"
ALL = EDITS + "A new/file\n"


def test_everything_is_discarded_but_new_files_and_comes_back(desk: Desk) -> None:
    before = held(desk.root)
    assert desk.says("discard", "--all") == (
        f"left: new/file is new: `oxy clean` removes it\n"
        f"discarded; `oxy undo` brings it back\n{EDITS}"
    )
    assert desk.says() == "on main\nA new/file\n"
    after = held(desk.root)
    assert desk.says("undo") == "undone: discard\n"
    assert held(desk.root) == before
    assert desk.says() == f"on main\n{ALL}"
    assert desk.says("redo") == "redone: discard\n"
    assert held(desk.root) == after
    assert desk.says("undo") == "undone: discard\n"
    assert held(desk.root) == before


def test_paths_are_discarded_one_by_one(desk: Desk) -> None:
    before = held(desk.root)
    assert desk.says("discard", "a") == "discarded; `oxy undo` brings it back\nM a\n"
    assert desk.says("discard", "d", "b") == (
        "discarded; `oxy undo` brings it back\nD b\nX d/run\n"
    )
    assert desk.says() == "on main\nR old -> moved\nA new/file\n"
    assert desk.says("undo") == "undone: discard\n"
    assert not (desk.root / "b").exists()
    assert (desk.root / "a").read_text() == "".join(LINES)
    assert desk.says("undo") == "undone: discard\n"
    assert held(desk.root) == before
    assert desk.says("log", "--oneline") == "ID [main] Base\n"


def test_a_hunk_is_discarded_and_comes_back(desk: Desk) -> None:
    before = held(desk.root)
    assert desk.says("discard", "--hunk", "2", "a") == (
        "discarded; `oxy undo` brings it back\nM a\n"
    )
    assert (desk.root / "a").read_text() == "".join(["one\n", *LINES[1:]])
    after = held(desk.root)
    desk.says("undo")
    assert held(desk.root) == before
    desk.says("redo")
    assert held(desk.root) == after
    desk.says("undo")
    assert held(desk.root) == before
    assert "there is no hunk 7" in desk.refuses("discard", "--hunk", "7", code=2)


def test_hunks_of_a_renamed_file_are_discarded_by_themselves(desk: Desk) -> None:
    desk.write("moved", "".join(["one\n", *LINES[1:20]]))
    (desk.root / "moved").chmod(0o755)
    before = held(desk.root)
    listed = desk.says("hunks", "old", "moved").splitlines()
    assert [line.split()[0] for line in listed] == ["1", "2", "3"]
    for number, status in enumerate(("M old", "R old -> moved", "R old -> moved"), 1):
        desk.says("discard", "--hunk", f"{number}", "old", "moved")
        assert status in desk.says("status", "-s").splitlines()
        assert held(desk.root) != before
        desk.says("undo")
        assert held(desk.root) == before


def test_there_is_nothing_to_redo_once_something_else_was_done(desk: Desk) -> None:
    told = "oxy: there is nothing to redo: the newest operation is no undo\n"
    assert desk.refuses("redo", code=2) == told
    desk.commit("Edits")
    desk.says("bookmark", "x")
    desk.says("undo")
    desk.says("undo")
    assert desk.says() == f"on main\n{ALL}"
    assert desk.says("redo") == "redone: commit Edits\n"
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("redo") == "redone: bookmark x\n"
    assert desk.refuses("redo", code=2) == told
    assert desk.says("undo") == "undone: bookmark x\n"
    assert desk.says("undo") == "undone: commit Edits\n"
    assert desk.says("redo") == "redone: commit Edits\n"
    desk.says("tag", "t")
    assert desk.refuses("redo", code=2) == told


def test_switching_and_shelving_are_redone_with_the_files(desk: Desk) -> None:
    edited = held(desk.root)
    desk.says("shelve")
    clean = held(desk.root)
    desk.says("undo")
    assert held(desk.root) == edited
    assert desk.says("redo") == "redone: shelve 1\n"
    assert held(desk.root) == clean
    desk.says("unshelve")
    desk.says("undo")
    assert held(desk.root) == clean
    assert desk.says("redo") == "redone: unshelve 1\n"
    assert held(desk.root) == edited
    desk.commit("Edits")
    recorded = held(desk.root)
    desk.says("switch", "-c", "other", "main")
    desk.write("a", "other\n")
    desk.commit("Other")
    desk.says("switch", "main")
    desk.says("undo")
    assert (desk.root / "a").read_text() == "other\n"
    assert desk.says("redo") == "redone: switch main\n"
    assert held(desk.root) == recorded


def test_new_files_are_removed_and_come_back(desk: Desk) -> None:
    desk.write("x.o", "x\n")
    desk.write("kept", "kept\n")
    desk.says("untrack", "kept")
    before = held(desk.root)
    assert desk.says("clean", "--dry-run", "--ignored") == (
        "would remove kept\nwould remove new/file\nwould remove x.o\n"
    )
    assert held(desk.root) == before
    assert desk.says("clean") == "removed new/file\n"
    assert not (desk.root / "new").exists()
    assert desk.says("clean", "--ignored", "x.o") == "removed x.o\n"
    desk.says("undo")
    desk.says("undo")
    assert held(desk.root) == before
    assert desk.says("redo") == "redone: clean\n"
    assert not (desk.root / "new").exists()
    assert desk.run("clean") == 1
    assert desk.out == "nothing to remove\n"
    assert desk.record("clean", "--ignored", "--dry-run") == {
        "done": False,
        "removed": [{"path": "kept"}, {"path": "x.o"}],
        "leftovers": [],
    }


def test_what_a_command_that_died_left_is_cleaned_up(desk: Desk) -> None:
    desk.write("d/.oxy-tmp-7-1", "half\n")
    assert "left out: d/.oxy-tmp-7-1 was left by an interrupted checkout\n" in desk.says()
    assert desk.says("clean", "d") == "removed d/.oxy-tmp-7-1\n"
    assert not (desk.root / "d/.oxy-tmp-7-1").exists()


def test_what_to_discard_has_to_be_said(desk: Desk) -> None:
    assert "--all discards every edit" in desk.refuses("discard", code=2)
    assert "neither paths nor --hunk" in desk.refuses("discard", "--all", "a", code=2)
    assert desk.run("discard", "new/file") == 1
    assert desk.out == ("left: new/file is new: `oxy clean` removes it\nnothing to discard\n")
    desk.says("untrack", "d/run")
    assert desk.run("discard", "d/run") == 1
    assert desk.out == (
        "left: d/run is untracked: `oxy track` takes it in\nnothing to discard\n"
    )


def test_a_new_file_in_the_way_stops_everything(desk: Desk) -> None:
    desk.write("b/c", "mine\n")
    before = held(desk.root)
    assert "would be overwritten: b\n" in desk.refuses("discard", "--all", code=2)
    assert held(desk.root) == before
    assert desk.says("op", "log", "-n", "1").split(": ")[-2] != "discard"
    assert desk.record("discard", "a") == {
        "changes": [{"path": "a", "kind": "modified"}],
        "left": [],
    }


def test_files_are_restored_from_another_state(desk: Desk) -> None:
    base = desk.commit("Edits")
    desk.write("d/run", "run\n")
    desk.write("d/more", "more\n")
    desk.write("b", "b again\n")
    desk.commit("More")
    assert desk.says("restore", "d", "b", "--from", base[:12]) == (
        "written d/run\nremoved b\nremoved d/more\n"
    )
    assert desk.says() == "on main\nD b\nD d/more\nM d/run\n"
    assert (desk.root / "d/run").read_text() == "go\n"
    assert desk.says("restore", "d/more", "--from", "@") == "written d/more\n"
    assert desk.refuses("restore", "d", "--from", "@", code=2) == (
        "oxy: edits would be lost: d/run\n"
        "hint: commit or shelve them, or throw them away with `oxy discard`, "
        "which `oxy undo` undoes\n"
    )
    desk.says("discard", "--all")
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("restore", "d", "--from", "@") == "nothing differs\n"
    assert desk.record("restore", "d/run", "--from", base[:12]) == {
        "written": [{"path": "d/run"}],
        "removed": [],
    }
    assert "there is no file no in this state" in desk.refuses(
        "restore", "no", "--from", "@", code=2
    )
    assert "no bookmark, tag or change" in desk.refuses("restore", "d", "--from", "x", code=2)
    desk.write("b", "mine\n")
    told = desk.refuses("restore", "b", "--from", base[:12], code=2)
    assert told.startswith("oxy: edits would be lost: b\n")


def test_operations_tell_what_they_did(desk: Desk) -> None:
    desk.commit("Edits")
    desk.write("a", "a\n")
    desk.commit("More")
    desk.says("bookmark", "x")
    shown = desk.says("op", "show", "4").split("\n", 1)
    assert shown[0].endswith(": commit More")
    assert shown[1] == (
        "bookmark main: ID -> ID\n"
        "  + ID More\n"
        "working copy: ID on main -> ID on main\n"
        "  + ID More\n"
        "files:\n"
        "  M a\n"
    )
    assert desk.says("op", "diff", "2") == (
        "bookmark main: ID -> ID\n"
        "  + ID More\n"
        "  + ID Edits\n"
        "bookmark x: nothing -> ID\n"
        "  + ID More\n"
        "  + ID Edits\n"
        "  + ID Base\n"
        "working copy: ID on main -> ID on main\n"
        "  + ID More\n"
        "  + ID Edits\n"
        "files:\n"
        "  M a\n"
        "  D b\n"
        "  M d/run\n"
        "  R old -> moved\n"
        "  A new/file\n"
    )
    assert desk.says("op", "diff", "4", "3") == (
        "bookmark main: ID -> ID\n"
        "  - ID More\n"
        "working copy: ID on main -> ID on main\n"
        "  - ID More\n"
        "files:\n"
        "  M a\n"
    )
    assert desk.says("op", "diff", "5", "5") == "no name differs\n"
    record = desk.record("op", "show", "5")
    assert record["command"] == "bookmark x"
    assert record["files"] == []
    assert desk.refuses("op", "show", "0", code=2) == (
        "oxy: there is no operation 0: the newest is 5\n"
    )
    assert "there is no operation 9" in desk.refuses("op", "diff", "1", "9", code=2)


def in_conflict(desk: Desk) -> str:
    """Bring main into conflict at `c`, with lines around, and return what the file reads."""
    desk.says("discard", "--all")
    desk.says("clean")
    desk.write("c", "".join(LINES[:9]))
    desk.commit("C")
    desk.says("switch", "-c", "x", "main")
    desk.write("c", "".join([*LINES[:4], "X\n", *LINES[5:9]]))
    desk.commit("X")
    desk.says("switch", "main")
    desk.write("c", "".join([*LINES[:4], "M\n", *LINES[5:9]]))
    desk.commit("M")
    desk.says("merge", "x")
    return (desk.root / "c").read_text()


def test_whatever_became_of_a_conflict_is_thrown_away_and_comes_back(desk: Desk) -> None:
    shown = in_conflict(desk)
    lines = shown.splitlines(keepends=True)
    for number in range(3, len(lines), 2):
        for broken in (
            "".join([*lines[:number], *lines[number + 1 :]]),
            "".join([*lines[:number], "new\n", *lines[number:]]),
            "".join([*lines[:number], lines[number], *lines[number:]]),
        ):
            desk.write("c", broken)
            before = desk.says()
            assert desk.says("discard", "c").endswith("\nM c\n")
            assert (desk.root / "c").read_text() == shown
            assert desk.says() == "on main\nnothing changed\nin conflict:\nC c  text at 5-11\n"
            desk.says("undo")
            assert (desk.root / "c").read_text() == broken
            assert desk.says() == before
            desk.says("redo")
            assert (desk.root / "c").read_text() == shown


def test_a_file_in_conflict_is_moved_and_that_is_thrown_away(desk: Desk) -> None:
    shown = in_conflict(desk)
    desk.says("mv", "c", "d/c")
    desk.says("discard", "--all")
    assert (desk.root / "c").read_text() == shown
    desk.says("undo")
    assert desk.says("status", "-s") == "R c -> d/c\nC d/c\n"
    assert (desk.root / "d/c").read_text() == shown
    desk.says("commit", "-m", "Moved")
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC d/c  text at 5-11\n"
