"""Sharing between repositories, through the real command line, compared to the letter."""

import json
from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, ID, Desk
from tests.builders.tree import held

GRACE = "Grace Hopper <grace@example.org>"


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    for name in ("ada", "grace"):
        desk.says("init", name)
    return desk


def commit(desk: Desk, where: str, files: dict[str, str], message: str) -> str:
    for name, text in files.items():
        desk.write(f"{where}/{name}", text)
    desk.says("commit", "-m", message, "--json", where=where)
    return str(json.loads(desk.out)["id"])


def shared(desk: Desk) -> str:
    """Let both have one file; return the id of its change."""
    first = commit(desk, "ada", {"f": "a\nb\nc\n"}, "Begin")
    desk.says("pull", "../ada", where="grace")
    return first


def files(desk: Desk, where: str) -> dict[str, bytes]:
    return {name: file.data for name, file in held(desk.root / where).items()}


def told(desk: Desk, *words: str, where: str = "grace") -> str:
    return desk.says(*words, where=where).replace(str(desk.root), "ROOT")


def refused(desk: Desk, *words: str, code: int) -> str:
    found = desk.refuses("-C", "grace", *words, code=code)
    return ID.sub("ID", found)


def test_a_first_pull_goes_to_what_it_brings(desk: Desk) -> None:
    commit(desk, "ada", {"f": "1\n", "d/g": "2\n"}, "Begin\n\nWith more words")
    before = files(desk, "grace")
    assert told(desk, "pull", "../ada", "--dry-run") == (
        "1 change would come by Ada Lovelace\n"
        "  ID Begin\n"
        "would start main: 1 change by Ada Lovelace\n"
        "A d/g\n"
        "A f\n"
    )
    assert files(desk, "grace") == before
    assert told(desk, "log") == ""
    assert told(desk, "pull", "../ada") == (
        "1 change came by Ada Lovelace\n"
        "  ID Begin\n"
        "started main: 1 change by Ada Lovelace\n"
        "A d/g\n"
        "A f\n"
    )
    assert files(desk, "grace") == files(desk, "ada")
    assert told(desk) == "on main\nnothing changed\n"
    assert told(desk, "pull", "../ada") == "nothing new\n"
    operations = [json.loads(line) for line in told(desk, "op", "log", "--json").splitlines()]
    assert [each["command"] for each in operations] == ["pull ../ada", "init"]


def test_a_first_pull_goes_to_the_only_bookmark_that_there_is(desk: Desk) -> None:
    commit(desk, "ada", {"f": "1\n"}, "Begin")
    desk.says("bookmark", "-m", "main", "trunk", where="ada")
    told(desk, "pull", "../ada")
    assert told(desk) == "on trunk\nnothing changed\n"
    assert told(desk, "bookmark") == "* trunk ID  1 change   Begin (ROOT/ada: the same)\n"
    assert files(desk, "grace") == {"f": b"1\n"}


def test_what_both_changed_meets_and_conflicts_are_told(desk: Desk) -> None:
    shared(desk)
    commit(desk, "grace", {"f": "a\nB\nc\n"}, "Mine")
    commit(desk, "ada", {"f": "a\nX\nc\n", "new": "n\n"}, "Hers")
    assert told(desk, "pull", "../ada") == (
        "1 change came by Ada Lovelace\n"
        "  ID Hers\n"
        "merged into main: 1 change by Ada Lovelace\n"
        "M f\n"
        "A new\n"
        "C f  text\n"
    )
    told(desk, "pull", "../grace", where="ada")
    assert files(desk, "ada") == files(desk, "grace")
    assert told(desk, "log", "--oneline", "main@" + str(desk.root / "ada")) == (
        "ID Hers\nID Begin\n"
    )


def test_undo_takes_a_pull_back_and_it_can_be_done_again(desk: Desk) -> None:
    shared(desk)
    commit(desk, "ada", {"f": "a\nX\nc\n"}, "Hers")
    told(desk, "pull", "../ada")
    assert told(desk, "undo") == "undone: pull ../ada\n"
    assert files(desk, "grace") == {"f": b"a\nb\nc\n"}
    assert told(desk, "pull", "../ada") == ("merged into main: 1 change by Ada Lovelace\nM f\n")


