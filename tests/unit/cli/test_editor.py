from pathlib import Path

import pytest

from oxy.cli.editor import SCISSORS, EditorError, edited, message_of


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OXY_EDITOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)


def test_what_stands_above_the_scissors_is_the_message() -> None:
    text = b"\nTitle  \n\n# kept\n\n" + SCISSORS + b"\n# not\nnor this\n"
    assert message_of(text) == b"Title\n\n# kept"
    assert message_of(b"no scissors at all\n") == b"no scissors at all"


def script(tmp_path: Path, body: str) -> str:
    path = tmp_path / "an editor"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return f"'{path}' word"


def test_the_editor_is_split_into_words_and_the_file_comes_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "false")
    monkeypatch.setenv("VISUAL", script(tmp_path, 'echo "$1" > "$2"'))
    control = tmp_path / "control"
    control.mkdir()
    assert edited(bytes(control), b"A a\n") == b"word"
    assert not list(control.iterdir())


@pytest.mark.parametrize("command", ["false", "no-such-editor-anywhere", "'unclosed"])
def test_an_editor_that_fails_gives_no_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("OXY_EDITOR", command)
    with pytest.raises(EditorError):
        edited(bytes(tmp_path), b"")
    assert not list(tmp_path.iterdir())
