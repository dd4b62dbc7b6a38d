"""What tells a server who asks: for the host that it was given for, and for no other."""

from pathlib import Path

import pytest

from oxy.actions.credentials import TokensError, authorization
from oxy.sync.address import Web, parse

HTTPS = b"https://example.org/p"


def given(address: bytes) -> bytes | None:
    where = parse(address)
    assert isinstance(where, Web)
    return authorization(where)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NETRC", raising=False)
    monkeypatch.delenv("OXY_TOKENS", raising=False)


def netrc(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o600)


def test_without_any_there_are_none() -> None:
    assert given(HTTPS) is None


def test_a_token_is_for_its_host_and_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OXY_TOKENS", "other.org=no example.org=yes=1 example.org:8443=eight")
    assert given(HTTPS) == b"Bearer yes=1"
    assert given(b"https://example.org:443/p") == b"Bearer yes=1"
    assert given(b"https://example.org:8443/p") == b"Bearer eight"
    assert given(b"https://example.org:9000/p") is None
    assert given(b"https://sub.example.org/p") is None


def test_nothing_is_sent_where_others_read_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OXY_TOKENS", "example.org=t localhost=l [::1]:8417=s 127.0.0.1:8417=n")
    assert given(b"http://example.org/p") is None
    assert given(b"http://localhost/p") == b"Bearer l"
    assert given(b"http://[::1]:8417/p") == b"Bearer s"
    assert given(b"http://127.0.0.1:8417") == b"Bearer n"


def test_a_name_that_only_looks_like_this_machine_is_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OXY_TOKENS", "127.evil.example=t 127.0.0.1.evil.example=t")
    assert given(b"http://127.evil.example/p") is None
    assert given(b"http://127.0.0.1.evil.example/p") is None


@pytest.mark.parametrize("tokens", ["hunter2", "a=b hunter2", "a=hunt\x1ber2", "a=hunter2é"])
def test_what_is_no_list_of_tokens_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, tokens: str
) -> None:
    monkeypatch.setenv("OXY_TOKENS", tokens)
    with pytest.raises(TokensError) as caught:
        given(HTTPS)
    assert "hunt" not in str(caught.value)


def test_a_netrc_file_says_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc(tmp_path / ".netrc", "machine example.org login ada password secret\n")
    assert given(HTTPS) == b"Basic YWRhOnNlY3JldA=="
    assert given(b"https://ada@example.org/p") == b"Basic YWRhOnNlY3JldA=="
    assert given(b"https://grace@example.org/p") is None
    assert given(b"https://example.com/p") is None
    netrc(tmp_path / "other", "machine example.org login ada password other\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "other"))
    assert given(HTTPS) == b"Basic YWRhOm90aGVy"


@pytest.mark.parametrize("text", ["machine\n", "\x00", "machine example.org login"])
def test_a_netrc_file_that_makes_no_sense_says_nothing(tmp_path: Path, text: str) -> None:
    netrc(tmp_path / ".netrc", text)
    assert given(HTTPS) is None