def test_what_was_taken_back_there_goes_unless_ours_depends_on_it(desk: Desk) -> None:
    shared(desk)
    goes = commit(desk, "ada", {"gone": "1\n"}, "Goes")
    stays = commit(desk, "ada", {"kept": "1\n"}, "Stays")
    told(desk, "pull", "../ada")
    commit(desk, "grace", {"kept": "2\n"}, "On top")
    for change in (stays, goes):
        desk.says("unrecord", change, where="ada")
    assert told(desk, "pull", "../ada") == (
        "  ID was taken back there, and is gone here too\n"
        "  ID was taken back there; it stays, for yours depend on it\n"
        "merged into main: 1 change by Ada Lovelace\n"
        "D gone\n"
    )
    assert files(desk, "grace") == {"f": b"a\nb\nc\n", "kept": b"2\n"}
    assert told(desk, "pull", "../ada") == "nothing new\n"


def test_what_stands_in_for_what_was_there_is_told(desk: Desk) -> None:
    shared(desk)
    commit(desk, "ada", {"g": "1\n"}, "Tpyo")
    told(desk, "pull", "../ada")
    told(desk, "reword", "@", "-m", "Typo", where="ada")
    assert told(desk, "pull", "../ada") == (
        "1 change came by Ada Lovelace\n"
        "  ID Typo\n"
        "  ID stands in for ID\n"
        "  ID was taken back there, and is gone here too\n"
        "merged into main: 1 change by Ada Lovelace\n"
        "M g\n"
    )
    assert told(desk, "log", "--oneline") == "ID [main] Typo\nID Begin\n"
    assert files(desk, "grace") == files(desk, "ada")


def test_what_was_taken_back_is_known_to_the_first_pull_that_merges(desk: Desk) -> None:
    shared(desk)
    desk.says("switch", "-c", "topic", where="ada")
    commit(desk, "ada", {"more": "1\n"}, "More")
    told(desk, "pull", "../ada", "topic")
    assert told(desk, "bookmark") == (
        "* main  ID  1 change   Begin (ROOT/ada: the same)\n"
        "  topic ID  2 changes  More (ROOT/ada: the same)\n"
    )
    desk.says("unrecord", "@", where="ada")
    told(desk, "pull", "../ada")
    assert told(desk, "log", "--oneline", "topic") == "ID [topic] More\nID [main] Begin\n"
    assert told(desk, "pull", "../ada", "topic") == (
        "topic: 0 changes came\n  ID was taken back there, and is gone here too\n"
    )
    assert told(desk, "log", "--oneline", "topic") == "ID [main, topic] Begin\n"


def test_a_file_in_the_way_stops_the_files_and_nothing_is_lost(desk: Desk) -> None:
    shared(desk)
    commit(desk, "ada", {"new": "hers\n"}, "New")
    desk.write("grace/new", "mine\n")
    assert refused(desk, "pull", "../ada", code=2).startswith(
        "oxy: edited or untracked files would be overwritten: new\n"
    )
    assert files(desk, "grace")["new"] == b"mine\n"
    assert told(desk, "log", "--oneline") == "ID [main] Begin\n"
    (desk.root / "grace/new").unlink()
    assert told(desk, "pull", "../ada") == (
        "merged into main: 1 change by Ada Lovelace\nA new\n"
    )


def test_bookmarks_and_tags_come_and_go(desk: Desk) -> None:
    shared(desk)
    desk.says("tag", "v1", where="ada")
    desk.says("tag", "v2", where="ada")
    commit(desk, "grace", {"g": "1\n"}, "Own")
    desk.says("tag", "v2", where="grace")
    desk.says("bookmark", "side", where="ada")
    assert desk.run("pull", "../ada", where="grace") == 0
    assert desk.out == f"tag v1\nbookmark side@{desk.root}/ada\n"
    assert desk.err == "warning: tag v2 is another there; yours stays\n"
    record = desk.record("-C", "grace", "pull", "../ada")
    assert (record["tags"], record["other_tags"]) == ([], [{"name": "v2"}])
    assert told(desk, "log", "--oneline", f"side@{desk.root}/ada") == "ID [v1] Begin\n"
    desk.says("bookmark", "-d", "side", where="ada")
    told(desk, "pull", "../ada")
    assert "no bookmark, tag or change" in refused(desk, "log", f"side@{desk.root}/ada", code=2)


def test_pull_tells_programs_what_came(desk: Desk) -> None:
    shared(desk)
    change = commit(desk, "ada", {"f": "a\nX\nc\n"}, "Hers")
    record = desk.record("-C", "grace", "pull", "../ada")
    assert record == {
        "remote": str(desk.root / "ada"),
        "done": True,
        "came": 1,
        "authors": [{"author": AUTHOR, "changes": 1}],
        "newest": [{"id": change, "author": AUTHOR, "message": "Hers"}],
        "replaced": [],
        "names": [{"name": "main"}],
        "tags": [],
        "other_tags": [],
        "bookmarks": [{"name": "main", "created": False, "came": 1, "gone": [], "stays": []}],
        "bookmark": "main",
        "files": [{"path": "f", "kind": "modified"}],
        "conflicts": [],
        "written": 1,
        "removed": 0,
    }


