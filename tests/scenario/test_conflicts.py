"""A conflict from the merge to its resolution, through the real command line, to the letter."""

import json
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


def test_conflicts_are_listed_with_the_sides_as_one_sees_them(desk: Desk) -> None:
    ours, theirs = conflict(desk)
    assert desk.run("resolve") == 1
    assert desk.out == (
        "C f  text at 2-8\n"
        "  1  lines 2-8\n"
        f"     left   {ours[:12]} Ada Lovelace: Ours\n"
        f"     right  {theirs[:12]} Ada Lovelace: Theirs\n"
    )
    assert desk.run("resolve", "--json") == 1
    listed = json.loads(desk.out)["conflicts"]
    assert [side["id"] for side in listed[0]["conflicts"][0]["left"]] == [ours]
    assert listed[0]["conflicts"][0]["base"] == "b\n"


@pytest.mark.parametrize(
    ("choice", "text"),
    [("left", "a\nX\nc\n"), ("right", "a\nY\nc\n"), ("both", "a\nX\nY\nc\n")],
)
def test_a_side_or_both_can_be_taken(desk: Desk, choice: str, text: str) -> None:
    conflict(desk)
    assert desk.says("resolve", "--take", choice) == f"took {choice} for conflict 1 of f\n"
    assert (desk.root / "f").read_text() == text
    assert desk.says() == ("on main\nM f\nin conflict:\nC f  text resolved, not yet recorded\n")
    assert desk.run("resolve", "--take", "left") == 1


def test_the_base_of_one_conflict_can_be_taken(desk: Desk) -> None:
    conflict(desk, "a\nb\nc\nd\n", "X\nb\nc\nU\n", "Y\nb\nc\nV\n")
    desk.write("other", "2\n")
    assert desk.says("resolve", "--take", "base", "--only", "2", "f") == (
        "took base for conflict 2 of f\n"
    )
    assert shown(desk).endswith("c\nd\n")
    assert "C f  text at 1-7\n" in desk.says()
    assert desk.refuses("resolve", "--take", "left", "--only", "2", code=2) == (
        "oxy: there is no conflict 2 in f\n"
    )


def test_one_byte_can_be_what_remains(desk: Desk) -> None:
    conflict(desk, "a\nb", "", "a\nx")
    assert desk.says("resolve", "--take", "right") == "took right for conflict 1 of f\n"
    assert (desk.root / "f").read_bytes() == b"a\nx"
