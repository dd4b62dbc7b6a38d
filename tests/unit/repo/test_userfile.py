from pathlib import Path

import pytest

from oxy.repo.userfile import ConfigError, read, user_file


def test_the_file_is_in_the_directory_that_is_configured_or_at_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/etc/xdg")
    assert user_file() == b"/etc/xdg/oxy/config.toml"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", "/srv/ada")
    assert user_file() == b"/srv/ada/.config/oxy/config.toml"


def test_a_file_that_is_not_there_says_nothing_and_one_that_is_not_toml_is_named(
    tmp_path: Path,
) -> None:
    file = tmp_path / "config.toml"
    assert read(bytes(file)) == {}
    file.write_text("[user]\nname = 'Ada'\n")
    assert read(bytes(file)) == {"user": {"name": "Ada"}}
    file.write_text("name =")
    with pytest.raises(ConfigError, match=r"config\.toml: not TOML"):
        read(bytes(file))
