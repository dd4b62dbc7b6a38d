from pathlib import Path

import pytest

from oxy.actions.access import (
    Access,
    NoAccessFileError,
    NoUserError,
    Rights,
    UserExistsError,
    UserNameError,
    digest_of,
    fits,
    loaded,
    rights_of,
)
from oxy.actions.granting import grant, grant_anyone, granted, renew, revoke
from oxy.repo.refs import BOOKMARK, TAG
from oxy.repo.userfile import ConfigError

ADA = Rights("ada", ("*",), ("main", "ada/*"), ("ada/*",))


@pytest.fixture
def path(tmp_path: Path) -> bytes:
    return bytes(tmp_path / "access.toml")


@pytest.mark.parametrize(
    ("patterns", "kind", "name", "is_fitting"),
    [
        (("*",), BOOKMARK, b"main", True),
        (("*",), TAG, b"v1", True),
        (("ada/*",), BOOKMARK, b"ada/x", True),
        (("ada/*",), BOOKMARK, b"ada", False),
        (("ada/*",), TAG, b"ada/x", False),
        (("tag:v*",), TAG, b"v1", True),
        (("tag:v*",), BOOKMARK, b"tag:v1", False),
        (("main",), BOOKMARK, b"Main", False),
        ((), BOOKMARK, b"main", False),
    ],
)
def test_patterns_fit_names(
    patterns: tuple[str, ...], kind: int, name: bytes, *, is_fitting: bool
) -> None:
    assert fits(patterns, kind, name) is is_fitting


def test_a_user_is_known_by_a_token_that_is_kept_nowhere(path: bytes) -> None:
    token = grant(path, ADA).token
    assert token.encode() not in Path(path.decode()).read_bytes()
    assert Path(path.decode()).stat().st_mode & 0o777 == 0o600
    access = loaded(path)
    assert rights_of(access, token) == ADA
    assert rights_of(access, digest_of(token)) is None
    assert rights_of(access, None) is None
    grant_anyone(path, ("main",))
    assert rights_of(loaded(path), None) == Rights("anyone", ("main",))
    assert granted(path) == [ADA, Rights("anyone", ("main",))]


def test_a_token_ends_with_the_next_or_with_its_user(path: bytes) -> None:
    first = grant(path, ADA).token
    second = renew(path, "ada").token
    assert rights_of(loaded(path), first) is None
    assert rights_of(loaded(path), second) == ADA
    revoke(path, "ada")
    assert rights_of(loaded(path), second) is None
    assert granted(path) == []


def test_comments_and_order_stay(path: bytes) -> None:
    grant(path, ADA)
    file = Path(path.decode())
    file.write_text("# ours\n" + file.read_text())
    grant(path, ADA._replace(user="bob"))
    assert file.read_text().startswith("# ours\n[user.ada]\n")


def test_who_is_there_or_is_not_is_told(path: bytes) -> None:
    grant(path, ADA)
    with pytest.raises(UserExistsError):
        grant(path, ADA)
    with pytest.raises(NoUserError) as caught:
        renew(path, "adda")
    assert caught.value.near == ("ada",)
    for name in ("anyone", "", "a b", "a]"):
        with pytest.raises(UserNameError):
            grant(path, ADA._replace(user=name))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("usr = 1\n", "nothing is called 'usr' there"),
        ("user = 1\n", "user is no table"),
        ("[user.ada]\n", "user.ada.token is no digest of a token"),
        ("[user.ada]\ntoken = 'x'\n", "user.ada.token is no digest of a token"),
        (f"[user.ada]\ntoken = '{'0' * 64}'\nread = '*'\n", "ada.read is no list of patterns"),
        (f"[user.ada]\ntoken = '{'0' * 64}'\nreads = []\n", "ada has nothing called 'reads'"),
        ("[limits]\nbytes = true\n", "limits.bytes is no number above 0"),
        ("[anyone]\npush = [1]\n", "anyone.push is no list of patterns"),
    ],
)
def test_a_file_of_another_form_lets_nobody_in(path: bytes, text: str, why: str) -> None:
    Path(path.decode()).write_text(text)
    with pytest.raises(ConfigError) as caught:
        loaded(path)
    assert caught.value.why == why


def test_without_a_file_nobody_may_do_anything(path: bytes) -> None:
    with pytest.raises(NoAccessFileError):
        loaded(path)
    Path(path.decode()).write_text("[limits]\nper_minute = 3\nbytes = 9\n")
    assert loaded(path) == Access({}, None, 3, 9)
