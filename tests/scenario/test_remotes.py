"""Names for other repositories, and pushes that only tell, compared to the letter."""

from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, Desk


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    """Let Grace have a clone of Ada's repository, which has gone on, as hers has."""
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init", "ada")
    commit(desk, "ada", "f", "Begin")
    desk.says("bookmark", "topic", where="ada")
    desk.says("clone", "ada", "grace")
    commit(desk, "ada", "g", "Hers")
    commit(desk, "grace", "h", "One")
    commit(desk, "grace", "i", "Two")
    desk.says("fetch", where="grace")
    return desk


def commit(desk: Desk, where: str, name: str, message: str) -> None:
    desk.write(f"{where}/{name}", f"{message}\n")
    desk.says("commit", "-m", message, where=where)


def told(desk: Desk, *words: str) -> str:
    return desk.says(*words, where="grace").replace(str(desk.root), "ROOT")


def refused(desk: Desk, *words: str, code: int) -> str:
    return desk.refuses("-C", "grace", *words, code=code)


def test_a_remote_is_shown_with_how_yours_stand_to_it(desk: Desk) -> None:
    assert told(desk, "remote", "show") == (
        "origin ROOT/ada\n  main: 2 ahead, 1 behind, followed by yours\n  topic: not yours\n"
    )
    told(desk, "bookmark", "topic", "topic@origin")
    told(desk, "bookmark", "mine")
    told(desk, "bookmark", "--upstream", "mine", "origin")
    assert told(desk, "remote", "show", "origin").partition("\n")[2] == (
        "  main: 2 ahead, 1 behind, followed by yours\n"
        "  mine: not seen there, followed by yours\n"
        "  topic: the same\n"
    )
    assert desk.record("-C", "grace", "remote", "show", "origin") == {
        "name": "origin",
        "address": f"{desk.root}/ada",
        "bookmarks": [
            {"name": "main", "there": True, "ahead": 2, "behind": 1, "follows": True},
            {"name": "mine", "there": False, "ahead": None, "behind": None, "follows": True},
            {"name": "topic", "there": True, "ahead": 0, "behind": 0, "follows": False},
        ],
    }
    assert refused(desk, "remote", "show", "orign", code=2) == (
        "oxy: no remote is called 'orign'\nhint: did you mean origin?\n"
    )
    assert "no remote is called" in refused(desk, "remote", "show", "../nobody", code=2)


def test_a_remote_that_is_renamed_keeps_all_that_is_its(desk: Desk) -> None:
    before = told(desk, "remote", "show")
    told(desk, "remote", "rename", "origin", "her")
    assert told(desk, "remote", "show", "her") == before.replace("origin", "her")
    assert told(desk).startswith("on main, 2 ahead of and 1 behind her\n")
    assert told(desk, "log", "--oneline", "-n", "1", "main@her") == "ID Hers\n"
    assert "no bookmark, tag" in refused(desk, "log", "main@origin", code=2)
    told(desk, "undo")
    assert told(desk, "remote", "show") == before
    assert desk.record("-C", "grace", "remote", "rename", "origin", "x") == {
        "name": "x",
        "was": "origin",
    }


def test_a_remote_is_not_renamed_to_what_is_taken_or_no_name(desk: Desk) -> None:
    told(desk, "remote", "add", "other", "../other")
    assert "there is a remote 'other' already" in refused(
        desk, "remote", "rename", "origin", "other", code=2
    )
    assert "one name on some" in refused(desk, "remote", "rename", "origin", "Other", code=2)
    assert "is no name" in refused(desk, "remote", "rename", "origin", "x y", code=2)
    assert "no remote is called" in refused(desk, "remote", "rename", "orign", "x", code=2)
    told(desk, "remote", "rename", "origin", "Origin")
    assert told(desk, "remote", "list") == "Origin ROOT/ada\nother ROOT/other\n"


def test_what_ends_as_two_remotes_are_called_is_of_the_longer_one(desk: Desk) -> None:
    told(desk, "remote", "rename", "origin", "x@y")
    told(desk, "remote", "add", "y", "../other")
    assert told(desk, "remote", "show", "y") == "y ROOT/other\n"
    told(desk, "remote", "rename", "y", "z")
    told(desk, "remote", "remove", "z")
    assert "main: 2 ahead" in told(desk, "remote", "show", "x@y")


def test_a_push_that_only_tells_moves_nothing(desk: Desk) -> None:
    assert refused(desk, "push", "--dry-run", code=3) == (
        "oxy: 'main' of origin has changes that were not seen here; it was not moved\n"
        "hint: pull first, and push then\n"
    )
    told(desk, "pull")
    told(desk, "tag", "v1")
    told(desk, "bookmark", "new")
    words = ["push", "origin", "main", "new", "--tag", "v1", "--delete", "topic"]
    before = desk.says("bookmark", where="ada")
    assert told(desk, *words, "--dry-run") == (
        "would push main: 2 changes\n"
        "would push new (new): 4 changes\n"
        "would delete topic\n"
        "would push tag v1 (new): 4 changes\n"
    )
    assert desk.record("-C", "grace", *words, "--dry-run")["done"] is False
    assert desk.says("bookmark", where="ada") == before
    foreseen = told(desk, *words, "--dry-run")
    assert told(desk, *words) == foreseen.replace("would delete", "deleted").replace(
        "would push", "pushed"
    )
    assert told(desk, *words[:-2], "--dry-run") == "nothing to push: all of it is there\n"


def test_a_push_that_only_tells_says_what_would_be_refused(desk: Desk) -> None:
    told(desk, "tag", "v1")
    desk.says("tag", "v1", where="ada")
    assert "holds something else" in refused(
        desk, "push", "origin", "--tag", "v1", "--dry-run", code=3
    )
    assert "working copy of origin is on 'main'" in refused(
        desk, "push", "origin", "--delete", "main", "--dry-run", code=3
    )
    assert "has no bookmark 'nobody'" in refused(
        desk, "push", "origin", "--delete", "nobody", "--dry-run", code=2
    )
    desk.says("bookmark", "--move", "topic", "main", where="ada")
    assert "it was not deleted" in refused(
        desk, "push", "origin", "--delete", "topic", "--dry-run", code=3
    )
