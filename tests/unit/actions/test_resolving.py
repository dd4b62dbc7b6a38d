from pathlib import Path

import pytest

from oxy.actions.resolving import (
    BASE,
    BOTH,
    LEFT,
    RIGHT,
    ManySidesError,
    NoConflictError,
    Opened,
    opened_texts,
    take,
)
from oxy.actions.status import examined
from oxy.worktree.unmarked import MarkersLeftError
from oxy.worktree.workcopy import working_copy
from tests.builders.desk import AUTHOR, Desk
from tests.builders.merging import fork


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init")
    desk.write("f", "b\nm\nb\n")
    desk.write("g", "b\n")
    desk.commit("Base")
    return desk


def edit(desk: Desk, letter: str) -> None:
    desk.write("f", f"{letter}\nm\n{letter}\n")
    desk.write("g", f"{letter}\n")


def conflict(desk: Desk) -> None:
    fork(desk, lambda: edit(desk, "Y"), lambda: edit(desk, "X"))


def taken(
    desk: Desk, choice: str, only: tuple[bytes, ...] = (), number: int | None = None
) -> list[tuple[bytes, tuple[int, ...]]]:
    with working_copy(bytes(desk.root)) as copy:
        return [(*one,) for one in take(copy, examined(copy), choice, only, number)]


def opened(desk: Desk) -> list[Opened]:
    with working_copy(bytes(desk.root)) as copy:
        return list(opened_texts(copy, examined(copy)))


def test_all_conflicts_are_taken_or_those_of_paths_or_one_by_its_number(desk: Desk) -> None:
    conflict(desk)
    assert taken(desk, LEFT, (b"f",), 2) == [(b"f", (2,))]
    assert (desk.root / "f").read_text().endswith("m\nX\n")
    assert taken(desk, RIGHT) == [(b"f", (1,)), (b"g", (1,))]
    assert (desk.root / "f").read_text() == "Y\nm\nX\n"
    assert (desk.root / "g").read_text() == "Y\n"
    assert taken(desk, RIGHT) == []


def test_both_are_ones_own_and_then_the_other_whatever_their_ids(desk: Desk) -> None:
    conflict(desk)
    taken(desk, BOTH, (b"g",))
    taken(desk, BASE, (b"f",))
    assert (desk.root / "g").read_text() == "X\nY\n"
    assert (desk.root / "f").read_text() == "b\nm\nb\n"


def test_other_edits_and_the_mode_of_the_file_stay(desk: Desk) -> None:
    conflict(desk)
    file = desk.write("g", "new\n" + (desk.root / "g").read_text())
    file.chmod(0o755)
    taken(desk, LEFT)
    assert file.read_text() == "new\nX\n"
    assert file.stat().st_mode & 0o100


def test_a_number_that_does_not_stand_in_the_file_is_refused(desk: Desk) -> None:
    conflict(desk)
    with pytest.raises(NoConflictError, match="there is no conflict 2 in g"):
        taken(desk, LEFT, (), 2)
    assert "<<<<<<<" in (desk.root / "f").read_text()


def test_markers_that_are_left_are_refused_before_anything_is_written(desk: Desk) -> None:
    conflict(desk)
    desk.write("g", "=======\n")
    with pytest.raises(MarkersLeftError) as caught:
        taken(desk, LEFT)
    assert caught.value.left == ((b"g", 1),)
    assert "<<<<<<<" in (desk.root / "f").read_text()


def test_two_sides_that_came_can_only_be_taken_with_all(desk: Desk) -> None:
    desk.says("bookmark", "third")
    conflict(desk)
    desk.says("switch", "third")
    edit(desk, "Z")
    desk.commit("Third")
    desk.says("merge", "main")
    with pytest.raises(ManySidesError, match="conflict 1 of f has 2 sides that are right"):
        taken(desk, RIGHT)
    assert taken(desk, LEFT, (b"g",)) == [(b"g", (1,))]
    assert (desk.root / "g").read_text() == "Z\n"


def test_where_no_merge_tells_the_smallest_id_is_ones_own(desk: Desk) -> None:
    conflict(desk)
    desk.says("bookmark", "joined")
    desk.says("switch", "topic")
    desk.says("switch", "joined")
    (first, *_) = opened(desk)
    (one, *_) = first.standing
    assert one.left[0].label < one.right[0].label
    assert len(one.left) == len(one.right) == 1


def test_a_file_that_is_gone_is_passed_over(desk: Desk) -> None:
    conflict(desk)
    (desk.root / "f").unlink()
    (desk.root / "g").unlink()
    (desk.root / "g").symlink_to("f")
    assert opened(desk) == []
