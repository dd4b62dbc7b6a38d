"""Where lines came from and when they went, through the real command line, to the letter."""

import json

import pytest

from tests.builders.desk import Desk

ADA = "Ada Lovelace <ada@example.org>"
EVE = "Eve <eve@old.example>"


def record(desk: Desk, message: str, day: int, author: str = ADA) -> None:
    """Record at noon of a day in May 2024."""
    when = f"2024-05-{day:02d}T12:00:00+02:00"
    desk.says("commit", "-m", message, "--date", when, "--author", author)


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Return a desk with a file that two people wrote, and that is edited on disk."""
    desk.write("poem", "zero\none\ntwo\nthree\n")
    record(desk, "Begin", 1)
    desk.write("poem", "one\nTWO\nthree\n")
    record(desk, "Shout", 2, EVE)
    desk.write("poem", "one\nTWO\nfresh\n")
    return desk


ON_DISK = (
    "ID Ada Lovelace     2024-05-01 12:00:00 +0200 1 one\n"
    "ID Eve              2024-05-02 12:00:00 +0200 2 TWO\n"
    "             not recorded yet                           3 fresh\n"
)


def test_what_is_not_recorded_yet_is_said(desk: Desk) -> None:
    assert desk.says("blame", "poem") == ON_DISK
    assert desk.says("blame", "poem", "--at", "main") == (
        "ID Ada Lovelace 2024-05-01 12:00:00 +0200 1 one\n"
        "ID Eve          2024-05-02 12:00:00 +0200 2 TWO\n"
        "ID Ada Lovelace 2024-05-01 12:00:00 +0200 3 three\n"
    )
    desk.says("mv", "poem", "verse")
    assert desk.says("blame", "verse") == ON_DISK
    assert desk.refuses("blame", "none", code=2) == (
        "oxy: there is no 'none', neither on disk nor recorded\n"
    )


def test_deleted_lines_tell_who_deleted_them(desk: Desk) -> None:
    assert desk.says("blame", "poem", "--deleted") == (
        "ID Eve              2024-05-02 12:00:00 +0200 - zero\n"
        "ID Ada Lovelace     2024-05-01 12:00:00 +0200 1 one\n"
        "ID Eve              2024-05-02 12:00:00 +0200 - two\n"
        "ID Eve              2024-05-02 12:00:00 +0200 2 TWO\n"
        "             not recorded yet                           - three\n"
        "             not recorded yet                           3 fresh\n"
    )
    desk.run("blame", "poem", "--deleted", "--json", "--at", "main")
    first, *_ = [json.loads(line) for line in desk.out.splitlines()]
    assert (first["line"], first["text"], first["author"]) == (None, "zero", ADA)
    assert [by["author"] for by in first["deleted"]] == [EVE]


def test_ranges_of_lines_are_by_number_or_by_what_they_say(desk: Desk) -> None:
    first, second, third = ON_DISK.splitlines(keepends=True)
    assert desk.says("blame", "poem", "-L", "1,1", "-L", "/fr.sh/") == first + third
    assert desk.says("blame", "poem", "-L", "2") == second.replace("  " * 6, " " * 12) + third
    assert desk.says("blame", "poem", "-L", "/TWO/,+1", "--at", "main") == (
        "ID Eve 2024-05-02 12:00:00 +0200 2 TWO\n"
    )
    assert desk.says("blame", "poem", "-L", "1,2", "--deleted", "--at", "main") == (
        "ID Ada Lovelace 2024-05-01 12:00:00 +0200 1 one\n"
        "ID Eve          2024-05-02 12:00:00 +0200 - two\n"
        "ID Eve          2024-05-02 12:00:00 +0200 2 TWO\n"
    )
    assert desk.refuses("blame", "poem", "-L", "9,12", code=2) == (
        "oxy: -L 9,12: the file has 3 lines\n"
    )


def test_a_mailmap_says_who_is_shown(desk: Desk) -> None:
    desk.write(".mailmap", "Eve Proper <eve@new.example> eve <EVE@old.example>\n")
    assert "ID Eve Proper   " in desk.says("blame", "poem", "--at", "main")
    assert "ID Eve   " in desk.says("blame", "poem", "--at", "main", "--no-mailmap")
    desk.run("blame", "poem", "-L", "2,+1", "--json")
    found = json.loads(desk.out)
    assert (found["author"], found["mapped_author"]) == (EVE, "Eve Proper <eve@new.example>")


def test_lines_in_a_conflict_say_which_side_they_are_of(desk: Desk) -> None:
    desk.says("discard", "--all")
    desk.says("bookmark", "other")
    desk.write("poem", "one\nTwo\nthree\n")
    record(desk, "Whisper", 3)
    desk.says("switch", "other")
    desk.write("poem", "one\nTHREE\nthree\n")
    record(desk, "Miscount", 4, EVE)
    desk.run("merge", "main")
    lines = (
        "ID Ada Lovelace 2024-05-01 12:00:00 +0200 1     one\n"
        "ID Eve          2024-05-04 12:00:00 +0200 2 1/2 THREE\n"
        "ID Ada Lovelace 2024-05-03 12:00:00 +0200 3 2/2 Two\n"
        "ID Ada Lovelace 2024-05-01 12:00:00 +0200 4     three\n"
    )
    assert desk.says("blame", "poem") == lines
    with (desk.root / "poem").open("a") as file:
        file.write("more\n")
    edited = desk.says("blame", "poem").splitlines()
    # Markers stand on disk, and are recorded by nobody.
    assert [line.endswith(("THREE", "Two", "one", "three", "more")) for line in edited] == [
        True,
        False,
        True,
        False,
        False,
        False,
        True,
        False,
        True,
        True,
    ]
    assert "not recorded yet" in edited[1]
    assert " 3 1/2 THREE" in edited[2]
