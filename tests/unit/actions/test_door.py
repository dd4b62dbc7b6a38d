import os
from base64 import b64encode
from pathlib import Path

import pytest

from oxy.actions import door as module
from oxy.actions.access import Rights
from oxy.actions.door import FORBIDDEN, NOT_READY, TOO_OFTEN, UNKNOWN, Door, token_of
from oxy.actions.granting import grant, grant_anyone, revoke
from oxy.sync.web.application import Asking

READER = Rights("rea", ("*",))
WRITER = Rights("wri", ("*",), ("main",))


@pytest.fixture
def path(tmp_path: Path) -> bytes:
    return bytes(tmp_path / "access.toml")


def bearer(token: str, *, takes: bool = False) -> Asking:
    return Asking(b"Bearer " + token.encode(), "127.0.0.1", takes)


def nobody(*, takes: bool = False, client: str = "127.0.0.1") -> Asking:
    return Asking(None, client, takes)


def test_a_token_is_the_word_of_bearer_and_the_password_of_basic() -> None:
    assert token_of(None) is None
    assert token_of(b"Bearer abc") == "abc"
    assert token_of(b"basic " + b64encode(b"ada:a:b")) == "a:b"
    assert token_of(b"Basic !") == ""
    assert token_of(b"Digest abc") == ""


def test_users_are_let_in_as_far_as_they_may(path: bytes) -> None:
    reader, writer = grant(path, READER).token, grant(path, WRITER).token
    door = Door(path)
    assert door.rights(bearer(reader)) == READER
    assert door.rights(bearer(reader, takes=True)) == FORBIDDEN
    assert door.rights(bearer(writer, takes=True)) == WRITER
    assert door.rights(bearer("guess")) == UNKNOWN
    assert door.rights(nobody()) == UNKNOWN


def test_who_has_no_token_reads_where_anyone_may(path: bytes) -> None:
    grant_anyone(path, ("main",))
    door = Door(path)
    assert door.rights(nobody()) == Rights("anyone", ("main",))
    assert door.rights(nobody(takes=True)) == UNKNOWN
    assert door.rights(bearer("guess")) == UNKNOWN


def test_what_was_taken_away_ends_at_once(path: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    token = grant(path, READER).token
    door = Door(path)
    monkeypatch.setattr(module, "_LOOKS", 0.0)
    assert door.rights(bearer(token)) == READER
    revoke(path, READER.user)
    assert door.rights(bearer(token)) == UNKNOWN
    Path(os.fsdecode(path)).write_text("nonsense")
    assert door.rights(bearer(token)) == NOT_READY


def test_who_asks_too_often_waits(path: bytes) -> None:
    token = grant(path, READER).token
    file = Path(os.fsdecode(path))
    grant_anyone(path, ("*",))
    file.write_text(file.read_text() + "\n[limits]\nper_minute = 2\n")
    door = Door(path)
    asked = [door.rights(bearer(token)) for _ in range(3)]
    assert asked == [READER, READER, TOO_OFTEN]
    assert door.rights(nobody()) == Rights("anyone", ("*",))
    others = [door.rights(nobody(client=f"10.0.{n // 200}.{n % 200}")) for n in range(5000)]
    assert TOO_OFTEN not in others
