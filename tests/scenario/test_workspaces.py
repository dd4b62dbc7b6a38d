"""Several working copies of one store, through the real command line, to the letter."""

from pathlib import Path
from shutil import rmtree

import pytest

from tests.builders.desk import AUTHOR, Desk


@pytest.fixture
def desk(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    """A store in `p` with a change on main and one on topic, and a workspace `w` on topic."""
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init", "p")
    desk.write("p/a", "1\n")
    said(desk, "p", "commit", "-m", "Base")
    said(desk, "p", "switch", "-c", "topic")
    desk.write("p/b", "1\n")
    said(desk, "p", "commit", "-m", "On topic")
    said(desk, "p", "switch", "main")
    assert said(desk, "p", "workspace", "add", "../w", "topic") == "w ID on topic ROOT/w\n"
    return desk


def said(desk: Desk, where: str, *words: str) -> str:
    return desk.says(*words, where=where).replace(str(desk.root), "ROOT")


def refused(desk: Desk, where: str, *words: str, code: int = 2) -> str:
    return desk.refuses("-C", where, *words, code=code)


def test_a_workspace_has_files_and_a_state_of_its_own(desk: Desk) -> None:
    assert sorted(path.name for path in (desk.root / "w").iterdir()) == [".oxy", "a", "b"]
    assert said(desk, "w", "status") == "on topic\nnothing changed\n"
    desk.write("w/b", "2\n")
    assert said(desk, "w", "commit", "-m", "In w") == "recorded ID In w\n"
    assert said(desk, "p", "status") == "on main\nnothing changed\n"
    assert said(desk, "p", "log", "--oneline", "topic").splitlines()[0] == "ID [topic] In w"
    assert said(desk, "w", "diff", "--from", "topic~1", "--to", "topic").count("+2") == 1
    assert said(desk, "w", "fsck") == "nothing is wrong\n"


def test_workspaces_are_listed_from_each_of_them(desk: Desk) -> None:
    assert said(desk, "p", "workspace", "list") == (
        "* . ID on main ROOT/p\n  w ID on topic ROOT/w\n"
    )
    assert said(desk, "w", "workspace", "list") == (
        "  . ID on main ROOT/p\n* w ID on topic ROOT/w\n"
    )
    desk.run("workspace", "list", "--json", where="w")
    assert '"name": "w"' in desk.out.splitlines()[1]
    assert '"current": true, "missing": false' in desk.out.splitlines()[1]


def test_undo_takes_back_what_was_done_in_the_same_workspace(desk: Desk) -> None:
    desk.write("w/b", "2\n")
    said(desk, "w", "commit", "-m", "In w")
    assert said(desk, "p", "undo") == "undone: switch main\n"
    assert said(desk, "p", "redo") == "redone: switch main\n"
    assert said(desk, "w", "undo") == "undone: commit In w\n"
    assert said(desk, "w", "status") == "on topic\nM b\n"
    assert said(desk, "w", "redo") == "redone: commit In w\n"
    assert said(desk, "w", "undo") == "undone: commit In w\n"
    said(desk, "w", "discard", "b")
    # Neither the workspace nor what was done before it is taken back here.
    assert said(desk, "w", "undo") == "undone: discard\n"
    assert refused(desk, "w", "undo") == "oxy: there is nothing to undo\n"


def test_what_another_workspace_moved_since_is_not_taken_back(desk: Desk) -> None:
    said(desk, "p", "switch", "topic")
    assert desk.err == "the workspace w is on this bookmark too\n"
    desk.write("p/a", "2\n")
    said(desk, "p", "commit", "-m", "In p")
    assert said(desk, "w", "status").startswith("on topic\n")
    assert "moved" in desk.out + desk.err
    desk.write("w/b", "2\n")
    assert "topic has moved" in refused(desk, "w", "commit", "-m", "In w", code=3)
    said(desk, "w", "discard", "b")
    said(desk, "w", "switch", "topic")
    desk.write("w/b", "3\n")
    said(desk, "w", "commit", "-m", "In w")
    assert refused(desk, "p", "undo") == (
        "oxy: another workspace has moved topic since 'commit In p'\n"
        "hint: `oxy op restore` makes names what they were\n"
    )


def test_going_back_in_the_log_leaves_other_workspaces_where_they_are(desk: Desk) -> None:
    said(desk, "p", "op", "restore", "2")
    assert said(desk, "p", "workspace", "list").endswith("  w ID on topic ROOT/w\n")
    assert said(desk, "w", "cat", "b") == "1\n"


def test_a_bookmark_is_not_moved_beneath_another_workspace(desk: Desk) -> None:
    for words in (("-d", "topic"), ("-m", "topic", "t"), ("--move", "topic", "main")):
        assert refused(desk, "p", "bookmark", *words) == (
            "oxy: the workspace 'w' is on the bookmark 'topic'\n"
        )


def test_what_is_thrown_away_comes_back_where_it_was(desk: Desk) -> None:
    desk.write("p/a", "p\n")
    desk.write("w/a", "w\n")
    said(desk, "p", "discard", "a")
    said(desk, "w", "discard", "a")
    assert said(desk, "p", "undo") == "undone: discard\n"
    assert (desk.root / "p/a").read_text() == "p\n"
    assert (desk.root / "w/a").read_text() == "1\n"
    assert said(desk, "w", "undo") == "undone: discard\n"
    assert (desk.root / "w/a").read_text() == "w\n"


def test_a_workspace_begins_at_a_state_or_with_a_bookmark(desk: Desk) -> None:
    assert said(desk, "p", "workspace", "add", "../x") == "x ID ROOT/x\n"
    assert said(desk, "x", "status").splitlines()[0].startswith("at ID")
    made = said(desk, "p", "workspace", "add", "../y", "main", "-c", "new", "--name", "why")
    assert made == "why ID on new ROOT/y\n"
    assert said(desk, "w", "workspace", "add", "../z", "topic") == "z ID on topic ROOT/z\n"
    assert desk.err == "the workspace w is on this bookmark too\n"


def test_what_cannot_be_a_workspace_is_refused(desk: Desk) -> None:
    desk.write("full/x", "1\n")
    refusals = {
        ("full",): "ROOT/full is not empty",
        ("w", "--name", "v"): "ROOT/w is not empty",
        ("v", "--name", "w"): "there is a workspace 'w' already",
        ("v", "-c", "main"): "there is a bookmark 'main' already",
    }
    for words, why in refusals.items():
        assert refused(desk, "p", "workspace", "add", f"../{words[0]}", *words[1:]) == (
            f"oxy: {why}\n"
        )
    assert not (desk.root / "v").exists()
    assert refused(desk, "p", "workspace", "add", ".oxy/v") == (
        "oxy: ROOT/p/.oxy/v is inside a .oxy, where nothing else goes\n"
    )
    assert refused(desk, "w", "init", code=3).startswith("oxy: there is a repository already")


def test_a_workspace_is_removed_and_its_files_stay(desk: Desk) -> None:
    assert refused(desk, "w", "workspace", "remove", "w").startswith("oxy: 'w' is the one")
    assert refused(desk, "w", "workspace", "remove", ".").startswith("oxy: '.' is the working")
    assert refused(desk, "p", "workspace", "remove", "v") == (
        "oxy: no workspace is called 'v'\n"
    )
    assert said(desk, "p", "workspace", "remove", "w") == (
        "removed w; its files stay in ROOT/w\n"
    )
    assert sorted(path.name for path in (desk.root / "w").iterdir()) == ["a", "b"]
    assert said(desk, "p", "workspace", "list") == "* . ID on main ROOT/p\n"


def test_a_workspace_whose_directory_is_gone_is_told_and_forgotten(desk: Desk) -> None:
    rmtree(desk.root / "w")
    assert said(desk, "p", "workspace", "list").endswith("ROOT/w (missing)\n")
    assert "`oxy workspace remove` forgets" in desk.err
    assert said(desk, "p", "workspace", "remove", "--missing") == "removed w\n"
    assert said(desk, "p", "workspace", "remove", "--missing") == ""


def test_a_workspace_that_was_removed_elsewhere_says_so(desk: Desk) -> None:
    (desk.root / "w").rename(desk.root / "v")
    said(desk, "p", "workspace", "remove", "w")
    assert refused(desk, "v", "status", code=3) == (
        "oxy: ROOT/p has no workspace 'w' any more\n"
        "hint: its files are as they were; `oxy workspace add` makes another\n"
    )


def test_a_moved_store_and_a_moved_workspace_are_joined_again(desk: Desk) -> None:
    (desk.root / "p").rename(desk.root / "q")
    assert refused(desk, "w", "status", code=3) == (
        "oxy: ROOT/w/.oxy/store: the store of this workspace is not at ROOT/p/.oxy\n"
        "hint: if the store was moved, `oxy workspace attach DIR` says where it is now\n"
    )
    assert said(desk, "w", "workspace", "attach", "../q") == "attached w at ROOT/w\n"
    assert said(desk, "w", "status") == "on topic\nnothing changed\n"
    (desk.root / "w").rename(desk.root / "v")
    assert said(desk, "v", "workspace", "attach") == "attached w at ROOT/v\n"
    assert said(desk, "q", "workspace", "list").endswith("  w ID on topic ROOT/v\n")
    assert "is no workspace" in refused(desk, "q", "workspace", "attach")


def test_a_copied_workspace_is_not_attached_while_the_other_is_there(desk: Desk) -> None:
    (desk.root / "x/.oxy").mkdir(parents=True)
    pointer = (desk.root / "w/.oxy/store").read_bytes()
    (desk.root / "x/.oxy/store").write_bytes(pointer)
    assert refused(desk, "x", "workspace", "attach") == "oxy: the workspace 'w' is at ROOT/w\n"


@pytest.mark.parametrize("text", [b"", b"oxy workspace 1\n", b"oxy workspace 1\nw\nrelative\n"])
def test_a_pointer_that_leads_nowhere_is_refused(desk: Desk, *, text: bytes) -> None:
    (desk.root / "w/.oxy/store").write_bytes(text)
    assert "does not say where the store" in refused(desk, "w", "status", code=3)


def test_a_rebuilt_index_forgets_the_caches_of_all_workspaces(desk: Desk) -> None:
    assert (desk.root / "w/.oxy/cache/manifest").exists()
    said(desk, "w", "fsck", "--rebuild")
    assert not (desk.root / "w/.oxy/cache/manifest").exists()
    assert said(desk, "w", "status") == "on topic\nnothing changed\n"


def test_the_list_of_bookmarks_tells_who_else_is_on_one(desk: Desk) -> None:
    assert said(desk, "p", "bookmark") == (
        "* main  ID  1 change   Base\n  topic ID  2 changes  On topic (workspace w)\n"
    )
    assert "main  ID  1 change   Base (workspace .)" in said(desk, "w", "bookmark")
    desk.run("bookmark", "--json", where="w")
    assert '"workspaces": [{"workspace": "."}]' in desk.out


def test_an_add_that_ends_before_its_files_are_written_is_gone_on_from(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("oxy.actions.workspaces.go", interrupted)
        assert desk.run("workspace", "add", "../k", where="p") == 130
    assert said(desk, "k", "status") == "at the empty state, on no bookmark\nnothing changed\n"
    assert said(desk, "k", "switch", "topic") == "on topic at ID: 2 written, 0 removed\n"
    assert said(desk, "k", "status") == "on topic\nnothing changed\n"


def test_a_workspace_that_cannot_be_made_leaves_nothing_behind(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = said(desk, "p", "workspace", "list")
    with monkeypatch.context() as patch:
        patch.setattr("oxy.actions.workspaces._point", full)
        assert desk.run("workspace", "add", "../k", where="p") == 3
    assert said(desk, "p", "workspace", "list") == before
    assert said(desk, "p", "workspace", "add", "../k") == "k ID ROOT/k\n"


def test_the_configuration_of_the_repository_is_that_of_all_workspaces(desk: Desk) -> None:
    said(desk, "w", "config", "set", "--repository", "user.name", "Grace")
    assert said(desk, "p", "config", "get", "user.name") == "Grace\n"
    assert not (desk.root / "w/.oxy/config.toml").exists()


def test_an_add_that_was_killed_early_is_done_again(desk: Desk) -> None:
    (desk.root / "k/.oxy").mkdir(parents=True)
    pointer = (desk.root / "w/.oxy/store").read_bytes().replace(b"\nw\n", b"\nk\n")
    (desk.root / "k/.oxy/store").write_bytes(pointer)
    assert said(desk, "p", "workspace", "add", "../k") == "k ID ROOT/k\n"
