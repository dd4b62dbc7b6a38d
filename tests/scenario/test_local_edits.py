"""Edits that are not recorded yet, on the way from state to state, through the command line."""

import os

from tests.builders.desk import Desk
from tests.builders.tree import File, held

TEN = "".join(f"{number}\n" for number in range(10))
HINT = "hint: commit or shelve the edits first, and move away what is not tracked\n"


def fork(desk: Desk) -> None:
    """Record on main, and on a topic that edits, moves and deletes files; be on main."""
    for name in ("edited", "moved", "mode", "gone"):
        desk.write(name, f"{name}\n{TEN}")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("edited", f"edited here\n{TEN}")
    (desk.root / "d").mkdir()
    os.rename(desk.root / "moved", desk.root / "d/there")
    (desk.root / "mode").chmod(0o755)
    (desk.root / "gone").unlink()
    desk.commit("Topic")
    desk.says("switch", "main")


def text(desk: Desk, name: str) -> str:
    return (desk.root / name).read_text()


def test_edits_go_along_and_come_back(desk: Desk) -> None:
    fork(desk)
    desk.write("edited", f"edited\n{TEN}more\n")
    desk.write("moved", f"moved\nmore\n{TEN}")
    desk.write("mode", f"{TEN}")
    desk.write("new", "new\n")
    before = held(desk.root)
    status = desk.says()
    assert status == "on main\nM edited\nM mode\nM moved\nA new\n"
    desk.says("switch", "topic")
    assert text(desk, "edited") == f"edited here\n{TEN}more\n"
    assert text(desk, "d/there") == f"moved\nmore\n{TEN}"
    assert held(desk.root)["mode"] == File(TEN.encode(), executable=True)
    assert desk.says() == "on topic\nM d/there\nM edited\nM mode\nA new\n"
    desk.says("switch", "main")
    assert held(desk.root) == before
    assert desk.says() == status


def test_edits_of_what_the_other_state_edited_or_deleted_stop_everything(desk: Desk) -> None:
    fork(desk)
    desk.write("edited", f"edited otherwise\n{TEN}")
    desk.write("gone", f"gone\n{TEN}more\n")
    desk.write("mode", "carried if the others were\n")
    before = held(desk.root)
    assert desk.refuses("switch", "topic", code=2) == (
        f"oxy: edited or untracked files would be overwritten: edited, gone\n{HINT}"
    )
    assert held(desk.root) == before
    assert desk.says() == "on main\nM edited\nM gone\nM mode\n"


def test_a_file_that_was_renamed_gets_what_the_other_state_edited(desk: Desk) -> None:
    fork(desk)
    os.rename(desk.root / "edited", desk.root / "mine")
    assert desk.says() == "on main\nR edited -> mine\n"
    desk.says("switch", "topic")
    assert text(desk, "mine") == f"edited here\n{TEN}"
    assert desk.says() == "on topic\nR edited -> mine\n"
    desk.says("switch", "main")
    assert text(desk, "mine") == f"edited\n{TEN}"


def test_a_file_that_both_moved_stops_everything(desk: Desk) -> None:
    fork(desk)
    os.rename(desk.root / "moved", desk.root / "mine")
    assert "overwritten: mine\n" in desk.refuses("switch", "topic", code=2)


def test_a_deleted_file_stays_deleted_where_the_other_state_only_moved_it(desk: Desk) -> None:
    fork(desk)
    (desk.root / "moved").unlink()
    (desk.root / "mode").unlink()
    desk.says("switch", "topic")
    assert desk.says() == "on topic\nD d/there\nD mode\n"
    desk.says("switch", "main")
    assert desk.says() == "on main\nD mode\nD moved\n"
    (desk.root / "edited").unlink()
    assert "overwritten: edited\n" in desk.refuses("switch", "topic", code=2)


def test_a_file_that_cannot_be_replaced_is_where_an_edited_one_is_to_go(desk: Desk) -> None:
    fork(desk)
    desk.write("moved", f"moved\n{TEN}more\n")
    desk.write("d/there", "mine\n")
    assert "overwritten: d/there, moved\n" in desk.refuses("switch", "topic", code=2)


def test_an_edited_file_and_the_name_of_another_change_places(desk: Desk) -> None:
    desk.write("a", f"a\n{TEN}")
    desk.write("b", f"b\n{TEN}b\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    os.rename(desk.root / "a", desk.root / "c")
    desk.commit("One is away")
    os.rename(desk.root / "b", desk.root / "a")
    desk.commit("The other takes its place")
    desk.says("switch", "main")
    desk.write("a", f"a\n{TEN}edited\n")
    desk.write("b", f"b\n{TEN}b\nedited too\n")
    before = held(desk.root)
    desk.says("switch", "topic")
    assert text(desk, "c") == f"a\n{TEN}edited\n"
    assert text(desk, "a") == f"b\n{TEN}b\nedited too\n"
    desk.says("switch", "main")
    assert held(desk.root) == before


def test_a_binary_file_goes_along_where_its_content_is_the_same(desk: Desk) -> None:
    (desk.root / "b").write_bytes(b"\0one")
    (desk.root / "c").write_bytes(b"\0one, and so on")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    os.rename(desk.root / "b", desk.root / "e")
    (desk.root / "c").write_bytes(b"\0two")
    desk.commit("Topic")
    desk.says("switch", "main")
    (desk.root / "b").write_bytes(b"\0edited")
    desk.says("switch", "topic")
    assert (desk.root / "e").read_bytes() == b"\0edited"
    assert desk.says() == "on topic\nM e\n"
    desk.says("switch", "main")
    (desk.root / "c").write_bytes(b"\0edited")
    assert "overwritten: c\n" in desk.refuses("switch", "topic", code=2)


def test_edits_go_along_to_a_merge_but_not_into_its_conflicts(desk: Desk) -> None:
    desk.write("a", TEN)
    desk.write("b", TEN)
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("a", TEN.replace("5\n", "five\n"))
    desk.write("b", TEN.replace("5\n", "five\n"))
    desk.commit("Topic")
    desk.says("switch", "main")
    desk.write("a", TEN.replace("5\n", "fünf\n"))
    desk.commit("Main")
    desk.write("a", TEN.replace("5\n", "fünf\n") + "more\n")
    assert "overwritten: a\n" in desk.refuses("merge", "topic", code=2)
    desk.write("a", TEN.replace("5\n", "fünf\n"))
    desk.write("b", TEN + "more\n")
    desk.says("merge", "topic")
    assert text(desk, "b") == TEN.replace("5\n", "five\n") + "more\n"
    assert {"five", "fünf"} <= set(text(desk, "a").splitlines())
    edited = text(desk, "a") + "after the conflict\n"
    desk.write("a", edited)
    assert "overwritten: a\n" in desk.refuses("switch", "topic", code=2)
    assert text(desk, "a") == edited
