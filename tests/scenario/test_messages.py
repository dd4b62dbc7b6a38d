"""Where messages come from, through the real command line."""

from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, Desk


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    """Return a desk with a new file."""
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nowhere"))
    desk = Desk(tmp_path / "work", capfdbinary)
    desk.root.mkdir()
    desk.says("init")
    desk.write("a", "a\n")
    return desk


def types(desk: Desk, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let the editor be a script; $1 is the file."""
    editor = desk.root.parent / "editor"
    editor.write_text(f"#!/bin/sh\nset -e\n{script}\n")
    editor.chmod(0o755)
    monkeypatch.setenv("OXY_EDITOR", str(editor))


def test_a_message_begins_with_a_template(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("form", "Why:  \n\nTested:\n")
    types(desk, monkeypatch, 'sed -i "s/^Why:.*/Why: because/" "$1"')
    where = str(desk.root / "form")
    assert desk.says("commit", "-t", where) == "recorded ID Why: because\n"
    assert desk.record("log", "-n", "1")["message"] == "Why: because\n\nTested:"


def test_a_template_that_is_left_as_it_is_is_no_message(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write(".oxy/form", "Why:  \n\nTested:\n\n")
    desk.write(".oxy/config.toml", '[commit]\ntemplate = ".oxy/form"\n')
    types(desk, monkeypatch, 'cp "$1" "$1.seen"; mv "$1.seen" ../seen')
    assert desk.refuses("commit", code=2) == (
        "oxy: the message is empty, and nothing was recorded\nhint: give one with -m\n"
    )
    assert desk.says("status") == "on main\nA a\n"
    types(desk, monkeypatch, 'echo "First" > "$1"')
    assert desk.says("commit") == "recorded ID First\n"
    assert desk.says("status") == "on main\nnothing changed\n"


def test_a_template_that_is_not_there_is_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    types(desk, monkeypatch, "true")
    assert desk.refuses("commit", "-t", "none", code=2).startswith(
        "oxy: -t none: No such file or directory\n"
    )
    desk.write(".oxy/config.toml", '[commit]\ntemplate = "none"\n')
    assert desk.refuses("commit", code=2).startswith("oxy: commit.template ROOT/none: No such")
    assert desk.says("commit", "-m", "Given") == "recorded ID Given\n"


def test_amending_has_a_command_of_its_own(desk: Desk) -> None:
    assert desk.refuses("commit", "--amend", "-m", "x", code=2) == (
        "oxy: commit records a new change, and has no --amend\n"
        "hint: `oxy amend` takes what changed into the newest change, "
        "`oxy reword` its message\n"
    )
    assert desk.refuses("commit", "-m", "x", "-F", "-", code=2) == (
        "oxy: -m and -F do not go together\n"
    )
