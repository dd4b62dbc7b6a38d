"""Signatures, through the real command line, to the letter."""

import re
from pathlib import Path

import pytest

from tests.builders.desk import Desk
from tests.builders.signer import Signer, alone

KEY = re.compile(r"SHA256:[\w+/=]+")


@pytest.fixture
def ada(
    desk: Desk, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Signer:
    home = tmp_path_factory.mktemp("home")
    alone(home, monkeypatch)
    desk.write("a", "1\n")
    desk.commit("One")
    return Signer(home)


def believe(desk: Desk, signer: Signer) -> Path:
    """Let the user's configuration name the key, and the file of allowed signers."""
    allowed = signer.allow(signer.key.with_name("allowed"))
    desk.says("config", "set", "--user", "signing.key", str(signer.key))
    desk.says("config", "set", "--user", "signing.allowed", str(allowed))
    return allowed


def told(desk: Desk) -> str:
    return KEY.sub("KEY", desk.out)


def test_a_change_is_signed_and_verified(desk: Desk, ada: Signer) -> None:
    assert desk.refuses("sign", code=3) == (
        "oxy: no key is known to sign with\n"
        "hint: name one with --key, or set signing.key: `oxy config set --user signing.key "
        "FILE`\n"
    )
    assert desk.refuses("verify", code=3) == (
        "oxy: no file of allowed signers is known\n"
        "hint: `oxy config set --user signing.allowed FILE`; lines of it are `ADDRESS KEY`\n"
    )
    believe(desk, ada)
    assert desk.run("verify") == 1
    assert desk.out.endswith("  unsigned\n")
    assert desk.says("sign") == "signed change ID\n"
    assert desk.run("sign") == 1
    assert desk.err == "nothing to sign: it bears this signature\n"
    assert KEY.sub("KEY", desk.says("verify")) == ("change ID  good by ada@example.org (KEY)\n")
    found = desk.record("verify")
    assert found["is_good"] is True
    assert "signature: good by ada@example.org" in desk.says("log", "--show-signature")
    assert desk.says("log") == desk.says("log")
    assert "signature" not in desk.says("log")
    shown = desk.record("show", "--show-signature")["signatures"]
    assert isinstance(shown, list)
    assert shown[0]["signers"] == ["ada@example.org"]
    assert desk.refuses("log", "--show-signature", "--oneline", code=2) == (
        "oxy: --show-signature goes with neither --oneline nor --format\n"
    )


def test_a_key_that_nobody_knows_is_no_proof(desk: Desk, ada: Signer) -> None:
    believe(desk, ada)
    bob = Signer(ada.key.parent, "bob@example.org")
    desk.says("sign", "--key", str(bob.key))
    assert desk.run("verify") == 1
    assert told(desk).endswith("  unknown key (KEY)\n")


def test_what_is_recorded_is_signed_at_once_where_that_is_set(desk: Desk, ada: Signer) -> None:
    believe(desk, ada)
    desk.says("config", "set", "--user", "signing.when", "always")
    desk.write("a", "2\n")
    desk.commit("Two")
    assert desk.says("verify").count("good") == 1
    desk.write("a", "3\n")
    desk.says("amend", "-m", "Two again")
    assert desk.says("verify").count("good") == 1
    desk.says("config", "set", "--user", "signing.key", str(ada.key.parent / "none"))
    desk.write("a", "4\n")
    assert desk.run("commit", "-m", "Three") == 3
    assert desk.out.endswith(" Three\n")
    assert "warning: recorded, and not signed: ssh-keygen did not sign: " in desk.err
    assert desk.run("verify") == 1


def test_a_tag_is_signed_once(desk: Desk, ada: Signer) -> None:
    believe(desk, ada)
    desk.says("tag", "v1", "-m", "First")
    assert desk.run("verify", "--tag", "v1") == 1
    assert desk.says("sign", "--tag", "v1") == "signed tag v1\n"
    assert KEY.sub("KEY", desk.says("verify", "--tag", "v1")) == (
        "tag v1  good by ada@example.org (KEY)\n"
    )
    assert desk.refuses("sign", "--tag", "v1", code=2) == "oxy: tag 'v1' is signed already\n"
    assert "First" in desk.says("tag", "--show", "v1")


def test_signatures_travel_with_changes_and_after_them(desk: Desk, ada: Signer) -> None:
    believe(desk, ada)
    other = f"../{desk.root.name}-other"
    desk.says("sign")
    desk.says("clone", ".", other)
    assert "good by ada@example.org" in desk.says("verify", where=other)
    desk.write("a", "2\n")
    desk.commit("Two")
    desk.says("push", other)
    desk.says("switch", "main", where=other)
    assert desk.run("verify", "main", where=other) == 1
    desk.says("sign")
    desk.says("push", other)
    assert "good" in desk.says("verify", "main", where=other)
    bob = Signer(ada.key.parent, "bob@example.org")
    bob.allow(ada.key.with_name("allowed"))
    desk.says("sign", "--key", str(bob.key))
    desk.says("pull", where=other)
    assert desk.says("verify", where=other).count("good by") == 2


def test_a_bookmark_takes_only_what_its_signers_signed(desk: Desk, ada: Signer) -> None:
    believe(desk, ada)
    other = f"../{desk.root.name}-other"
    desk.says("sign")
    desk.says("clone", ".", other)
    desk.says("config", "set", "--user", "signers.ma*", ada.address)
    desk.write("a", "2\n")
    desk.commit("Two")
    assert desk.refuses("push", other, code=3).replace("ROOT-other", "OTHER") == (
        "oxy: 'main' of OTHER takes only what its signers signed; it was not moved\n"
        "hint: `oxy sign` signs what you recorded; who may sign is for the owner of that "
        "repository\n"
    )
    assert desk.run("pull", where=other) == 3
    assert desk.err.startswith(
        "oxy: bookmark 'main' takes only what its signers signed, and nobody of them did: "
    )
    bob = Signer(ada.key.parent, "bob@example.org")
    bob.allow(ada.key.with_name("allowed"))
    desk.says("sign", "--key", str(bob.key))
    assert desk.run("push", other) == 3
    desk.says("sign")
    desk.says("push", other)
    assert desk.says("log", "--oneline", "main", where=other).count("Two") == 1
