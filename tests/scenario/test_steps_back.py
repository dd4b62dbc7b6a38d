"""Taking back what was done to files without recording, through the real command line."""

from tests.builders.desk import Desk


def layout(desk: Desk) -> None:
    for path in ("a", "b", "d/c"):
        desk.write(path, f"{path}\n")
    desk.commit("One")
    desk.write("a", "two\n")
    desk.commit("Two")


CLEAN = "on main\nnothing changed\n"


def test_moves_go_back_one_by_one_and_come_again(desk: Desk) -> None:
    layout(desk)
    desk.says("mv", "a", "e")
    desk.says("mv", "d", "g")
    assert desk.says("undo") == "undone: mv d g\n"
    assert desk.says("status") == "on main\nR a -> e\n"
    desk.write("e", "edited\n")
    desk.says("undo")
    assert desk.says("status") == "on main\nM a\n"
    assert desk.says("redo") == "redone: mv a e\n"
    assert (desk.root / "e").read_text() == "edited\n"
    desk.says("redo")
    assert desk.says("status") == "on main\nR a -> e\nR d/c -> g/c\n"


def test_a_move_by_hand_is_forgotten_and_the_file_stays(desk: Desk) -> None:
    layout(desk)
    (desk.root / "a").rename(desk.root / "e")
    assert desk.says("mv", "a", "e").startswith("noted")
    desk.says("undo")
    assert (desk.root / "e").exists()
    assert not (desk.root / "a").exists()


def test_deleted_files_come_back(desk: Desk) -> None:
    layout(desk)
    desk.says("rm", "b", "d")
    assert desk.says("undo") == "undone: rm b d\n"
    assert desk.says("status") == CLEAN
    assert (desk.root / "d/c").read_text() == "d/c\n"
    desk.says("redo")
    assert desk.says("status") == "on main\nD b\nD d/c\n"
    desk.write("b", "another\n")
    assert desk.refuses("undo", code=2).startswith(
        "oxy: edited or untracked files would be overwritten: b\n"
    )
    assert (desk.root / "b").read_text() == "another\n"
    assert not (desk.root / "d/c").exists()


def test_what_was_restored_is_what_it_was(desk: Desk) -> None:
    layout(desk)
    (desk.root / "b").unlink()
    desk.says("restore", "a", "b", "--from", "main~1")
    assert desk.says("status") == "on main\nM a\n"
    desk.says("undo")
    assert desk.says("status") == "on main\nD b\n"
    assert (desk.root / "a").read_text() == "two\n"
    desk.says("redo")
    assert (desk.root / "a").read_text() == "a\n"
    assert (desk.root / "b").read_text() == "b\n"


def test_what_was_said_of_paths_is_what_it_was(desk: Desk) -> None:
    layout(desk)
    desk.write(".oxyignore", "*.log\n")
    desk.commit("Ignore")
    desk.write("x.log", "1\n")
    desk.says("track", "x.log")
    desk.says("untrack", "a")
    assert desk.says("status") == "on main\nD a\nA x.log\n"
    assert desk.says("undo") == "undone: untrack a\n"
    assert desk.says("status") == "on main\nA x.log\n"
    assert desk.says("undo") == "undone: track x.log\n"
    assert desk.says("status") == CLEAN
    desk.says("redo")
    assert desk.says("status") == "on main\nA x.log\n"
    desk.says("track", "x.log")
    assert (
        desk.says("op", "log", "-n", "1")
        .splitlines()[0]
        .endswith(": redo track x.log (undoes 8)")
    )


def test_steps_and_commits_are_taken_back_in_order(desk: Desk) -> None:
    layout(desk)
    desk.says("mv", "a", "e")
    desk.commit("Moved")
    desk.says("rm", "b")
    assert desk.says("undo") == "undone: rm b\n"
    assert desk.says("undo") == "undone: commit Moved\n"
    assert desk.says("status") == "on main\nR a -> e\n"
    assert desk.says("undo") == "undone: mv a e\n"
    assert desk.says("status") == CLEAN
    assert desk.says("fsck") == "nothing is wrong\n"
    assert desk.says("fsck", "--rebuild") == "the index is made anew; nothing is damaged\n"
    assert desk.says("redo") == "redone: mv a e\n"
