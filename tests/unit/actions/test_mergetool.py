import os
from pathlib import Path

import pytest

from oxy.actions.mergetool import NoToolError, Texts, ToolFailedError, merged_by_tool

TEXTS = Texts(b"base\n", b"left\n", b"right\n", b"marked\n")
JOIN = 'cat "$BASE" "$LOCAL" "$REMOTE" "$MERGED" > out; cp out "$MERGED"'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory with the user's configuration and nothing in it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configure(home: Path, text: str) -> None:
    (home / "config" / "oxy").mkdir(parents=True)
    (home / "config" / "oxy" / "config.toml").write_text(text)


def test_a_tool_of_oxys_own_configuration_is_given_all_four_texts(home: Path) -> None:
    configure(home, f"[merge]\ntool = 'mine'\n[mergetool.mine]\ncmd = '''{JOIN}'''\n")
    assert merged_by_tool(b"d/f.c", TEXTS) == b"base\nleft\nright\nmarked\n"


def test_a_tool_of_the_users_git_works_as_with_git_mergetool(home: Path) -> None:
    quoted = JOIN.replace("\\", "\\\\").replace('"', '\\"')
    (home / ".gitconfig").write_text(
        f'[merge]\ntool = theirs\n[mergetool "theirs"]\ncmd = "{quoted}"\n'
        "trustExitCode = true\n"
    )
    assert merged_by_tool(b"f", TEXTS) == b"base\nleft\nright\nmarked\n"


def test_a_tool_that_git_brings_along_needs_no_command(home: Path) -> None:
    tool = home / "bin" / "meld"
    tool.parent.mkdir()
    tool.write_text(
        # Git asks unless the file is newer than it was, which some shells see by the second.
        '#!/bin/sh\nfor word; do case "$word" in --output=*) file="${word#--output=}"; '
        'echo melded > "$file"; touch -d "+9 seconds" "$file";; esac; done\n'
    )
    tool.chmod(0o755)
    (home / ".gitconfig").write_text(
        f'[merge]\ntool = meld\n[mergetool "meld"]\npath = {tool}\nhasOutput = true\n'
    )
    assert merged_by_tool(b"f", TEXTS) == b"melded\n"


def test_a_tool_is_named_by_its_file_with_the_ending_that_editors_look_at(home: Path) -> None:
    configure(home, "[mergetool.say]\ncmd = '''basename \"$LOCAL\" > \"$MERGED\"'''\n")
    assert merged_by_tool(b"dir/file.py", TEXTS, "say") == b"file_LOCAL.py\n"


def test_without_a_tool_it_is_said_so(home: Path) -> None:
    assert os.listdir(home) == []
    with pytest.raises(NoToolError):
        merged_by_tool(b"f", TEXTS)


def test_a_tool_that_fails_is_an_error(home: Path) -> None:
    configure(home, "[mergetool.bad]\ncmd = 'exit 3'\n")
    with pytest.raises(ToolFailedError, match="'bad' ended with 3: nothing was changed"):
        merged_by_tool(b"f", TEXTS, "bad")


def test_a_tool_that_nobody_knows_is_an_error(home: Path) -> None:
    assert os.listdir(home) == []
    with pytest.raises(ToolFailedError, match="'none-such' ended with 1"):
        merged_by_tool(b"f", TEXTS, "none-such")


def test_a_repository_cannot_name_a_program(home: Path) -> None:
    (home / ".git").mkdir()
    (home / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (home / ".git" / "objects").mkdir()
    (home / ".git" / "refs").mkdir()
    (home / ".git" / "config").write_text(
        f"[core]\nrepositoryformatversion = 0\n[merge]\ntool = bad\n"
        f'[mergetool "bad"]\ncmd = touch {home}/run\n'
    )
    with pytest.raises(NoToolError):
        merged_by_tool(b"f", TEXTS)
    with pytest.raises(ToolFailedError):
        merged_by_tool(b"f", TEXTS, "bad")
    assert not (home / "run").exists()
