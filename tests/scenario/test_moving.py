"""Files moved and deleted by oxy, through the real command line, to the letter."""

import pytest

from oxy.model.operation import DIRECTORY, PLACE
from oxy.repo.repository import opened
from oxy.store.protocol import CHANGE
from tests.builders.desk import Desk
from tests.builders.tree import held


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Return a desk with one change."""
    desk.write("a", "one\ntwo\nthree\n")
    desk.write("b", "quite another\n")
    desk.write("d/x", "x\n")
    desk.write("d/s/y", "y\n")
    desk.commit("Base")
    return desk


def test_a_move_is_recorded_however_much_the_file_is_edited(desk: Desk) -> None:
    assert desk.says("mv", "a", "new/c") == "moved: a -> new/c\n"
    desk.write("new/c", "nothing alike\n")
    assert desk.says() == "on main\nR a -> new/c\n"
    assert "rename from a\nrename to new/c\n" in desk.says("diff")
    desk.commit("Moved")
    assert desk.says() == "on main\nnothing changed\n"
    assert "R a -> new/c" in desk.says("op", "show", "4")
    desk.says("undo")
    assert desk.says() == "on main\nR a -> new/c\n"
    desk.says("redo")
    assert desk.says() == "on main\nnothing changed\n"
    assert not (desk.root / ".oxy/moves").exists()


def test_two_files_change_names_in_one_change(desk: Desk) -> None:
    for old, new in (("a", "tmp"), ("b", "a"), ("tmp", "b")):
        assert desk.says("mv", old, new) == f"moved: {old} -> {new}\n"
    assert desk.says() == "on main\nR b -> a\nR a -> b\n"
    edited = held(desk.root)
    desk.says("shelve")
    assert desk.says() == "on main\nnothing changed\n"
    desk.says("unshelve")
    assert held(desk.root) == edited
    assert desk.says() == "on main\nR b -> a\nR a -> b\n"
    desk.says("discard", "--all")
    assert desk.says() == "on main\nnothing changed\n"
    assert (desk.root / "a").read_text() == "one\ntwo\nthree\n"
    desk.says("undo")
    assert held(desk.root) == edited
    assert desk.says("status", "a") == "on main\nR b -> a\nR a -> b\n"
    desk.commit("Swapped", "a")
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("blame", "b").startswith("ID ")
    with opened(bytes(desk.root)) as repository:
        edits = repository.change(repository.store.count(CHANGE)).operations.nodes
        assert [write.register for edit in edits for write in edit.writes] == [PLACE, PLACE]
        assert all(edit.text is None for edit in edits)
    desk.says("undo")
    assert desk.says() == "on main\nR b -> a\nR a -> b\n"
    desk.says("discard", "--all")
    assert (desk.root / "b").read_text() == "quite another\n"


def test_a_file_takes_the_name_of_one_that_is_deleted(desk: Desk) -> None:
    desk.says("rm", "b")
    desk.says("mv", "a", "b")
    assert desk.says() == "on main\nD b\nR a -> b\n"
    edited = held(desk.root)
    desk.says("discard", "--all")
    assert desk.says() == "on main\nnothing changed\n"
    desk.says("undo")
    assert held(desk.root) == edited
    assert desk.says() == "on main\nD b\nR a -> b\n"
    desk.commit("Taken")
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("cat", "b") == "one\ntwo\nthree\n"
    assert desk.says("files") == "b\nd/s/y\nd/x\n"


def test_a_directory_moves_with_one_write(desk: Desk) -> None:
    desk.write("d/new", "new\n")
    assert desk.says("mv", "d", "e") == "moved: d -> e\n"
    desk.write("e/x", "all else\n")
    assert desk.says() == "on main\nA e/new\nR d/s/y -> e/s/y\nR d/x -> e/x\n"
    desk.commit("Moved")
    assert desk.says() == "on main\nnothing changed\n"
    with opened(bytes(desk.root)) as repository:
        edits = repository.change(2).operations.nodes
        assert [edit.node.change == DIRECTORY for edit in edits] == [False, False, True]
    assert desk.says("mv", "e", "E") == "moved: e -> E\n"
    desk.commit("Case")
    assert desk.says("files") == "E/new\nE/s/y\nE/x\na\nb\n"


def test_several_are_moved_into_a_directory(desk: Desk) -> None:
    assert desk.says("mv", "a", "b", "d") == "moved: a -> d/a\nmoved: b -> d/b\n"
    assert desk.says("mv", "d/s", ".") == "moved: d/s -> s\n"
    assert desk.says("mv", "../d/a", "A", where="s") == "moved: ../d/a -> A\n"
    assert desk.says() == "on main\nR b -> d/b\nR a -> s/A\nR d/s/y -> s/y\n"
    desk.says("mv", "s/A", "a")
    assert desk.says("status", "-s") == "R b -> d/b\nR d/s/y -> s/y\n"


def test_a_move_that_was_made_already_is_noted(desk: Desk) -> None:
    (desk.root / "a").rename(desk.root / "c")
    desk.write("c", "nothing alike\n")
    assert desk.says() == "on main\nD a\nA c\n"
    assert desk.record("mv", "a", "c") == {
        "from": "a",
        "path": "c",
        "files": 1,
        "noted_only": True,
    }
    assert desk.says() == "on main\nR a -> c\n"


def test_what_is_not_tracked_is_moved_as_well(desk: Desk) -> None:
    desk.write("n", "n\n")
    assert desk.says("mv", "n", "m") == "moved: n -> m  (nothing in it is tracked)\n"
    assert desk.says() == "on main\nA m\n"


def test_what_cannot_be_moved_is_refused(desk: Desk) -> None:
    before = held(desk.root)
    assert desk.refuses("mv", "a", "b", code=2) == "oxy: b is there already\n"
    assert desk.refuses("mv", "a", "d/x", code=2) == "oxy: d/x is there already\n"
    assert desk.refuses("mv", "no", "c", code=2) == (
        "oxy: there is no 'no', neither on disk nor recorded\n"
    )
    assert desk.refuses("mv", "a", "b", "c", code=2) == "oxy: c is no directory\n"
    assert desk.refuses("mv", "d", "d/e", code=2) == "oxy: d cannot be moved into itself\n"
    assert "cannot be written: it " in desk.refuses("mv", "a", ".git", code=2)
    assert "outside the working copy" in desk.refuses("mv", "a", "../x", code=2)
    desk.write("e/a", "a\n")
    assert desk.refuses("mv", "a", "e/a", "d", code=2) == "oxy: d/a is there already\n"
    (desk.root / "e/a").unlink()
    (desk.root / "e").rmdir()
    assert held(desk.root) == before


def test_a_change_of_names_is_not_carried_to_where_it_would_be_another(desk: Desk) -> None:
    desk.says("switch", "-c", "other", "main")
    desk.write("a", "ONE\ntwo\nthree\n")
    desk.commit("Other")
    desk.says("switch", "main")
    desk.says("mv", "a", "c")
    desk.says("switch", "other")
    assert desk.says() == "on other\nR a -> c\n"
    assert (desk.root / "c").read_text() == "ONE\ntwo\nthree\n"
    desk.says("mv", "b", "a")
    desk.says("mv", "c", "b")
    before = held(desk.root)
    assert "would be overwritten: a\n" in desk.refuses("switch", "main", code=2)
    assert held(desk.root) == before


def test_half_of_a_change_of_names_is_refused(desk: Desk) -> None:
    for old, new in (("a", "tmp"), ("b", "a"), ("tmp", "b")):
        desk.says("mv", old, new)
    assert desk.refuses("commit", "-m", "Half", "--hunk", "1", code=2) == (
        "oxy: b became a, and what was a has to go with it\n"
        "hint: name both paths, or take the hunks of both\n"
    )
    desk.says("commit", "-m", "Whole", "--hunk", "1,2")
    assert desk.says() == "on main\nnothing changed\n"


def test_tracked_files_are_deleted(desk: Desk) -> None:
    desk.write("d/new", "new\n")
    assert desk.says("rm", "d", "a") == (
        "removed: a\nremoved: d/s/y\nremoved: d/x\nleft: d/new is new: `oxy clean` removes it\n"
    )
    assert desk.says() == "on main\nD a\nA d/new\nD d/s/y\nD d/x\n"
    assert not (desk.root / "d/s").exists()
    desk.says("discard", "d")
    assert (desk.root / "d/s/y").read_text() == "y\n"
    assert desk.says("rm", "--keep", "b") == "untracked: b\n"
    assert desk.says("status", "-s") == "D a\nD b\nA d/new\n"
    assert (desk.root / "b").exists()
    assert desk.record("rm", "d/x") == {
        "removed": [{"path": "d/x"}],
        "left": [],
        "kept": False,
    }


def test_what_is_edited_or_not_tracked_is_not_deleted(desk: Desk) -> None:
    desk.write("a", "edited\n")
    desk.write("n", "n\n")
    told = desk.refuses("rm", "a", "b", code=2)
    assert told.startswith("oxy: edits would be lost: a\n")
    assert (desk.root / "b").exists()
    assert desk.refuses("rm", "n", code=2) == (
        "oxy: nothing at n is tracked\nhint: `oxy clean` removes what is not tracked\n"
    )
    desk.says("mv", "b", "c")
    assert desk.says("rm", "c") == "removed: c\n"
    assert desk.says("status", "-s") == "M a\nD b\nA n\n"
    desk.says("discard", "b")
    desk.says("mv", "b", "c")
    desk.write("c", "more\n")
    assert desk.refuses("rm", "c", code=2).startswith("oxy: edits would be lost: c\n")
