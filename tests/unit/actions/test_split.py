from pathlib import Path

import pytest

from oxy.actions.split import NoPartError, Wish, split
from oxy.worktree.hunks import NoHunkError, Pick
from tests.builders.row import log, name, row
from tests.builders.workshop import Workshop

LINES = "".join(f"{number}\n" for number in range(20))


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return row(tmp_path)


@pytest.fixture
def edited(tmp_path: Path) -> Workshop:
    """Return a working copy whose newest change edits a text at three places, and adds one."""
    shop = Workshop(tmp_path)
    shop.commit("a", f=LINES)
    text = LINES.replace("1\n", "one\n", 1).replace("4\n", "four\nfive\n", 1)
    shop.commit("b", f=text.removesuffix("19\n") + "nineteen", new="new\n")
    return shop


def choosing(shop: Workshop, *picks: Pick, called: bytes = b"@") -> None:
    with shop.copy() as copy:
        split(copy, Wish(called, message=b"s", choose=lambda _: picks))


def test_a_change_becomes_two(shop: Workshop) -> None:
    shop.commit("e", a="A\n", c="C\n")
    with shop.copy() as copy:
        split(copy, Wish(b"@", [b"c"], b"f"))
    assert log(shop) == "abcdfe"
    assert shop.differs() == []


@pytest.mark.parametrize("path", [b"", b"b", b"nowhere"])
def test_a_change_does_not_become_one_and_nothing(shop: Workshop, path: bytes) -> None:
    with shop.copy() as copy, pytest.raises(NoPartError) as caught:
        split(copy, Wish(b"@", [path]))
    assert caught.value.is_whole == (path != b"nowhere")


def test_chosen_edits_of_a_text_come_first(edited: Workshop) -> None:
    choosing(edited, Pick(1, 2))
    assert log(edited) == "asb"
    assert edited.differs() == []
    whole = edited.read("f")
    edited.switch(name(edited, 3).decode())
    assert edited.read("f") == LINES.replace("4\n", "four\nfive\n", 1)
    assert not (edited.root / "new").exists()
    edited.switch("main")
    assert edited.read("f") == whole


def test_whether_a_text_ends_in_lf_goes_with_its_last_line(edited: Workshop) -> None:
    choosing(edited, Pick(2))
    edited.switch(name(edited, 3).decode())
    assert edited.read("f") == LINES.removesuffix("19\n") + "nineteen"


@pytest.mark.parametrize(("pick", "path"), [(1, "g"), (2, "f")])
def test_a_move_can_be_split_from_the_edits(edited: Workshop, pick: int, path: str) -> None:
    text = edited.read("f")
    edited.write("f", None)
    moved = text.replace("7\n", "seven\n", 1)
    edited.commit("c", g=moved)
    edited.commit("d", g=moved.replace("9", "nine"))
    choosing(edited, Pick(pick), called=name(edited, 3))
    assert log(edited) == "abscd"
    assert edited.differs() == []
    edited.switch(name(edited, 5).decode())
    assert edited.read(path) == (text if pick == 1 else moved)


def test_what_edits_the_lines_of_either_half_follows(edited: Workshop) -> None:
    text = edited.read("f").replace("one", "ONE").replace("five", "FIVE")
    edited.commit("c", f=text)
    choosing(edited, Pick(1, 1), called=name(edited, 2))
    assert log(edited) == "asbc"
    assert edited.differs() == []
    assert edited.read("f") == text


@pytest.mark.parametrize(("picks", "is_whole"), [((), False), ((1, 2, 3), True)])
def test_one_of_the_two_is_not_empty(
    edited: Workshop, picks: tuple[int, ...], *, is_whole: bool
) -> None:
    with pytest.raises(NoPartError) as caught:
        choosing(edited, *map(Pick, picks))
    assert caught.value.is_whole is is_whole


def test_a_hunk_that_is_not_there_is_refused(edited: Workshop) -> None:
    with pytest.raises(NoHunkError):
        choosing(edited, Pick(1), Pick(4))
    assert log(edited) == "ab"
