"""Settings and aliases through the real command line."""

import json
from pathlib import Path

import pytest

from tests.builders.desk import Desk


@pytest.fixture
def users(
    desk: Desk, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return where the user's own file would be."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.delenv("OXY_AUTHOR")
    assert desk.root
    return home / "oxy/config.toml"


def test_settings_are_set_looked_at_and_taken_out(desk: Desk, users: Path) -> None:
    own = str(desk.root / ".oxy/config.toml")
    assert desk.says("config", "where") == (
        f"repository  {own}  (not there)\nuser        {users}  (not there)\n"
    )
    assert desk.says("config", "set", "user.name", "Ada Lovelace") == ""
    assert desk.says("config", "set", "user.email", "ada@example.org") == ""
    assert desk.says("config", "set", "--repository", "user.email", "work@example.org") == ""
    desk.says("config", "set", "hook.after-pull", "--", "make", "-s", 'a "b"')
    assert desk.says("config", "get", "user.email") == "work@example.org\n"
    assert desk.says("config", "get", "hook.after-pull") == 'make\n-s\na "b"\n'
    assert desk.says("config", "list") == (
        f'user.email = "work@example.org"  ({own})\n'
        f'user.name = "Ada Lovelace"  ({users})\n'
        f'user.email = "ada@example.org"  ({users})\n'
        f'hook.after-pull = ["make", "-s", "a \\"b\\""]  ({users})\n'
    )
    assert desk.says("config", "list", "--repository").count("\n") == 1
    assert desk.says("config", "list", "--user").count("\n") == 3
    desk.write("a", "a\n")
    desk.commit("First")
    assert desk.record("log")["author"] == "Ada Lovelace <work@example.org>"
    assert desk.says("config", "unset", "--repository", "user.email") == ""
    assert desk.says("config", "get", "user.email") == "ada@example.org\n"
    assert desk.run("config", "unset", "--repository", "user.email") == 1
    assert desk.out == f"{own} does not set user.email\n"
    assert desk.run("config", "get", "commit.template") == 1
    assert desk.out == ""


def test_settings_are_facts_for_programs(desk: Desk, users: Path) -> None:
    record = {"name": "user.name", "value": "Ada", "path": str(users)}
    assert desk.record("config", "set", "user.name", "Ada") == record
    assert desk.record("config", "get", "user.name") == record
    assert desk.record("config", "list") == record
    assert desk.record("-c", "user.name=Bea", "config", "get", "user.name") == {
        "name": "user.name",
        "value": "Bea",
        "path": None,
    }
    assert desk.run("config", "get", "user.email", "--json") == 1
    assert json.loads(desk.out) == {"name": "user.email", "value": None, "path": None}
    assert desk.record("config", "unset", "user.name") == {
        "name": "user.name",
        "removed": True,
        "path": str(users),
    }


def test_what_cannot_be_set_is_told(desk: Desk, users: Path) -> None:
    assert desk.refuses("config", "set", "user.nmae", "Ada", code=2) == (
        "oxy: no setting is called 'user.nmae'\n"
        "hint: did you mean user.name or user.email?\n"
        "hint: `oxy help settings` lists the settings\n"
    )
    assert desk.refuses("config", "set", "--repository", "ui.pager", "x", code=2) == (
        "oxy: setting ui.pager counts in the user's file only\n"
        "hint: `oxy help settings` tells what each may be\n"
    )
    assert "is one of auto, always, never" in desk.refuses(
        "config", "set", "ui.color", "blue", code=2
    )
    assert not users.exists()


def test_what_is_wrong_in_a_file_is_named_and_stops_only_what_needs_it(
    desk: Desk, users: Path
) -> None:
    users.parent.mkdir()
    users.write_text('ui.colour = "never"\nuser.name = 3\nuser.email = "a@x"\n')
    told = (
        f"warning: configuration {users}: no setting is called 'ui.colour'; "
        "did you mean ui.color?\n"
        f"warning: configuration {users}: user.name is no text\n"
    )
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("config", "list") == f'user.email = "a@x"  ({users})\n'
    assert desk.err == told
    assert desk.refuses("config", "check", code=1) == told
    assert desk.run("config", "check", "--json") == 1
    assert json.loads(desk.out.splitlines()[0]) == {
        "path": str(users),
        "what": "no setting is called 'ui.colour'",
        "near": ["ui.color"],
    }
    desk.write("a", "a\n")
    assert desk.refuses("commit", "-m", "x", code=3) == (
        f"oxy: configuration {users}: user.name is no text\n"
        "hint: `oxy config edit` (or with --repository) opens it\n"
    )
    users.write_text("")
    assert desk.says("config", "check") == ""


def test_a_file_is_edited(desk: Desk, users: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    users.parent.mkdir()
    users.write_text("[")
    editor = users.parent / "editor"
    editor.write_text('#!/bin/sh\necho \'user.nme = "x"\' > "$1"\n')
    editor.chmod(0o755)
    monkeypatch.delenv("OXY_EDITOR", raising=False)
    monkeypatch.setenv("VISUAL", str(editor))
    assert desk.says("config", "edit") == ""
    assert "no setting is called 'user.nme'; did you mean user.name" in desk.err
    monkeypatch.setenv("VISUAL", "vi")
    users.write_text(f'ui.editor = "{editor}"\n')
    desk.says("config", "edit", "--repository")
    assert (desk.root / ".oxy/config.toml").read_text() == 'user.nme = "x"\n'
    assert desk.refuses("-c", "ui.editor=false", "config", "edit", code=3) == (
        "oxy: editor 'false' ended with 1: the file is as it left it\n"
    )


def test_aliases_stand_for_words(desk: Desk, users: Path) -> None:
    users.parent.mkdir()
    users.write_text(
        "[alias]\n"
        'st = "status -s"\n'
        "say = \"commit -m 'Two words'\"\n"
        'status = "log"\n'
        'again = "st"\n'
        'broken = "log \'"\n'
        'empty = ""\n'
        '[user]\nname = "Ada"\nemail = "a@x"\n'
    )
    desk.write("a", "a\n")
    desk.write("b", "b\n")
    assert desk.says("st") == "A a\nA b\n"
    assert desk.says("st", "a") == "A a\n"
    assert desk.says("say", "a") == "recorded ID Two words\n"
    assert desk.says("status") == "on main\nA b\n"
    assert desk.says("help", "st").startswith("usage: oxy status ")
    assert desk.refuses("again", code=3).startswith(
        f"oxy: configuration {users}: alias.again begins with 'st', which is no command\n"
    )
    assert "alias.broken: No closing quotation" in desk.refuses("broken", code=3)
    assert "alias.empty begins with ''" in desk.refuses("empty", code=3)
    assert "did you mean again?" in desk.refuses("agains", code=2)
    assert desk.refuses("config", "check", code=1).replace(f"configuration {users}: ", "") == (
        "warning: alias.status is never used, for a command has that name\n"
        "warning: alias.again begins with 'st', which is no command\n"
        "warning: alias.broken: No closing quotation\n"
        "warning: alias.empty begins with '', which is no command\n"
    )
    assert desk.says("-c", "alias.x=version", "x").startswith("oxy ")


def test_a_workspace_has_the_settings_of_its_store(desk: Desk, users: Path) -> None:
    desk.write("form", "Why\n")
    desk.says("config", "set", "--repository", "user.name", "Ada")
    desk.says("config", "set", "--repository", "user.email", "a@x")
    desk.says("config", "set", "--repository", "commit.template", "form")
    desk.commit("First")
    beside = str(users.parent.parent / "beside")
    desk.says("workspace", "add", beside)
    assert desk.says("-C", beside, "config", "get", "user.name") == "Ada\n"
    assert (
        desk.says("-C", beside, "config", "where")
        .splitlines()[0]
        .startswith(f"repository  {desk.root}/.oxy/config.toml")
    )
    Path(beside, "new").write_text("1\n")
    edits = ("-c", "ui.editor=sed -i 1s/$/:this/")
    assert desk.says("-C", beside, *edits, "commit") == ("recorded ID Why:this\n")


def test_an_alias_of_the_repository_is_none(desk: Desk, users: Path) -> None:
    desk.write(".oxy/config.toml", '[alias]\nst = "status"\n')
    assert desk.refuses("st", code=2).startswith("oxy: no command is called 'st'\n")
    assert desk.refuses("config", "check", code=1) == (
        "warning: configuration ROOT/.oxy/config.toml: "
        "alias.st counts in the user's file only\n"
    )
    assert not users.exists()
