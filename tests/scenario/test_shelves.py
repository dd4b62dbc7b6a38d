"""Edits put aside and taken up again, through the real command line, to the letter."""

import pytest

from tests.builders.desk import Desk
from tests.builders.tree import held


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Return a desk with edits of every sort on main, which has one change."""
    desk.write("a", "1\n2\n3\n")
    desk.write("b", "b\n")
    desk.write("d/run", "go\n")
    desk.commit("Base")
    desk.write("a", "one\n2\n3\n")
    desk.write("new/file", "new\n")
    (desk.root / "b").unlink()
    (desk.root / "d/run").chmod(0o755)
    return desk


EDITS = "M a\nD b\nX d/run\nA new/file\n"


def test_edits_are_put_aside_and_taken_up(desk: Desk) -> None:
    before = held(desk.root)
    assert desk.says("shelve", "half-done", "-m", "Not yet") == (
        f"put aside as half-done\n{EDITS}"
    )
    assert desk.says() == "on main\nnothing changed\n"
    assert (desk.root / "a").read_text() == "1\n2\n3\n"
    assert not (desk.root / "new").exists()
    listed = desk.says("shelve", "--list")
    assert listed.startswith("half-done ID ")
    assert listed.endswith(" Not yet\n")
    assert desk.says("log", "--oneline") == "ID [main] Base\n"
    assert desk.says("unshelve") == "took up half-done: 3 written, 1 removed\n"
    assert held(desk.root) == before
    assert desk.says() == f"on main\n{EDITS}"
    assert desk.says("shelve", "--list") == ""


def test_putting_aside_and_taking_up_are_undone_with_the_files(desk: Desk) -> None:
    before = held(desk.root)
    desk.says("shelve")
    clean = held(desk.root)
    assert desk.says("undo") == "undone: shelve 1\n"
    assert held(desk.root) == before
    assert desk.says() == f"on main\n{EDITS}"
    assert desk.says("shelve", "--list") == ""
    desk.says("shelve")
    desk.says("unshelve")
    assert desk.says("undo") == "undone: unshelve 1\n"
    assert held(desk.root) == clean
    assert desk.says("shelve", "--list").startswith("1 ID ")
    assert desk.says() == "on main\nnothing changed\n"


def test_an_edit_made_since_is_not_lost_by_undoing(desk: Desk) -> None:
    desk.says("shelve")
    desk.says("unshelve")
    desk.write("a", "more\n")
    desk.says("undo")
    assert (desk.root / "a").read_text() == "more\n"
    assert held(desk.root).keys() == {"a", "b", "d/run"}
    assert desk.says() == "on main\nM a\n"
    assert desk.says("shelve", "--list").startswith("1 ID ")


def test_shelves_are_taken_up_on_another_state_with_the_edits_there(desk: Desk) -> None:
    desk.says("shelve", "mine")
    desk.write("a", "1\n2\nthree\n")
    desk.commit("Three")
    desk.write("a", "1\n2\nthree\nfour\n")
    desk.says("unshelve", "mine")
    assert (desk.root / "a").read_text() == "one\n2\nthree\nfour\n"
    assert desk.says() == f"on main\n{EDITS}"
    desk.commit("All")
    assert desk.says() == "on main\nnothing changed\n"


def test_what_is_in_conflict_stays_put_aside(desk: Desk) -> None:
    desk.says("shelve", "mine")
    desk.write("a", "uno\n2\n3\n")
    desk.commit("Uno")
    before = held(desk.root)
    assert desk.refuses("unshelve", code=2) == (
        "oxy: shelf 'mine' is in conflict with what is here: a\n"
        "hint: nothing was done, and it stays put aside\n"
    )
    assert held(desk.root) == before
    assert desk.says("shelve", "--list").startswith("mine ID ")


def test_what_depends_on_changes_that_are_not_here_stays_put_aside(desk: Desk) -> None:
    base = desk.commit("Edits")
    desk.write("a", "ONE\n2\n3\n")
    desk.says("shelve")
    desk.says("uncommit")
    assert desk.refuses("unshelve", code=2) == (
        f"oxy: shelf '1' depends on changes that are not here: {base[:12]} Edits\n"
        "hint: merge or pick them first\n"
    )


def test_a_file_that_is_in_the_way_stops_the_taking_up(desk: Desk) -> None:
    desk.says("shelve")
    desk.write("new/file", "mine\n")
    assert "overwritten: new/file\n" in desk.refuses("unshelve", code=2)
    assert desk.says() == "on main\nA new/file\n"


def test_names_of_shelves_are_free_or_refused_and_the_unknown_has_near_ones(desk: Desk) -> None:
    desk.says("shelve", "mine")
    assert desk.run("shelve") == 1
    assert desk.out == "nothing to put aside\n"
    desk.write("a", "x\n")
    assert desk.refuses("shelve", "mine", code=2) == "oxy: there is a shelf 'mine' already\n"
    desk.says("shelve")
    desk.write("a", "y\n")
    assert desk.record("shelve")["name"] == "2"
    assert desk.refuses("unshelve", "mime", code=2) == (
        "oxy: there is no shelf 'mime'\nhint: did you mean mine?\n"
        "hint: `oxy shelve --list` lists what is put aside\n"
    )
    assert desk.says("shelve", "-d", "2") == "deleted shelf 2: ID\n"
    assert desk.says("undo") == "undone: shelve -d 2\n"
    assert desk.says("shelve", "--list").count("\n") == 3
    for name in ("1", "2", "mine"):
        desk.says("shelve", "-d", name)
    assert desk.refuses("unshelve", code=2) == "oxy: nothing was put aside\n"
    assert "oxy: edits are put aside, or" in desk.refuses("shelve", "x", "--list", code=2)


def test_the_operation_log_tells_of_shelves(desk: Desk) -> None:
    desk.says("shelve", "mine")
    lines = desk.says("op", "log", "-n", "1").splitlines()
    assert lines[1] == "    shelf mine: nothing -> ID"
