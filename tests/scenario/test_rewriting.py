"""Changes rewritten under what follows them, through the real command line, to the letter."""

import json
import sys
from pathlib import Path

import pytest

from tests.builders.desk import Desk, Terminal
from tests.builders.tree import held


def poem(desk: Desk) -> list[str]:
    """Record a poem, an edit of its second line, another file, an edit of its last line."""
    desk.write("poem", "1\n2\n3\n4\n5\n")
    ids = [desk.commit("Poem")]
    desk.write("poem", "1\ntwo\n3\n4\n5\n")
    ids.append(desk.commit("Second line"))
    desk.write("notes", "a\n")
    ids.append(desk.commit("Notes"))
    desk.write("poem", "1\ntwo\n3\n4\nfive\n")
    ids.append(desk.commit("Last line"))
    return ids


def log(desk: Desk) -> list[str]:
    """Return the first lines of the messages, newest first."""
    return [
        line.split(" ", 1)[1].removeprefix("[main] ")
        for line in desk.says("log", "--oneline").splitlines()
    ]


def logged(desk: Desk) -> dict[str, str]:
    """Return the id of each change by its message."""
    desk.run("log", "--json")
    records = map(json.loads, desk.out.splitlines())
    return {record["message"]: record["id"] for record in records}


def test_a_message_is_said_better_and_all_that_follows_comes_along(desk: Desk) -> None:
    ids = poem(desk)
    desk.says("tag", "v1")
    desk.write("poem", "0\n1\ntwo\n3\n4\nfive\n")
    before = held(desk.root)
    tried = desk.says("reword", ids[1], "-m", "The second line", "--dry-run")
    told = "ID -> ID The second line\n2 more followed\nthe old changes stay in v1\n"
    assert tried == f"nothing is done yet; this would be:\n{told}"
    assert log(desk) == ["[main, v1] Last line", "Notes", "Second line", "Poem"]
    assert desk.says("reword", ids[1], "-m", "The second line") == told
    assert log(desk) == ["Last line", "Notes", "The second line", "Poem"]
    assert held(desk.root) == before
    assert desk.says() == "on main\nM poem\n"
    assert logged(desk)["Poem"] == ids[0]
    assert desk.says("cat", "poem") == "1\ntwo\n3\n4\nfive\n"
    assert desk.says("undo") == "undone: reword ID\n"
    assert log(desk) == ["[main, v1] Last line", "Notes", "Second line", "Poem"]
    assert held(desk.root) == before
    assert desk.says("fsck") == "nothing is wrong\n"


def test_log_and_show_tell_what_stands_in_for_what(desk: Desk) -> None:
    first = poem(desk)[0]
    desk.says("reword", first, "-m", "A poem")
    second = logged(desk)["A poem"]
    desk.says("reword", second, "-m", "The poem")
    third = logged(desk)["The poem"]
    replaces = sorted([first, second])
    assert desk.record("show", third)["replaces"] == replaces
    assert desk.record("show", first)["replaced_by"] == [third]
    both = ", ".join(name[:12] for name in replaces)
    desk.says("show", third)
    assert f"\nreplaces: {both}\n" in desk.out
    desk.says("show", second)
    assert f"\nreplaced by: {third[:12]}\n" in desk.out
    assert "replaced" not in desk.says("log")


