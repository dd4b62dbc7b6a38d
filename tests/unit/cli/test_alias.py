from pathlib import Path

import pytest

from oxy.cli.alias import aliases, expanded
from oxy.repo.userfile import ConfigError


@pytest.fixture(autouse=True)
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "oxy").mkdir()
    (tmp_path / "oxy/config.toml").write_text(
        '[alias]\nst = "status -s \'a b\'"\nloop = "loop"\nno = 3\n'
    )


def test_words_stand_for_words() -> None:
    assert expanded(["st", "x"]) == ["status", "-s", "a b", "x"]
    assert expanded(["none", "x"]) is None
    assert expanded([""]) is None
    assert aliases() == ["st", "loop", "no"]


def test_an_alias_never_stands_for_an_alias() -> None:
    with pytest.raises(
        ConfigError, match=r"alias\.loop begins with 'loop', which is no command"
    ):
        expanded(["loop"])
    with pytest.raises(ConfigError, match=r"alias\.no is no text"):
        expanded(["no"])