def test_what_cannot_be_pulled_is_refused(desk: Desk) -> None:
    commit(desk, "ada", {"f": "1\n"}, "Begin")
    assert refused(desk, "pull", "../ada", "mian", code=2) == (
        "oxy: ROOT/ada has no bookmark 'mian'\nhint: did you mean main?\n"
    )
    assert refused(desk, "pull", ".", code=2) == "oxy: ROOT/grace is this repository itself\n"
    assert "no repository" in refused(desk, "pull", "../nowhere", code=3)
    (desk.root / "ada/sub").mkdir()
    assert "no repository" in refused(desk, "pull", "../ada/sub", code=3)


def test_a_bundle_carries_what_is_new(desk: Desk) -> None:
    first = shared(desk)
    commit(desk, "ada", {"f": "a\nX\nc\n", "big": "line\n" * 3000}, "Hers")
    assert desk.says("bundle", "create", "../week", "--since", first[:12], where="ada") == (
        f"../week: {(desk.root / 'week').stat().st_size} bytes\n"
    )
    assert desk.says("bundle", "inspect", "week") == (
        "main at ID\n1 change, 1 large contents\nneeds ID\n"
    )
    assert told(desk, "bundle", "verify", "../week") == (
        "main at ID\n1 change, 1 large contents\nneeds ID\n"
        "nothing is wrong; 1 change would come\n"
    )
    assert told(desk, "log", "--oneline") == "ID [main] Begin\n"
    assert told(desk, "bundle", "apply", "../week") == (
        "1 change came by Ada Lovelace\n  ID Hers\nbookmark main@bundle\n"
    )
    assert told(desk, "log", "--oneline", "main@bundle") == "ID Hers\nID [main] Begin\n"
    assert told(desk, "bundle", "apply", "../week", "--bookmark", "main") == (
        "merged into main: 1 change by Ada Lovelace\nA big\nM f\n"
    )
    assert files(desk, "grace") == files(desk, "ada")
    assert sorted(path.name for path in desk.root.iterdir()) == ["ada", "grace", "week"]


def test_an_older_bundle_takes_nothing_back(desk: Desk) -> None:
    shared(desk)
    desk.says("bundle", "create", "../old", where="ada")
    commit(desk, "ada", {"g": "1\n"}, "More")
    desk.says("bundle", "create", "../new", where="ada")
    for name in ("new", "old"):
        told(desk, "bundle", "apply", f"../{name}", "--bookmark", "main")
    assert files(desk, "grace") == files(desk, "ada")


def test_what_a_bundle_builds_on_must_be_there(desk: Desk) -> None:
    first = commit(desk, "ada", {"f": "1\n"}, "Begin")
    commit(desk, "ada", {"f": "2\n"}, "More")
    desk.says("bundle", "create", "../week", "--since", first[:12], where="ada")
    for words in (("bundle", "apply", "../week"), ("bundle", "verify", "../week")):
        assert desk.refuses("-C", "grace", *words, code=3) == (
            f"oxy: the bundle needs change {first}: not here\n"
            "hint: apply a bundle that has it first, or pull\n"
        )
    desk.says("bundle", "create", "../all", where="ada")
    assert refused(desk, "bundle", "apply", "../all", "--bookmark", "x", code=2) == (
        "oxy: the bundle has no bookmark 'x'\n"
    )


@pytest.mark.parametrize("verb", ["apply", "verify", "inspect"])
def test_a_torn_bundle_is_refused_and_nothing_is_kept(desk: Desk, verb: str) -> None:
    commit(desk, "ada", {"f": "1\n"}, "Begin")
    desk.says("bundle", "create", "../whole", where="ada")
    data = (desk.root / "whole").read_bytes()
    segment = desk.root / "grace/.oxy/segments/000001.oxs"
    before = segment.read_bytes()
    (desk.root / "torn").write_bytes(data[:-1])
    assert "it is cut short" in refused(desk, "bundle", verb, "../torn", code=4)
    (desk.root / "torn").write_bytes(data + b"\0")
    assert "there is more behind its end" in refused(desk, "bundle", verb, "../torn", code=4)
    (desk.root / "torn").write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
    assert "is refused" in refused(desk, "bundle", verb, "../torn", code=4)
    assert segment.read_bytes() == before


