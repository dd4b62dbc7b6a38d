"""Changes added to a state and taken out, through the real command line, to the letter."""

import json

import pytest

from tests.builders.desk import AUTHOR, Desk
from tests.builders.tree import held


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


def test_a_merge_of_many_files_names_some_and_tells_programs_all(desk: Desk) -> None:
    desk.write("a", "1\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    for number in range(60):
        desk.write(f"f{number:02}", "1\n")
    desk.commit("Many")
    desk.says("switch", "main")
    desk.write("a", "2\n")
    desk.commit("Another")
    assert desk.says("merge", "topic").endswith("A f49\nand 10 more files\n")
    desk.says("undo")
    files = desk.record("merge", "topic")["files"]
    assert isinstance(files, list)
    assert len(files) == 60


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
        "M a\nD b\nA d/new\nC a  text\n"
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
        "hint: commit or shelve the edits first, and move away what is not tracked\n"
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
        "hint: `oxy unrecord --with-dependents` takes them too\n"
    )
    assert desk.says("unrecord", first, "--with-dependents") == (
        "unrecorded from topic: 2 changes by Ada Lovelace\nM a\nalong with it: ID Shout\n"
    )
    assert (desk.root / "a").read_text() == "1\n2\n3\n"
    assert desk.refuses("unrecord", first, code=2) == (
        f"oxy: change {first[:12]} is not in the state of the working copy\n"
        "hint: go where it is with `oxy switch`\n"
    )


def test_a_change_is_reverted_and_the_revert_too(desk: Desk) -> None:
    desk.write("a", "1\n2\n3\n")
    desk.write("run", "go\n")
    base = desk.commit("Base")
    (desk.root / "run").chmod(0o755)
    desk.write("a", "1\ntwo\n3\n")
    desk.write("new", "new\n")
    changed = desk.commit("Change\n\nAt length.")
    after = held(desk.root)
    assert desk.says("revert", changed, "--dry-run") == (
        'would record Revert "Change"\nM a\nD new\nM run\n'
    )
    assert held(desk.root) == after
    assert desk.says("revert", changed) == 'recorded ID Revert "Change"\nM a\nD new\nM run\n'
    assert {name: (file.data, file.executable) for name, file in held(desk.root).items()} == {
        "a": (b"1\n2\n3\n", False),
        "run": (b"go\n", False),
    }
    assert desk.says() == "on main\nnothing changed\n"
    desk.says("blame", "a")
    assert desk.out.count(base[:12]) == 3
    log = json.loads(desk.says("log", "-n", "1", "--json"))
    assert log["message"] == f'Revert "Change"\n\nThis takes back change {changed}.'
    assert desk.run("revert", changed) == 1
    assert desk.out == f"nothing is left of {changed[:12]}\n"
    assert desk.says("revert", log["id"], "-m", "On second thought") == (
        "recorded ID On second thought\nM a\nA new\nM run\n"
    )
    assert held(desk.root) == after
    desk.says("undo")
    desk.says("undo")
    assert held(desk.root) == after
    assert desk.says("log", "-n", "1", "--oneline") == "ID [main] Change\n"


def test_a_revert_of_lines_edited_since_is_a_conflict(desk: Desk) -> None:
    desk.write("a", "1\n2\n3\n")
    desk.commit("Base")
    desk.write("a", "1\ntwo\n3\n")
    changed = desk.commit("Change")
    desk.write("a", "1\nTWO\n3\n")
    desk.commit("Since")
    assert desk.says("revert", changed) == ('recorded ID Revert "Change"\nM a\nC a  text\n')
    assert "TWO\n" in (desk.root / "a").read_text()
    desk.says("undo")
    assert (desk.root / "a").read_text() == "1\nTWO\n3\n"
    assert desk.says() == "on main\nnothing changed\n"


def test_a_resolution_is_not_reverted(desk: Desk) -> None:
    fork(desk)
    desk.says("switch", "topic")
    desk.write("a", "uno\n2\n3\n")
    desk.commit("Another first line")
    desk.says("switch", "main")
    desk.says("merge", "topic")
    desk.write("a", "uno und one\n2\n3\n")
    done = desk.commit("Both")
    assert desk.refuses("revert", done, code=2) == (
        f"oxy: change {done[:12]} resolved a conflict in a, which no change can take back\n"
        "hint: `oxy unrecord` brings the conflict back\n"
    )


def test_edits_travel_where_a_revert_goes(desk: Desk) -> None:
    desk.write("a", "1\n")
    desk.write("b", "1\n")
    desk.commit("Base")
    desk.write("a", "2\n")
    changed = desk.commit("Change")
    desk.write("b", "2\n")
    desk.says("revert", changed)
    assert desk.says() == "on main\nM b\n"


