"""A repository of another user is refused (T14)."""

import os
from pathlib import Path

import pytest

from oxy.repo.owner import ForeignOwnerError
from oxy.repo.place import find, find_own
from oxy.repo.userfile import ConfigError

SOMEBODY = 4_000_000


@pytest.fixture(name="foreign")
def _foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory whose repository is not of the user who asks."""
    monkeypatch.setattr(os, "geteuid", lambda: SOMEBODY)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config/oxy").mkdir(parents=True)
    (tmp_path / "work/.oxy").mkdir(parents=True)
    return tmp_path / "work"


def trust(foreign: Path, toml: str) -> None:
    (foreign.parent / "config/oxy/config.toml").write_text(f"[safe]\n{toml}\n")


def test_the_repository_of_another_user_is_found_and_not_worked_in(foreign: Path) -> None:
    assert find(bytes(foreign)) == bytes(foreign)
    with pytest.raises(ForeignOwnerError, match=r"belongs to .*, not to you"):
        find_own(bytes(foreign))


@pytest.mark.parametrize("words", ["'*'", "'WORK'", "'/other', 'WORK/.'", "'~/work'"])
def test_the_users_own_file_says_what_is_trusted(
    words: str, foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(foreign.parent))
    trust(foreign, f"directory = [{words.replace('WORK', str(foreign))}]")
    assert find_own(bytes(foreign)) == bytes(foreign)


def test_what_lies_below_a_trusted_directory_is_not_trusted(foreign: Path) -> None:
    trust(foreign, f"directory = ['{foreign.parent}']")
    with pytest.raises(ForeignOwnerError):
        find_own(bytes(foreign))


def test_a_setting_that_is_no_list_is_refused(foreign: Path) -> None:
    trust(foreign, "directory = 'x'")
    with pytest.raises(ConfigError, match=r"safe\.directory is no list of words"):
        find_own(bytes(foreign))


def test_sudo_does_not_make_a_stranger_of_who_calls_it(
    foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = foreign.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    stated = os.stat

    def stat_as_somebodys(path: bytes) -> os.stat_result:
        fields = list(stated(path))
        fields[4] = SOMEBODY
        return os.stat_result(fields)

    monkeypatch.setattr(os, "stat", stat_as_somebodys)
    monkeypatch.setattr("oxy.repo.place.find", lambda start: start)
    monkeypatch.setenv("SUDO_UID", str(owner + 1))
    with pytest.raises(ForeignOwnerError, match=f"user {SOMEBODY}"):
        find_own(bytes(foreign))
    monkeypatch.setenv("SUDO_UID", str(SOMEBODY))
    assert find_own(bytes(foreign)) == bytes(foreign)