def test_a_state_without_a_name_is_not_bundled(desk: Desk) -> None:
    first = commit(desk, "ada", {"f": "1\n"}, "Begin")
    assert desk.refuses("-C", "ada", "bundle", "create", "x", first[:12], code=2) == (
        f"oxy: '{first[:12]}' is no bookmark or tag: a bundle tells what it completes\n"
    )
    assert not (desk.root / "x").exists()


def test_a_clone_is_on_what_the_other_is_on_and_pulls_from_it(desk: Desk) -> None:
    first = commit(desk, "ada", {"f": "1\n"}, "Begin")
    desk.says("switch", "-c", "topic", where="ada")
    commit(desk, "ada", {"f": "2\n", "d/g": "x\n"}, "More")
    root = desk.root / "hopper"
    assert desk.says("clone", "ada", "hopper") == (
        f"made a repository in {root}: 2 changes, on topic\n"
    )
    assert files(desk, "hopper") == files(desk, "ada")
    own = told(desk, "bookmark", where="hopper")
    assert own == "* topic ID  2 changes  More (origin: the same)\n"
    assert told(desk, "remote", "list", where="hopper") == "origin ROOT/ada\n"
    assert told(desk, "bookmark", "-a", where="hopper") == (
        "* topic        ID  2 changes  More (origin: the same)\n"
        "  main@origin  ID  1 change   Begin\n"
        "  topic@origin ID  2 changes  More\n"
    )
    assert told(desk, "log", "--oneline", "main@origin", where="hopper") == "ID Begin\n"
    assert told(desk, "pull", where="hopper") == "nothing new\n"
    assert told(desk, "pull", "origin", "main", where="hopper") == "main (new): 1 change came\n"
    desk.says("clone", "ada", "other", "--bookmark", "main")
    assert files(desk, "other") == {"f": b"1\n"}
    assert json.loads(desk.says("--json", "clone", "ada", "third"))["came"] == 2
    assert first in desk.says("log", "--json", "main@origin", where="other") or desk.out


def test_a_clone_that_fails_leaves_nothing(desk: Desk) -> None:
    commit(desk, "ada", {"f": "1\n"}, "Begin")
    desk.write("full/file", "x\n")
    assert "full is not empty" in desk.refuses("clone", "ada", "full", code=2)
    assert "no bookmark 'x'" in desk.refuses("clone", "ada", "c", "--bookmark", "x", code=2)
    assert "no repository" in desk.refuses("clone", "full", "c", code=3)
    damage(desk, "ada")
    assert desk.run("clone", "ada", "c") == 4
    (desk.root / "empty").mkdir()
    assert desk.run("clone", "ada", "empty") == 4
    assert not (desk.root / "c").exists()
    assert list((desk.root / "empty").iterdir()) == []


def damage(desk: Desk, where: str) -> None:
    segment = desk.root / where / ".oxy/segments/000001.oxs"
    data = bytearray(segment.read_bytes())
    at = data.index(b"\xf5OXF", data.index(b"\xf5OXF") + 4) + 60
    data[at] ^= 1
    segment.write_bytes(data)


def test_a_push_moves_only_what_was_seen(desk: Desk) -> None:
    shared(desk)
    commit(desk, "grace", {"g": "1\n"}, "Mine")
    assert told(desk, "push", "../ada") == "pushed main: 1 change\n"
    assert told(desk, "push", "../ada") == "nothing to push: all of it is there\n"
    assert told(desk, "switch", "main", where="ada") == "on main at ID: 1 written, 0 removed\n"
    commit(desk, "ada", {"h": "1\n"}, "Hers")
    commit(desk, "grace", {"g": "2\n"}, "Mine again")
    assert refused(desk, "push", "../ada", code=3) == (
        "oxy: 'main' of ROOT/ada has changes that were not seen here; it was not moved\n"
        "hint: pull first, and push then\n"
    )
    assert told(desk, "log", "--oneline", where="ada") == (
        "ID [main] Hers\nID Mine\nID Begin\n"
    )
    told(desk, "pull", "../ada")
    assert told(desk, "push", "../ada") == "pushed main: 1 change\n"
    told(desk, "switch", "main", where="ada")
    assert files(desk, "ada") == files(desk, "grace")


