import os
from pathlib import Path

import pytest

from oxy.actions.choosing import ManyValuesError, choose
from oxy.actions.resolving import LEFT, RIGHT
from oxy.actions.status import examined
from oxy.actions.values import values
from oxy.worktree.workcopy import working_copy
from tests.builders.desk import AUTHOR, Desk
from tests.builders.merging import fork
from tests.builders.tree import held


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init")
    desk.write("f", "1\n2\n3\n")
    desk.write("b", "a\0b")
    desk.commit("Base")
    return desk


def take(desk: Desk, side: str) -> dict[str, bytes]:
    """Choose, record, and return what the files hold then, once nothing is in conflict."""
    with working_copy(bytes(desk.root)) as copy:
        choose(copy, examined(copy), side)
    desk.commit("Chosen")
    assert desk.says() == "on main\nnothing changed\n"
    return {name: file.data for name, file in held(desk.root).items()}


@pytest.mark.parametrize(("side", "data"), [(LEFT, b"a\0ours"), (RIGHT, b"a\0theirs")])
def test_bytes_of_a_side_are_chosen(desk: Desk, side: str, data: bytes) -> None:
    fork(desk, lambda: desk.write("b", "a\0theirs"), lambda: desk.write("b", "a\0ours"))
    assert take(desk, side)["b"] == data


@pytest.mark.parametrize(("side", "name"), [(LEFT, "ours"), (RIGHT, "theirs")])
def test_a_place_of_a_side_is_chosen(desk: Desk, side: str, name: str) -> None:
    def rename(to: str) -> None:
        os.rename(desk.root / "b", desk.root / to)

    fork(desk, lambda: rename("theirs"), lambda: rename("ours"))
    assert set(take(desk, side)) == {"f", name}


@pytest.mark.parametrize(("side", "name"), [(LEFT, "ours"), (RIGHT, "theirs")])
def test_a_place_in_a_directory_that_moved_is_chosen(desk: Desk, side: str, name: str) -> None:
    desk.write("d/f", "4\n5\n6\n")
    desk.write("d/g", "7\n")
    desk.commit("Directory")
    os.rename(desk.root / "d", desk.root / "e")
    desk.commit("Moved")
    fork(
        desk,
        lambda: os.rename(desk.root / "e/f", desk.root / "e/theirs"),
        lambda: os.rename(desk.root / "e/f", desk.root / "e/ours"),
    )
    with working_copy(bytes(desk.root)) as copy:
        (one,) = values(copy, examined(copy))
    told = [value.value for value in (*one.left, *one.right)]
    assert told == [b"e/ours", b"e/theirs"]
    assert set(take(desk, side)) == {"f", "b", "e/g", f"e/{name}"}


@pytest.mark.parametrize(("side", "data"), [(LEFT, b"1\n2\n3"), (RIGHT, b"1\n2\n3\n")])
def test_a_final_lf_of_a_side_is_chosen(desk: Desk, side: str, data: bytes) -> None:
    def without() -> None:
        (desk.root / "f").write_bytes(b"1\n2\n3")

    def without_and_back() -> None:
        without()
        desk.commit("Without")
        (desk.root / "f").write_bytes(b"1\n2\n3\n")

    fork(desk, without_and_back, without)
    assert take(desk, side)["f"] == data


@pytest.mark.parametrize(("side", "data"), [(LEFT, b"a\0b"), (RIGHT, b"target")])
def test_a_kind_of_a_side_is_chosen(desk: Desk, side: str, data: bytes) -> None:
    def link() -> None:
        (desk.root / "f").unlink()
        (desk.root / "f").symlink_to("target")

    fork(desk, link, lambda: desk.write("f", "a\0b"))
    assert take(desk, side)["f"] == data


@pytest.mark.parametrize(("side", "names"), [(LEFT, {"b"}), (RIGHT, {"b", "f"})])
def test_a_file_that_one_deleted_and_the_other_edited_goes_or_stays_whole(
    desk: Desk, side: str, names: set[str]
) -> None:
    fork(desk, lambda: desk.write("f", "1\n2\n3\n4\n"), (desk.root / "f").unlink)
    found = take(desk, side)
    assert set(found) == names
    assert found.get("f", b"1\n2\n3\n4\n") == b"1\n2\n3\n4\n"


def test_a_choice_can_be_made_otherwise_before_it_is_recorded(desk: Desk) -> None:
    fork(desk, lambda: desk.write("f", "1\n2\n3\n4\n"), (desk.root / "f").unlink)
    with working_copy(bytes(desk.root)) as copy:
        choose(copy, examined(copy), LEFT)
    assert not (desk.root / "f").exists()
    assert take(desk, RIGHT)["f"] == b"1\n2\n3\n4\n"


def test_an_edit_of_a_file_that_another_deleted_does_not_settle_whether_it_stays(
    desk: Desk,
) -> None:
    fork(desk, lambda: desk.write("f", "1\n2\n3\n4\n"), (desk.root / "f").unlink)
    desk.write("f", "edited\n")
    desk.commit("Edited")
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC f  deleted\n"


def test_a_side_with_two_values_is_refused_and_nothing_is_chosen(desk: Desk) -> None:
    desk.says("bookmark", "third")
    fork(desk, lambda: desk.write("b", "a\0one"), lambda: desk.write("b", "a\0two"))
    desk.says("switch", "third")
    desk.write("b", "a\0three")
    desk.commit("Third")
    desk.says("merge", "main")
    with (
        working_copy(bytes(desk.root)) as copy,
        pytest.raises(ManyValuesError, match="the content of b has 2 values that are right"),
    ):
        choose(copy, examined(copy), RIGHT)
    assert "content chosen" not in desk.says()
