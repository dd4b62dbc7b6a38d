"""A conflict from the merge to its resolution, through the real command line, to the letter."""

from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, ID, Desk
from tests.builders.merging import merge


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init")
    return desk


def conflict(
    desk: Desk, base: str = "a\nb\nc\n", ours: str = "a\nX\nc\n", theirs: str = "a\nY\nc\n"
) -> tuple[str, str]:
    """Merge two edits of f; return the ids of ours and theirs."""
    desk.write("f", base)
    desk.write("other", "1\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("f", theirs)
    right = desk.commit("Theirs")
    desk.says("switch", "main")
    desk.write("f", ours)
    left = desk.commit("Ours")
    merge(desk.root, b"topic")
    return left, right


def shown(desk: Desk) -> str:
    return ID.sub("ID", (desk.root / "f").read_text())


def sides(ids: tuple[str, str]) -> list[tuple[str, str]]:
    """Return (text, message) of ours and theirs in the order of their ids."""
    return [text for _, text in sorted(zip(ids, (("X", "Ours"), ("Y", "Theirs")), strict=True))]


def test_after_a_merge_the_file_names_the_sides_and_status_is_clean(desk: Desk) -> None:
    (one, first), (other, last) = sides(conflict(desk))
    assert shown(desk) == (
        f"a\n<<<<<<< ID Ada Lovelace: {first}\n{one}\n||||||| base\nb\n=======\n{other}\n"
        f">>>>>>> ID Ada Lovelace: {last}\nc\n"
    )
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC f  text at 2-8\n"
    assert desk.record("status")["conflicts"] == [
        {"path": "f", "kinds": ["text"], "lines": [{"first": 2, "last": 8}], "left": None}
    ]
    assert desk.says("cat", "f") == shown(desk)
