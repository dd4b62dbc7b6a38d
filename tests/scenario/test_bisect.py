"""Looking for the change that made something bad, through the real command line."""

import json

import pytest

from tests.builders.desk import Desk


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Return a desk with six changes, of which the fourth says bad."""
    for number in range(1, 7):
        desk.write("a", f"{number}\n")
        desk.write("word", "bad\n" if number >= 4 else "good\n")
        ids = desk.commit(f"Number {number}")
        if number == 1:
            desk.says("tag", "first", ids)
    return desk


def test_a_change_is_looked_for_by_hand(desk: Desk) -> None:
    assert desk.says("bisect", "start") == "waiting for a bad state\n"
    assert desk.says("bisect", "bad") == "waiting for a good state\n"
    assert desk.says("bisect", "good", "first") == "5 changes left, 3 tests; now ID Number 4\n"
    assert (desk.root / "a").read_text() == "4\n"
    assert desk.says("bisect", "bad") == "3 changes left, 2 tests; now ID Number 3\n"
    assert desk.says() == "at ID, on no bookmark\nnothing changed\n"
    assert desk.run("bisect", "good") == 0
    assert desk.out.startswith("this made it bad:\nchange ")
    assert "Number 4" in desk.out
    assert desk.says("bisect", "reset").startswith("back on main: ")
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.refuses("bisect", "good", code=2) == (
        "oxy: no search is going on\nhint: begin one with `oxy bisect start`\n"
    )


def test_a_command_looks_for_a_change(desk: Desk) -> None:
    desk.says("bisect", "start", "main", "first")
    told = desk.says("bisect", "run", "--", "grep", "-q", "good", "word")
    assert told.splitlines()[-2:] == ["    Number 4", ""]
    desk.says("bisect", "reset")
    desk.says("bisect", "start", "main", "first")
    desk.says("bisect", "run", "--json", "--", "grep", "good", "word")
    last = json.loads(desk.out.splitlines()[-1])
    shown = json.loads(desk.says("show", last["found"], "--json"))
    assert shown["message"] == "Number 4"


def test_a_command_that_says_nothing_stops_the_run(desk: Desk) -> None:
    desk.says("bisect", "start", "main")
    assert desk.refuses("bisect", "run", "true", code=2) == (
        "oxy: true has nothing to test: no good state is known\n"
    )
    desk.says("bisect", "good", "first")
    assert "no-such-command cannot be run: " in desk.refuses(
        "bisect", "run", "no-such-command", code=2
    )
    assert desk.refuses("bisect", "run", "--", "sh", "-c", "exit 128", code=2) == (
        "oxy: sh ended with 128, which says nothing\n"
    )
    assert "made it bad; what would tell was skipped:\nID Number 2\n" in desk.says(
        "bisect", "run", "sh", "-c", "exit 125"
    )


def test_an_answer_that_contradicts_is_refused_and_taken_back(desk: Desk) -> None:
    desk.says("bisect", "start", "main", "first")
    before = (desk.root / "a").read_text()
    assert desk.refuses("bisect", "good", "main", code=2) == (
        "oxy: no change is in every bad state and in no good one\n"
        "hint: `oxy undo` takes an earlier answer back\n"
    )
    desk.says("bisect", "good")
    assert desk.says("undo") == "undone: bisect good\n"
    assert (desk.root / "a").read_text() == before
    assert desk.says("undo") == "undone: bisect start\n"
    assert desk.says() == "on main\nnothing changed\n"