def test_what_was_recorded_last_is_local_again(desk: Desk) -> None:
    fork(desk)
    desk.write("b", "local\n")
    files = held(desk.root)
    assert desk.says("uncommit") == "uncommitted ID First line\n"
    assert held(desk.root) == files
    assert desk.says() == "on main\nM a\nM b\n"
    assert desk.says("log", "--oneline") == "ID [main] Base\n"
    assert desk.says("undo").startswith("undone: uncommit ")
    assert held(desk.root) == files
    assert desk.says() == "on main\nM b\n"


def test_of_several_newest_changes_one_has_to_be_named(desk: Desk) -> None:
    fork(desk)
    desk.says("merge", "topic")
    assert desk.run("uncommit") == 2
    assert desk.err.startswith("oxy: 'main' is no single change; its newest: ")
    assert desk.says("uncommit", "topic") == "uncommitted ID Another file\n"
    assert desk.says() == "on main\nD b\nA d/new\n"
    assert desk.says("log", "--oneline").count("\n") == 3
    desk.says("op", "restore", "0")
    assert desk.refuses("uncommit", code=2) == (
        "oxy: nothing is recorded in the state that the working copy is on\n"
    )


def test_it_is_told_what_a_change_depends_on_and_why(desk: Desk) -> None:
    desk.write("d/a", "1\n2\n3\n4\n")
    base = desk.commit("Base")
    desk.write("d/a", "1\n2\nthree\n4\n")
    desk.commit("Three")
    desk.write("d/a", "1\nTHREE\n4\nend\n")
    (desk.root / "d/a").chmod(0o755)
    last = desk.commit("Last")
    assert desk.says("deps", base) == "it depends on nothing\n"
    assert desk.says("deps") == (
        "ID Three\n"
        "    d/a:3 deletes: three\n"
        "ID Base\n"
        "    d/a:2 deletes: 2\n"
        "    d/a:4 adds lines after: 4\n"
    )
    assert desk.says("deps", base, "--dependents", where="d") == (
        "ID Three\n"
        "    a:3 deletes: 3\n"
        "ID Last\n"
        "    a:2 deletes: 2\n"
        "    a:4 adds lines after: 4\n"
    )
    assert desk.says("deps", last, "--dependents") == "nothing depends on it\n"
    assert desk.says("deps", base, "--dependents", "--at", base) == "nothing depends on it\n"
    desk.says("deps", last, "--json")
    assert json.loads(desk.out.splitlines()[0])["reasons"] == [
        {"path": "d/a", "what": "deletes", "line": 3, "lines": 1, "text": "three"}
    ]


def test_what_was_united_reverted_and_put_aside_is_sound(desk: Desk) -> None:
    first, _ = fork(desk)
    desk.says("merge", "topic")
    desk.says("revert", first)
    desk.says("unrecord", first, "--with-dependents")
    desk.says("pick", first)
    desk.write("a", "local\n")
    desk.says("shelve", "mine")
    desk.says("bisect", "start", "main")
    assert desk.says("fsck") == "nothing is wrong\n"
    names = desk.says("op", "log", "-n", "1"), desk.says("shelve", "--list")
    assert desk.run("fsck", "--rebuild") == 0
    assert (desk.says("op", "log", "-n", "1"), desk.says("shelve", "--list")) == names
    desk.says("bisect", "reset")
    desk.says("unshelve", "mine")
    assert desk.says() == "on main\nM a\n"


def test_a_dry_run_names_the_files_that_are_in_the_way(desk: Desk) -> None:
    desk.write("a", "1\n2\n3\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("a", "1\ntwo\n3\n")
    change = desk.commit("Two")
    desk.says("switch", "main")
    desk.write("a", "1\nzwei\n3\n")
    for command in (("merge", "topic"), ("pick", change)):
        assert desk.says(*command, "--dry-run").endswith("M a\n")
        assert desk.err == "warning: edited or untracked files are in the way: a\n"
        assert desk.record(*command, "--dry-run")["in_the_way"] == [{"path": "a"}]
        assert "would be overwritten: a" in desk.refuses(*command, code=2)
    desk.write("a", "1\n2\n3\n")
    desk.says("merge", "topic")
    desk.write("a", "1\nzwei\n3\n")
    assert desk.says("revert", change, "--dry-run").endswith("M a\n")
    assert desk.err == "warning: edited or untracked files are in the way: a\n"
    assert desk.says("unrecord", change, "--dry-run").endswith("M a\n")
    assert desk.err == "warning: edited or untracked files are in the way: a\n"
