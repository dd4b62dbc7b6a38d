import os
import stat
from pathlib import Path

import pytest

from oxy.actions.sshkeys import (
    Checked,
    Keygen,
    KeygenError,
    NoKeyError,
    NoSignersError,
    allowed_file,
    key_of,
)
from tests.builders.signer import Signer, alone

DATA = b"oxy change 00\n"
THEN = 1_700_000_000


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    alone(tmp_path, monkeypatch)
    return tmp_path


def configure(home: Path, text: str) -> None:
    (home / "config" / "oxy").mkdir(parents=True)
    (home / "config" / "oxy" / "config.toml").write_text(text)


def checked(home: Path, data: bytes, armor: bytes, seconds: int = THEN) -> Checked:
    return Keygen().check(data, armor, os.fsencode(home / "allowed"), seconds)


def test_what_an_allowed_signer_signed_is_theirs(home: Path) -> None:
    ada = Signer(home)
    ada.allow(home / "allowed")
    armor = Keygen().sign(str(ada.key), DATA)
    signers, key = checked(home, DATA, armor)
    assert signers == ("ada@example.org",)
    assert key.startswith("SHA256:")
    assert checked(home, b"other\n", armor) == Checked((), "")


def test_a_key_of_nobody_is_no_signer(home: Path) -> None:
    ada, bob = Signer(home), Signer(home, "bob@example.org")
    ada.allow(home / "allowed")
    signers, key = checked(home, DATA, Keygen().sign(str(bob.key), DATA))
    assert signers == ()
    assert key.startswith("SHA256:")


def test_a_key_counts_only_while_it_is_valid(home: Path) -> None:
    ada = Signer(home)
    ada.allow(home / "allowed", 'valid-before="20200101"')
    armor = Keygen().sign(str(ada.key), DATA)
    assert checked(home, DATA, armor).signers == ()
    assert checked(home, DATA, armor, 1_500_000_000).signers == ("ada@example.org",)
    assert checked(home, DATA, armor, -(10**12)).signers == ("ada@example.org",)


def test_a_signature_made_for_another_use_does_not_count(home: Path) -> None:
    ada = Signer(home)
    ada.allow(home / "allowed", 'namespaces="git"')
    assert checked(home, DATA, Keygen().sign(str(ada.key), DATA)).signers == ()


def test_a_program_that_does_not_sign_is_told(home: Path) -> None:
    with pytest.raises(KeygenError, match=r"did not sign: .*No such file"):
        Keygen().sign(str(home / "none"), DATA)
    configure(home, f'[signing]\nprogram = ["{home}/none"]\n')
    with pytest.raises(KeygenError, match="cannot be run: No such file"):
        Keygen().sign(str(home / "key"), DATA)


def test_the_text_of_a_public_key_asks_the_agent(home: Path) -> None:
    fake = home / "keygen"
    fake.write_text('#!/bin/sh\necho "$@" > "$HOME/said"; cat "$7" >> "$HOME/said"\n')
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    configure(home, f'[signing]\nprogram = ["{fake}"]\n')
    Keygen().sign("key::ssh-ed25519 AAAA", DATA)
    words, key = (home / "said").read_text().splitlines()
    assert words.startswith("-Y sign -n oxy -U -f ")
    assert key == "ssh-ed25519 AAAA"
    assert not Path(words.split()[-1]).exists()


def test_a_missing_file_of_signers_is_told(home: Path) -> None:
    with pytest.raises(KeygenError, match="no file of allowed signers"):
        checked(home, DATA, Keygen().sign(str(Signer(home).key), DATA))


def test_key_and_signers_are_oxys_then_gits(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoKeyError):
        key_of(None)
    with pytest.raises(NoSignersError):
        allowed_file()
    git = home / "gitconfig"
    git.write_text(
        '[user]\nsigningkey = /g\n[gpg]\nformat = ssh\n[gpg "ssh"]\nallowedSignersFile = ~/s\n'
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(git))
    assert key_of(None) == "/g"
    assert allowed_file() == os.fsencode(home / "s")
    configure(home, '[signing]\nkey = "/o"\nallowed = "/a"\n')
    assert key_of(None) == "/o"
    assert key_of("/given") == "/given"
    assert allowed_file() == b"/a"
    git.write_text("[user]\nsigningkey = ABCD\n")
    (home / "config" / "oxy" / "config.toml").unlink()
    with pytest.raises(NoKeyError):
        key_of(None)
