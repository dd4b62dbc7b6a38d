"""Bookmarks and tags, through the real command line, to the letter."""

import pytest

from tests.builders.desk import AUTHOR, Desk


def two(desk: Desk) -> None:
    """Record a change on main, and another on topic, which is left."""
    desk.write("a", "1\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("b", "1\n")
    desk.commit("More\n\nAt length.")
    desk.says("switch", "main")


def test_a_bookmark_tells_what_it_holds_and_what_it_is_for(desk: Desk) -> None:
    assert desk.says("bookmark") == "* main (empty)  0 changes\n"
    two(desk)
    desk.says("bookmark", "--describe", "topic", "What comes next")
    assert desk.says("bookmark") == (
        "* main  ID  1 change   Base\n  topic ID  2 changes  More - What comes next\n"
    )
    desk.says("switch", "topic")
    desk.write("b", "2\n")
    desk.commit("Yet more")
    desk.says("bookmark", "-m", "topic", "next")
    assert desk.says("bookmark") == (
        "  main ID  1 change   Base\n* next ID  3 changes  Yet more - What comes next\n"
    )
    desk.says("bookmark", "--describe", "next", " ")
    assert "What comes" not in desk.says("bookmark")
    assert desk.says("undo") == "undone: bookmark --describe next\n"
    assert "What comes" in desk.says("bookmark")


def test_a_bookmark_is_moved_backwards_only_if_that_is_said(desk: Desk) -> None:
    two(desk)
    assert desk.refuses("bookmark", "--move", "topic", "main", code=2) == (
        "oxy: the bookmark 'topic' would lose 1 change\n"
        "hint: `--backwards` moves it all the same\n"
    )
    desk.says("bookmark", "--move", "topic", "main", "--backwards")
    assert desk.says("bookmark") == (
        "* main  ID  1 change   Base\n  topic ID  1 change   Base\n"
    )
    desk.says("bookmark", "--move", "topic", "topic@{1}")
    assert "2 changes  More" in desk.says("bookmark")
    refused = desk.refuses("bookmark", "x", "--backwards", code=2)
    assert refused.startswith("oxy: --backwards belongs to --move\n")


def test_deleting_a_bookmark_tells_what_nothing_else_holds(desk: Desk) -> None:
    two(desk)
    assert desk.says("bookmark", "-d", "topic") == ""
    assert desk.err == (
        "no other bookmark or tag holds 1 change of it: `oxy undo` brings it back\n"
    )
    assert desk.says("undo") == "undone: bookmark -d topic\n"
    desk.says("tag", "kept", "topic")
    desk.says("bookmark", "-d", "topic")
    assert desk.err == ""


def test_a_name_that_has_to_be_quoted_is_told(desk: Desk) -> None:
    two(desk)
    for words in (("bookmark", "a&b"), ("bookmark", "-m", "topic", "(c)"), ("tag", 'a"b')):
        desk.says(*words)
        assert desk.err.startswith('where a state is named, this one is "')
    assert desk.says("log", "--oneline", '"a&b"') == 'ID [a&b, main, a"b] Base\n'


def test_programs_are_told_of_bookmarks_and_what_remotes_hold(desk: Desk) -> None:
    two(desk)
    desk.says("clone", ".", "there")
    desk.says("remote", "add", "there", "there")
    desk.says("pull", "there")
    desk.write("a", "2\n")
    newest = desk.commit("Here")
    assert desk.says("bookmark").splitlines()[0] == (
        "* main  ID  2 changes  Here (there: 1 ahead)"
    )
    desk.run("bookmark", "--json")
    first = desk.out.splitlines()[0]
    assert newest in first
    assert '"remotes": [{"remote": "there", "ahead": 1, "behind": 0}]' in first
    assert desk.says("bookmark", "--move", "topic", "topic|main") == ""
    assert "topic ID ID  3 changes  Here\n" in desk.says("bookmark")
    assert "  main@there" in desk.says("bookmark", "-a")


def test_an_annotated_tag_keeps_who_made_it_and_when(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    two(desk)
    monkeypatch.setattr("oxy.cli.verbs.tag.now", lambda: (1_700_100_000_000_000, 60))
    assert desk.says("tag", "v1.0", "-m", "First\n\nAll of it.") == ""
    assert desk.says("tag") == "v1.0 ID First\n"
    assert desk.says("tag", "--show", "v1.0") == (
        f"tag v1.0\nstate:  ID\ntagger: {AUTHOR}\ndate:   2023-11-16 03:00:00 +0100\n\n"
        "    First\n\n    All of it.\n"
    )
    record = desk.record("tag", "--show", "v1.0")
    assert (record["tagger"], record["date"]) == (AUTHOR, "2023-11-16T03:00:00+01:00")
    desk.says("tag", "plain", "topic")
    assert desk.says("tag", "--show", "plain") == "tag plain\nstate:  ID\n"
    assert desk.refuses("tag", "--show", "plane", code=2) == (
        "oxy: there is no tag 'plane'\nhint: did you mean plain?\n"
    )


def test_tags_are_listed_by_pattern_and_in_order(desk: Desk) -> None:
    two(desk)
    for name in ("v1.10", "v1.9", "x"):
        desk.says("tag", name, "topic" if name == "v1.9" else "main")

    def names(*words: str) -> list[str]:
        return [line.split()[0] for line in desk.says("tag", *words).splitlines()]

    assert names() == ["v1.10", "v1.9", "x"]
    assert names("--sort", "version", "-l", "v*") == ["v1.9", "v1.10"]
    assert names("--sort", "time", "--reverse")[0] == "v1.9"
    assert names("-l") == names()
    assert names("-l", "nothing*") == []
