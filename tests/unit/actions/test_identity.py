from pathlib import Path

import pytest

from oxy.actions.config import text as configured
from oxy.actions.identity import (
    AuthorError,
    NoIdentityError,
    author_of,
    identity,
    operator,
)
from oxy.codec.limits import AUTHOR
from oxy.repo.userfile import ConfigError


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no configuration of whoever runs the tests count."""
    monkeypatch.delenv("OXY_AUTHOR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_nearest_to_the_user_decides(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    control = tmp_path / "work/.oxy"
    control.mkdir(parents=True)
    with pytest.raises(NoIdentityError):
        identity(bytes(control))
    put(tmp_path / ".gitconfig", "[user]\nname = Git\nemail = git@example.org\n")
    assert identity(bytes(control)) == b"Git <git@example.org>"
    put(tmp_path / "config/oxy/config.toml", '[user]\nname = "Own"\n')
    assert identity(bytes(control)) == b"Own <git@example.org>"
    put(control / "config.toml", '[user]\nemail = "here@example.org"\n')
    assert identity(bytes(control)) == b"Own <here@example.org>"
    monkeypatch.setenv("OXY_AUTHOR", "Said <said@example.org>")
    assert identity(bytes(control)) == b"Said <said@example.org>"
    assert operator() == b"Said <said@example.org>"


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"Ada",
        b"Ada <a",
        b"Ada <a>\nb: <c>",
        b"A\0 <a>",
        b"A\r <a>",
        b"A" * AUTHOR + b"<a>",
    ],
)
def test_what_is_no_author_is_refused(given: bytes) -> None:
    with pytest.raises(AuthorError):
        author_of(given)


def test_an_author_may_have_any_bytes() -> None:
    assert author_of(b" J\xf6rg <j@x> ") == b"J\xf6rg <j@x>"


@pytest.mark.parametrize("text", ["[user", "user = 1\n[user]", "[user]\nname = 1\n"])
def test_a_configuration_that_is_none_is_named(tmp_path: Path, text: str) -> None:
    put(tmp_path / "config/oxy/config.toml", text)
    with pytest.raises(ConfigError, match=r"config\.toml"):
        configured(None, "user.name")


def test_somebody_always_works() -> None:
    assert operator()
