"""Which files of a user hold everywhere; Git itself says what it goes by."""

import os
import subprocess
from pathlib import Path

import pytest

from oxy.worktree.everywhere import ignore_files, patterns

CONFIGURATIONS = [
    "[core]\n\texcludesFile = ~/mine\n",
    "[core] excludesfile=/some/where\n",
    "[CORE]\n  autocrlf = false\n  EXCLUDESFILE = ~/mine  \n[user]\n  excludesfile = no\n",
    "[core]\n\texcludesFile = ~/one\n[core]\n\texcludesFile = ~/two\n",
    '[core]\n\texcludesFile = "~/with # sign"\n',
    "[core]\n\texcludesFile = ~/mine # of this machine\n",
    "[core]\n\texcludesFile = ~/back\\\\slash\n",
    "[include]\n\tpath = more\n",
    '[core "sub"]\n\texcludesFile = ~/not\n',
    "[core]\n\texcludesFile =\n",
    "",
]


@pytest.fixture(name="home")
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    (tmp_path / "config/git").mkdir(parents=True)
    (tmp_path / "config/oxy").mkdir()
    (tmp_path / "more").write_text("[core]\n\texcludesFile = ~/included\n")
    return tmp_path


def git_says(home: Path) -> bytes:
    """Return the file by which Git goes, of which there is one default."""
    command = ["git", "config", "--type=path", "core.excludesFile"]
    done = subprocess.run(command, cwd=home, capture_output=True, check=False)
    default = os.fsencode(home / "config/git/ignore")
    return default if done.returncode else done.stdout.removesuffix(b"\n")


@pytest.mark.parametrize("file", [".gitconfig", "config/git/config"])
@pytest.mark.parametrize("content", CONFIGURATIONS)
def test_the_file_is_the_one_that_git_goes_by(content: str, file: str, home: Path) -> None:
    (home / file).write_text(content.replace("path = more", f"path = {home}/more"))
    of_git = git_says(home)
    assert ignore_files()[:-1] == ([of_git] if of_git else [])
    assert ignore_files()[-1] == os.fsencode(home / "config/oxy/ignore")


def test_the_users_git_configuration_comes_after_that_of_the_machine(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GIT_CONFIG_NOSYSTEM")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(home / "system"))
    (home / "system").write_text("[core]\nexcludesFile = /system\n")
    assert ignore_files()[0] == b"/system"
    (home / ".gitconfig").write_text("[core]\nexcludesFile = /user\n")
    assert ignore_files()[0] == b"/user"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "other"))
    assert ignore_files()[0] == b"/system"


def test_files_that_are_not_there_or_are_no_files_say_nothing(home: Path) -> None:
    (home / "config/oxy/ignore").mkdir()
    assert b"".join(patterns()) == b""
    (home / "config/oxy/ignore").rmdir()
    (home / "config/oxy/ignore").write_text("*.mine\n")
    assert patterns() == [b"*.mine\n"]
    (home / "config/git/ignore").write_text("*~\n")
    assert patterns() == [b"*~\n", b"*.mine\n"]