def test_the_editor_shows_the_message_as_it_is(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = poem(desk)[0]
    monkeypatch.setenv("OXY_EDITOR", "sed -i -e s/Poem/Verse/")
    assert desk.says("reword", first) == "ID -> ID Verse\n3 more followed\n"
    monkeypatch.setenv("OXY_EDITOR", "true")
    assert desk.run("reword", logged(desk)["Verse"]) == 1
    assert desk.out == "nothing to rewrite\n"


def test_what_changed_goes_into_the_newest_change(desk: Desk) -> None:
    poem(desk)
    desk.write("poem", "1\ntwo\n3\n4\nFIVE\n")
    desk.write("more", "new\n")
    desk.write("notes", "local\n")
    assert desk.says("amend", "poem", "more") == "ID -> ID Last line\n"
    assert desk.says() == "on main\nM notes\n"
    assert desk.says("cat", "poem") == "1\ntwo\n3\n4\nFIVE\n"
    newest = logged(desk)["Last line"]
    shown = desk.says("blame", "poem").splitlines()[-1]
    assert shown.endswith("FIVE")
    desk.run("blame", "poem")
    assert desk.out.splitlines()[-1].startswith(newest[:12])
    desk.says("undo")
    assert desk.says() == "on main\nA more\nM notes\nM poem\n"


def test_what_changed_goes_into_an_old_change_beneath_others(desk: Desk) -> None:
    ids = poem(desk)
    desk.write("poem", "ONE\ntwo\n3\n4\nfive\n")
    assert desk.says("amend", ids[0]) == "ID -> ID Poem\n3 more followed\n"
    assert desk.says() == "on main\nnothing changed\n"
    now = logged(desk)
    assert desk.says("cat", "poem", "--at", now["Poem"]) == "ONE\n2\n3\n4\n5\n"
    assert desk.says("cat", "poem", "--at", now["Second line"]) == "ONE\ntwo\n3\n4\n5\n"
    desk.run("blame", "poem")
    blamed = [line[:12] for line in desk.out.splitlines()]
    wanted = ["Poem", "Second line", "Poem", "Poem", "Last line"]
    assert blamed == [now[message][:12] for message in wanted]
    assert desk.says("fsck") == "nothing is wrong\n"


def test_what_hangs_on_later_changes_is_not_taken_into_an_earlier_one(desk: Desk) -> None:
    ids = poem(desk)
    desk.write("poem", "1\ntwo\n3\n4\nFIVE\n")
    assert desk.refuses("amend", ids[1], code=2) == (
        f"oxy: what changed cannot go into {ids[1][:12]}: it touches lines of {ids[3][:12]}\n"
        "hint: `oxy absorb` takes each edit where its lines are from\n"
    )
    assert log(desk) == ["Last line", "Notes", "Second line", "Poem"]
    assert desk.says() == "on main\nM poem\n"


def test_each_edit_goes_where_its_lines_are_from(desk: Desk) -> None:
    ids = poem(desk)
    desk.write("poem", "1\nTWO\nnew\n3\nfour\nFIVE\n")
    desk.write("notes", "a\nb\n")
    desk.write("more", "new\n")
    tried = desk.says("absorb", "--dry-run")
    assert tried == (
        "notes:2 -> ID Notes\n"
        "poem:2 -> ID Second line\n"
        "poem:5 -> ID Last line\n"
        "more stays: it is not only lines that changed\n"
        "nothing is done yet; this would be:\n"
        "ID -> ID Second line\n"
        "ID -> ID Notes\n"
        "ID -> ID Last line\n"
    )
    assert logged(desk)["Last line"] == ids[3]
    assert desk.run("absorb") == 0
    assert desk.says() == "on main\nA more\n"
    now = logged(desk)
    assert now["Poem"] == ids[0]
    assert desk.says("cat", "poem", "--at", now["Second line"]) == "1\nTWO\nnew\n3\n4\n5\n"
    assert desk.says("cat", "poem") == "1\nTWO\nnew\n3\nfour\nFIVE\n"
    desk.says("undo")
    assert desk.says() == "on main\nA more\nM notes\nM poem\n"


def test_an_edit_that_fits_no_single_change_stays(desk: Desk) -> None:
    poem(desk)
    desk.write("poem", "1\nbetween\ntwo\n3\n4\n5 and more\n")
    assert desk.says("absorb") == (
        "poem:2 stays: its lines are new between those of different changes\n"
        "poem:6 -> ID Last line\n"
        "ID -> ID Last line\n"
    )
    assert desk.says() == "on main\nM poem\n"
    assert desk.says("cat", "poem") == "1\ntwo\n3\n4\n5 and more\n"
    assert desk.run("absorb") == 1
    assert desk.out.endswith("nothing to rewrite\n")
    assert desk.run("absorb", "--json") == 1
    assert json.loads(desk.out)["rewritten"] == []


def test_several_changes_become_one(desk: Desk) -> None:
    ids = poem(desk)
    before = held(desk.root)
    assert desk.says("fold", ids[3], ids[1]) == "ID, ID -> ID Second line\n1 more followed\n"
    assert log(desk) == ["Notes", "Second line", "Poem"]
    assert "Second line\n\nLast line" in logged(desk)
    assert held(desk.root) == before
    assert desk.says() == "on main\nnothing changed\n"
    desk.says("undo")
    assert (
        desk.says("fold", ids[1], "--into", ids[3])
        == "ID, ID -> ID Last line\n1 more followed\n"
    )
    assert log(desk) == ["Last line", "Notes", "Poem"]
    assert desk.refuses("fold", ids[0], code=2).startswith("oxy: ")


def test_lines_that_come_and_go_inside_are_in_the_fold_no_more(desk: Desk) -> None:
    desk.write("f", "a\n")
    desk.commit("Base")
    desk.write("f", "a\nsecret\nb\n")
    first = desk.commit("Too much")
    desk.write("f", "a\nb\n")
    second = desk.commit("Less")
    desk.write("f", "a\nb\nc\n")
    desk.commit("After")
    desk.says("fold", first, second, "-m", "Right")
    assert log(desk) == ["After", "Right", "Base"]
    right = logged(desk)["Right"]
    assert "secret" not in desk.says("show", right)
    assert desk.says("cat", "f") == "a\nb\nc\n"
    assert desk.says("fsck") == "nothing is wrong\n"


def test_a_change_becomes_two_by_the_files_that_it_touches(desk: Desk) -> None:
    desk.write("a", "1\n")
    desk.write("d/b", "2\n")
    first = desk.commit("Both")
    desk.write("d/b", "2\n3\n")
    desk.commit("More")
    assert desk.says("split", first, "d", "-m", "Only d") == (
        "ID -> ID Only d\nID -> ID Both\n1 more followed\n"
    )
    assert log(desk) == ["More", "Both", "Only d"]
    assert desk.says("files", logged(desk)["Only d"]) == "d/b\n"
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.refuses("split", logged(desk)["More"], "a", code=2) == (
        "oxy: that is nothing that the change did: there is nothing to split off\n"
    )


def test_a_change_becomes_two_by_hunks(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(f"{number}\n" for number in range(1, 21))
    desk.write("f", lines)
    desk.commit("First")
    desk.write("f", lines.replace("2\n", "two\n", 1).replace("16\n", "sixteen\n"))
    desk.write("new", "n\n")
    change = desk.commit("Second")
    listed = "1 f @@ -1,5 +1,5 @@ +1 -1\n2 f @@ -13,7 +13,7 @@ +1 -1\n3 added new\n"
    assert desk.says("hunks", "--of", change) == listed
    assert desk.says("hunks", "--of", change, "new") == "1 added new\n"
    told = "ID -> ID Sixteen\nID -> ID Second\n"
    assert desk.says("split", change, "--hunk", "2", "-m", "Sixteen") == told
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("hunks", "--of", logged(desk)["Sixteen"]) == (
        "1 f @@ -13,7 +13,7 @@ +1 -1\n"
    )
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Terminal("n\ny\n"))
        desk.run("split", logged(desk)["Second"], "-i", "-m", "New")
    assert desk.out.startswith("diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n")
    assert "take hunk 1 of f [y,n,a,d,q,?]? diff --git a/new b/new\n" in desk.out
    assert log(desk) == ["Second", "New", "Sixteen", "First"]
    assert desk.says("fsck") == "nothing is wrong\n"
    last = logged(desk)["Second"]
    assert desk.refuses("split", last, code=2) == (
        "oxy: name paths, or choose hunks with -i or --hunk\n"
    )
    assert desk.refuses("split", last, "--hunk", "2", code=2) == (
        "oxy: there is no hunk 2: there are 1\n"
        "hint: `oxy hunks` with the same paths lists them\n"
    )


def test_a_change_moves_past_others_that_it_has_nothing_to_do_with(desk: Desk) -> None:
    ids = poem(desk)
    assert desk.says("reorder", ids[3], "--before", ids[1]) == (
        "ID -> ID Last line\nID -> ID Second line\n1 more followed\n"
    )
    assert log(desk) == ["Notes", "Second line", "Last line", "Poem"]
    assert desk.says() == "on main\nnothing changed\n"
    now = logged(desk)
    desk.says("reorder", now["Last line"], "--after", now["Notes"])
    assert log(desk) == ["Last line", "Notes", "Second line", "Poem"]
    now = logged(desk)
    assert desk.run("reorder", now["Last line"], "--after", now["Notes"]) == 1
    assert desk.refuses("reorder", now["Second line"], "--before", now["Poem"], code=2) == (
        f"oxy: change {now['Second line'][:12]} depends on {now['Poem'][:12]}\n"
    )


def test_a_bookmark_is_recorded_as_if_on_another(desk: Desk) -> None:
    desk.write("a", "1\n2\n3\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("a", "1\n2\nthree\n")
    desk.commit("Third line")
    desk.says("switch", "main")
    desk.write("a", "one\n2\n3\n")
    desk.write("b", "b\n")
    desk.commit("First line")
    assert desk.says("rebase", "topic", "--onto", "main") == "ID -> ID Third line\n"
    assert desk.says("cat", "a", "--at", "topic") == "one\n2\nthree\n"
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.run("rebase", "topic", "--onto", "main") == 1
    desk.says("undo")
    desk.says("switch", "topic")
    desk.write("local", "mine\n")
    assert desk.says("rebase", "--onto", "main") == "ID -> ID Third line\n"
    assert (desk.root / "a").read_text() == "one\n2\nthree\n"
    assert (desk.root / "b").exists()
    assert desk.says() == "on topic\nA local\n"
    desk.says("undo")
    assert (desk.root / "a").read_text() == "1\n2\nthree\n"
    assert not (desk.root / "b").exists()


def test_a_conflict_with_what_one_is_put_on_is_one_in_every_repository(
    tmp_path: Path, desk: Desk, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    desk.write("a", "1\n2\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("a", "1\ntopic\n2\n")
    topic = desk.commit("Topic")
    desk.says("switch", "main")
    desk.write("a", "1\nmain\n2\n")
    desk.commit("Main")
    desk.says("switch", "topic")
    assert desk.says("rebase", "--onto", "main") == "ID -> ID Topic\nC a  text\n"
    assert "C a  text at 2-7\n" in desk.says()
    assert desk.run("commit", "-m", "Nothing") == 1
    (tmp_path / "peer").mkdir()
    peer = Desk(tmp_path / "peer", capfdbinary)
    peer.says("init")
    peer.says("pull", str(desk.root), "topic")
    peer.says("switch", "topic")
    assert peer.says() == "on topic\nnothing changed\nin conflict:\nC a  text at 2-7\n"
    assert peer.says("cat", "a") == desk.says("cat", "a")
    desk.write("a", "1\ntopic\nmain\n2\n")
    desk.commit("Both")
    assert "conflict" not in desk.says()
    assert desk.says("fsck") == "nothing is wrong\n"
    assert topic not in logged(desk).values()


def test_what_is_there_already_is_not_put_there_again(desk: Desk) -> None:
    ids = poem(desk)
    assert desk.run("rebase", ids[1], "--onto", "main") == 1
    assert desk.out == "nothing to rewrite\n"


def test_what_needs_what_is_left_behind_is_not_rebased(desk: Desk) -> None:
    ids = poem(desk)
    desk.write("poem", "1\nTWO\n3\n4\nfive\n")
    top = desk.commit("Louder")
    assert desk.refuses("rebase", top, "--onto", ids[0], code=2) == (
        f"oxy: change {top[:12]} depends on {ids[1][:12]}\n"
    )
    assert desk.says("rebase", ids[3], "--onto", ids[1], "--dry-run") == (
        "nothing is done yet; this would be:\n"
        "ID -> ID Last line\nID -> ID Louder\nleft out: ID\n"
    )


def test_a_conflict_stays_one_and_its_markers_name_the_new_changes(desk: Desk) -> None:
    desk.write("a", "1\n2\n3\n")
    desk.write("b", "b\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("a", "1\ntopic\n3\n")
    desk.commit("Topic")
    desk.says("switch", "main")
    desk.write("a", "1\nmain\n3\n")
    desk.commit("Main")
    desk.says("merge", "topic")
    desk.write("b", "edited\n")
    assert "conflict" in desk.says()
    before = desk.says()
    topic = logged(desk)["Topic"]
    desk.says("reword", topic, "-m", "Their side")
    text = (desk.root / "a").read_text()
    assert "Their side" in text
    assert logged(desk)["Their side"][:12] in text
    assert desk.says() == before
    assert (desk.root / "b").read_text() == "edited\n"


def test_no_local_edit_is_in_the_way_of_undoing_a_rewrite(desk: Desk) -> None:
    desk.write("a", "1\n")
    change = desk.commit("Base")
    (desk.root / "a").unlink()
    desk.write("a/b", "2\n")
    before = desk.says()
    desk.says("reword", change, "-m", "First")
    desk.says("undo")
    assert desk.says() == before == "on main\nD a\nA a/b\n"


def test_a_rewrite_beside_a_conflict_is_undone_with_its_markers(desk: Desk) -> None:
    desk.write("a", "1\n2\n")
    desk.write("b", "b\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("a", "1\ntopic\n2\n")
    desk.commit("Topic")
    desk.says("switch", "main")
    desk.write("a", "1\nmain\n2\n")
    change = desk.commit("Main")
    desk.says("merge", "topic")
    before = (desk.root / "a").read_text()
    desk.write("b", "edited\n")
    desk.says("amend", change)
    assert (desk.root / "a").read_text() != before
    desk.says("undo")
    assert (desk.root / "a").read_text() == before
    assert desk.says() == "on main\nM b\nin conflict:\nC a  text at 2-7\n"


def test_files_that_claim_one_path_show_under_the_names_of_the_new_changes(desk: Desk) -> None:
    desk.write("a", "1\n2\n3\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("new", "topic\n")
    desk.commit("Topic")
    desk.says("switch", "main")
    desk.write("new", "main\n")
    desk.commit("Main")
    desk.says("merge", "topic")
    for round_ in range(4):
        for message in ("Topic", "Main"):
            change = next(
                ident for old, ident in logged(desk).items() if old.startswith(message)
            )
            desk.says("reword", change, "-m", f"{message} {round_}")
            assert desk.says().startswith("on main\nnothing changed\nin conflict:\n")
            there = {path.name for path in desk.root.iterdir()} - {".oxy"}
            assert there == set(desk.says("files").split())
            assert {desk.root.joinpath(name).read_text() for name in there} == {
                "1\n2\n3\n",
                "topic\n",
                "main\n",
            }


def test_json_of_a_rewrite_has_the_stated_form(desk: Desk) -> None:
    ids = poem(desk)
    desk.says("bookmark", "keeper")
    record = desk.record("reword", ids[2], "-m", "Some notes")
    now = logged(desk)
    assert record == {
        "bookmark": "main",
        "heads": [now["Last line"]],
        "rewritten": [
            {"id": now["Some notes"], "replaces": [ids[2]], "follows": False},
            {"id": now["Last line"], "replaces": [ids[3]], "follows": True},
        ],
        "kept_by": [{"name": "keeper"}],
        "dry_run": False,
    }


def test_a_change_that_is_not_here_is_not_rewritten(desk: Desk) -> None:
    ids = poem(desk)
    desk.says("switch", ids[1])
    assert desk.refuses("reword", ids[3], "-m", "x", code=2) == (
        f"oxy: change {ids[3][:12]} is not in the state of the working copy\n"
        "hint: go where it is with `oxy switch`\n"
    )
    assert desk.refuses("reword", ids[1], "-m", " ", code=2).startswith("oxy: the message")


def test_only_hunks_that_are_named_are_taken(desk: Desk) -> None:
    poem(desk)
    desk.write("poem", "one\ntwo\n3\n4\nFIVE\n")
    desk.write("notes", "b\n")
    assert desk.says("amend", "poem", "--hunk", "1.2") == "ID -> ID Last line\n"
    assert desk.says("cat", "poem") == "1\ntwo\n3\n4\nFIVE\n"
    assert desk.says() == "on main\nM notes\nM poem\n"
    assert (desk.root / "poem").read_text() == "one\ntwo\n3\n4\nFIVE\n"
    assert desk.run("amend", "-i") == 2


def test_a_peer_that_had_the_old_changes_is_told_and_follows(
    tmp_path: Path, desk: Desk, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ids = poem(desk)
    (tmp_path / "peer").mkdir()
    peer = Desk(tmp_path / "peer", capfdbinary)
    peer.says("init")
    peer.says("pull", str(desk.root))
    desk.says("reword", ids[1], "-m", "The second line")
    now = logged(desk)
    assert peer.record("pull", str(desk.root))["replaced"] == [
        {"old": ids[1], "new": now["The second line"]},
        {"old": ids[2], "new": now["Notes"]},
        {"old": ids[3], "new": now["Last line"]},
    ]
    assert logged(peer) == now
    assert peer.says() == "on main\nnothing changed\n"
    assert peer.record("show", ids[3])["replaced_by"] == [now["Last line"]]


def test_what_a_peer_recorded_on_the_old_changes_is_put_on_the_new(
    tmp_path: Path, desk: Desk, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ids = poem(desk)
    (tmp_path / "peer").mkdir()
    peer = Desk(tmp_path / "peer", capfdbinary)
    peer.says("init")
    peer.says("pull", str(desk.root))
    peer.write("poem", "1\ntwo\n3\nfour\nfive\n")
    peer.commit("Fourth line")
    desk.write("poem", "ONE\ntwo\n3\n4\nfive\n")
    desk.says("amend", ids[0])
    now = logged(desk)
    peer.says("pull", str(desk.root))
    there = f"main@{desk.root}"
    assert peer.err.endswith(
        f"hint: `oxy rebase --onto {there}` puts yours on what stands in for them\n"
    )
    assert "conflict" in peer.says()
    assert peer.says("rebase", "--onto", there) == "ID -> ID Fourth line\n"
    assert logged(peer)["Last line"] == now["Last line"]
    assert log(peer) == ["Fourth line", "Last line", "Notes", "Second line", "Poem"]
    assert (peer.root / "poem").read_text() == "ONE\ntwo\n3\nfour\nfive\n"
    assert peer.says() == "on main\nnothing changed\n"
    assert peer.says("fsck") == "nothing is wrong\n"


def test_a_conflict_in_one_file_holds_up_no_rewrite_of_others(desk: Desk) -> None:
    desk.write("a", "1\n2\n3\n")
    desk.write("b", "1\n2\n3\n4\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("a", "1\ntopic\n3\n")
    desk.commit("Topic")
    desk.says("switch", "main")
    desk.write("a", "1\nmain\n3\n")
    desk.write("b", "1\n2\n3\nfour\n")
    desk.commit("Main")
    desk.says("merge", "topic")
    desk.write("b", "one\n2\n3\nbetween\nfour\n")
    assert desk.says("absorb") == (
        "b:1 -> ID Base\n"
        "b:4 stays: its lines are new between those of different changes\n"
        "ID -> ID Base\n2 more followed\nthe old changes stay in topic\n"
    )
    assert desk.says("diff") == (
        "diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1,4 +1,5 @@\n one\n 2\n 3\n+between\n four\n"
    )
    text = (desk.root / "a").read_text()
    assert logged(desk)["Topic"][:12] in text
    desk.write("a", "1\nboth\n3\n")
    resolved = desk.commit("Resolved", "a")
    now = logged(desk)
    assert desk.says("fold", resolved, now["Topic"], now["Main"], "-m", "Two").startswith(
        "ID, "
    )
    assert desk.says() == "on main\nM b\n"
    assert (desk.root / "a").read_text() == "1\nboth\n3\n"
    assert desk.says("fsck") == "nothing is wrong\n"