def test_a_push_to_where_somebody_works_is_told_and_edits_go_along(desk: Desk) -> None:
    shared(desk)
    commit(desk, "grace", {"g": "1\n"}, "Mine")
    desk.write("ada/f", "a\nb\nc\nmore\n")
    told(desk, "push", "../ada")
    assert told(desk, "status", where="ada") == (
        "on main\nmain has moved on: `oxy switch main` goes there, edits and all\nM f\n"
    )
    desk.says("status", "--json", where="ada")
    assert json.loads(desk.out)["moved"] is True
    assert desk.run("commit", "-m", "x", where="ada") == 3
    assert ID.sub("ID", desk.err) == (
        "oxy: main has moved meanwhile\nhint: go there with `oxy switch`, and record then\n"
    )
    told(desk, "switch", "main", where="ada")
    assert told(desk, "status", where="ada") == "on main\nM f\n"
    desk.says("status", "--json", where="ada")
    assert "moved" not in json.loads(desk.out)
    told(desk, "commit", "-m", "Hers", where="ada")


def test_what_is_taken_back_here_is_taken_back_there_if_it_was_seen(desk: Desk) -> None:
    shared(desk)
    change = commit(desk, "grace", {"g": "1\n"}, "Mine")
    told(desk, "push", "../ada")
    told(desk, "unrecord", change[:12])
    assert told(desk, "push", "../ada") == "pushed main: 1 change taken back\n"
    assert told(desk, "log", "--oneline", "main", where="ada") == "ID [main] Begin\n"


def test_new_bookmarks_are_pushed_by_name(desk: Desk) -> None:
    shared(desk)
    told(desk, "switch", "-c", "topic")
    commit(desk, "grace", {"g": "1\n"}, "Topic")
    told(desk, "remote", "add", "ada", "../ada")
    record = desk.record("-C", "grace", "push", "ada", "topic", "main")
    assert record == {
        "remote": "ada",
        "done": True,
        "came": 1,
        "bookmarks": [{"name": "topic", "created": True, "came": 2, "went": 0}],
        "tags": [],
        "deleted": [],
    }
    assert told(desk, "log", "--oneline", "topic@ada") == "ID [topic] Topic\nID [main] Begin\n"
    assert "there is no bookmark 'x'" in refused(desk, "push", "ada", "x", code=2)
    told(desk, "switch", "main")
    told(desk, "switch", "--", str(json.loads(desk.says("log", "--json", where="grace"))["id"]))
    assert "the working copy is on no bookmark" in refused(desk, "push", code=2)


def test_remotes_have_names(desk: Desk) -> None:
    shared(desk)
    assert refused(desk, "pull", code=2) == (
        "oxy: which repository? there is no remote, or more than one\n"
        "hint: name where it is, or add one with `oxy remote add`\n"
    )
    told(desk, "remote", "add", "her", "../ada")
    assert told(desk, "remote", "list") == "her ROOT/ada\n"
    assert "already" in refused(desk, "remote", "add", "her", "../x", code=2)
    assert "no name" in refused(desk, "remote", "add", "../x", "../x", code=2)
    commit(desk, "ada", {"f": "a\nX\nc\n"}, "Hers")
    told(desk, "pull", "../ada")
    assert told(desk, "log", "--oneline", "-n", "1", "main@her") == "ID [main] Hers\n"
    assert refused(desk, "remote", "remove", "hre", code=2) == (
        "oxy: no remote is called 'hre'\nhint: did you mean her?\n"
    )
    told(desk, "remote", "remove", "her")
    assert told(desk, "remote", "list") == ""
    assert "no bookmark, tag" in refused(desk, "log", "main@her", code=2)
    told(desk, "undo")
    assert desk.record("-C", "grace", "remote", "list") == {
        "name": "her",
        "address": f"{desk.root}/ada",
    }


def test_whoever_pushes_second_is_told_and_loses_nothing(desk: Desk) -> None:
    shared(desk)
    desk.says("clone", "ada", "hopper")
    commit(desk, "grace", {"g": "1\n"}, "One")
    commit(desk, "hopper", {"h": "1\n"}, "Two")
    told(desk, "push", "../ada")
    assert desk.run("-C", "hopper", "push") == 3
    told(desk, "pull", where="hopper")
    assert told(desk, "push", where="hopper") == "pushed main: 1 change\n"
    assert told(desk, "log", "--oneline", "main", where="ada").count("\n") == 3


def test_a_dry_run_of_a_pull_names_the_files_that_are_in_the_way(desk: Desk) -> None:
    shared(desk)
    commit(desk, "ada", {"f": "theirs\n"}, "More")
    desk.write("grace/f", "local\n")
    assert told(desk, "pull", "../ada", "--dry-run").endswith("M f\n")
    assert desk.err.endswith("warning: edited or untracked files are in the way: f\n")
    assert "would be overwritten: f" in refused(desk, "pull", "../ada", code=2)
