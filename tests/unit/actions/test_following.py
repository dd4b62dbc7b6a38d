from pathlib import Path

import pytest

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
    desk.write("f", "b\n")
    desk.commit("Base")
    fork(desk, lambda: desk.write("x", "theirs\n"), lambda: desk.write("x", "ours\n"))
    return desk


def loser(desk: Desk) -> Path:
    (found,) = desk.root.glob("x.~*")
    return found


def test_an_edit_of_a_file_that_is_named_anew_goes_along(desk: Desk) -> None:
    loser(desk).write_text("edited\n")
    (desk.root / "x").unlink()
    desk.commit("The other has the name", "x")
    assert (desk.root / "x").read_text() == "edited\n"
    assert not list(desk.root.glob("x.~*"))
    assert desk.says() == "on main\nM x\n"


def test_what_nobody_tracks_is_not_overwritten_and_shows(desk: Desk) -> None:
    (desk.root / "x").unlink()
    (desk.root / "x").mkdir()
    desk.write("x/mine", "mine\n")
    desk.write(".gitignore", "mine\n")
    desk.commit("A directory", "x")
    assert (desk.root / "x/mine").read_text() == "mine\n"
    assert f"R x -> {loser(desk).name}\n" in desk.says()
