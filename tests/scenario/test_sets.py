"""Changes added to a state and taken out, through the real command line, to the letter."""

import json
from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, Desk
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
    return desk


def fork(desk: Desk) -> tuple[str, str]:
    """Record a base, two changes on topic, one on main; return the ids of those on topic."""
    desk.write("a", "1\n2\n3\n")
    desk.write("b", "b\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("a", "1\n2\nthree\n")
    first = desk.commit("Third line")
    desk.write("d/new", "new\n")
    (desk.root / "b").unlink()
    second = desk.commit("Another file")
    desk.says("switch", "main")
    desk.write("a", "one\n2\n3\n")
    desk.commit("First line")
    return first, second


def test_a_merge_unites_states_and_tells_what_came(desk: Desk) -> None:
    fork(desk)
    told = "2 changes by Ada Lovelace\nM a\nD b\nA d/new\n"
    before = held(desk.root)
    assert desk.says("merge", "topic", "--dry-run") == f"would merge into main: {told}"
    assert held(desk.root) == before
    assert desk.says("merge", "topic") == f"merged into main: {told}"
    assert (desk.root / "a").read_text() == "one\n2\nthree\n"
    assert not (desk.root / "b").exists()
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("merge", "topic") == "nothing to merge: all of it is here\n"


def test_a_merge_taken_back_leaves_the_tree_as_it_was(desk: Desk) -> None:
    fork(desk)
    before = held(desk.root)
    log = desk.says("log", "--oneline")
    desk.says("merge", "topic")
    assert desk.says("undo") == "undone: merge topic\n"
    assert held(desk.root) == before
    assert desk.says("log", "--oneline") == log
    assert desk.says() == "on main\nnothing changed\n"


def test_a_merge_tells_whose_changes_came_and_what_is_in_conflict(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork(desk)
    desk.says("switch", "topic")
    desk.write("a", "uno\n2\nthree\n")
    monkeypatch.setenv("OXY_AUTHOR", "Bob <bob@example.org>")
    desk.commit("Another first line")
    desk.says("switch", "main")
    assert desk.says("merge", "topic", "--dry-run") == (
        "would merge into main: 3 changes by Ada Lovelace (2), Bob (1)\n"
        "M a\nD b\nA d/new\nconflict a: text\n"
    )
    record = desk.record("merge", "topic")
    assert record == {
        "came": 3,
        "went": 0,
        "authors": [
            {"author": AUTHOR, "changes": 2},
            {"author": "Bob <bob@example.org>", "changes": 1},
        ],
        "files": [
            {"path": "a", "kind": "modified"},
            {"path": "b", "kind": "deleted"},
            {"path": "d/new", "kind": "added"},
        ],
        "conflicts": [{"path": "a", "kinds": ["text"]}],
        "bookmark": "main",
        "done": True,
        "written": 2,
        "removed": 1,
    }


def test_a_file_that_moved_is_told_as_such(desk: Desk) -> None:
    desk.write("a", "1\n2\n3\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    (desk.root / "a").rename(desk.root / "z")
    desk.commit("Move")
    desk.says("switch", "main")
    assert desk.says("merge", "topic") == (
        "merged into main: 1 change by Ada Lovelace\nR a -> z\n"
    )


def test_a_file_in_the_way_stops_a_merge(desk: Desk) -> None:
    fork(desk)
    desk.write("d/new", "mine\n")
    assert desk.refuses("merge", "topic", code=2) == (
        "oxy: edited or untracked files would be overwritten: d/new\n"
        "hint: commit them or move them away, and try again\n"
    )
    assert desk.says("log", "-n", "1", "--oneline") == "ID [main] First line\n"


def test_an_unknown_state_is_answered_with_near_ones(desk: Desk) -> None:
    fork(desk)
    assert desk.refuses("merge", "topik", code=2) == (
        "oxy: no bookmark, tag or change is called 'topik'\nhint: did you mean topic?\n"
    )


def test_a_picked_change_is_the_same_change_and_merges_once(desk: Desk) -> None:
    first, second = fork(desk)
    assert desk.says("pick", second) == (
        "picked into main: 1 change by Ada Lovelace\nD b\nA d/new\n"
    )
    assert (desk.root / "a").read_text() == "one\n2\n3\n"
    assert desk.says("pick", second) == "nothing to pick: all of it is here\n"
    desk.says("bookmark", "--json")
    assert [json.loads(line).get("absent") for line in desk.out.splitlines()] == [[first], None]
    assert desk.says("merge", "topic") == "merged into main: 1 change by Ada Lovelace\nM a\n"
    assert desk.says("undo") == "undone: merge topic\n"
    assert desk.says("undo") == f"undone: pick {second}\n"
    assert (desk.root / "b").read_text() == "b\n"
    assert desk.says() == "on main\nnothing changed\n"


def test_what_a_picked_change_depends_on_comes_along(desk: Desk) -> None:
    fork(desk)
    desk.says("switch", "topic")
    desk.write("a", "1\n2\nTHREE\n")
    third = desk.commit("Shout")
    desk.says("switch", "main")
    assert desk.says("pick", third) == (
        "picked into main: 2 changes by Ada Lovelace\nM a\nalong with it: ID Third line\n"
    )
    assert (desk.root / "a").read_text() == "one\n2\nTHREE\n"


def test_a_change_is_unrecorded_from_the_midst_and_picked_again(desk: Desk) -> None:
    first, second = fork(desk)
    desk.says("switch", "topic")
    before = held(desk.root)
    assert desk.says("unrecord", first) == (
        "unrecorded from topic: 1 change by Ada Lovelace\nM a\n"
    )
    assert (desk.root / "a").read_text() == "1\n2\n3\n"
    assert desk.says("log", "--oneline") == "ID Another file\nID Base\n"
    assert desk.says("pick", first) == "picked into topic: 1 change by Ada Lovelace\nM a\n"
    assert held(desk.root) == before
    assert desk.says("undo") == f"undone: pick {first}\n"
    assert desk.says("undo") == f"undone: unrecord {first}\n"
    assert held(desk.root) == before
    assert second in desk.says("log", "--json")


def test_what_others_depend_on_stays_unless_they_go_too(desk: Desk) -> None:
    first, _ = fork(desk)
    desk.says("switch", "topic")
    desk.write("a", "1\n2\nTHREE\n")
    third = desk.commit("Shout")
    assert desk.refuses("unrecord", first, code=2) == (
        f"oxy: other changes depend on that: {third[:12]} Shout\n"
        "hint: --with-dependents takes them too\n"
    )
    assert desk.says("unrecord", first, "--with-dependents") == (
        "unrecorded from topic: 2 changes by Ada Lovelace\nM a\nalong with it: ID Shout\n"
    )
    assert (desk.root / "a").read_text() == "1\n2\n3\n"
    assert desk.refuses("unrecord", first, code=2) == (
        f"oxy: '{first}' ({first[:12]}) is not in the state that the working copy is on\n"
    )
