"""Addresses of Git remotes (spec: git-bridge, GB50, GB51)."""

import os
from pathlib import Path

import pytest

from oxy.actions.remotes import NoRemoteError, RemoteTakenError
from oxy.actions.remotes import remotes as own
from oxy.repo.repository import Repository
from oxy_git.remote.address import (
    AddressError,
    GitRemote,
    NoGitRemoteError,
    add,
    addressed,
    meant,
    remotes,
    remove,
    shown,
)
from tests.builders.bridge import stamp


@pytest.mark.parametrize(
    "url",
    [
        b"https://example.org/x.git",
        b"ssh://ada@example.org:22/x",
        b"git@example.org:x.git",
        b"file:///srv/x",
        b"git://example.org/x",
    ],
)
def test_what_git_reaches_is_kept_as_it_is(url: bytes) -> None:
    assert addressed(url) == url


def test_a_path_is_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a:b").mkdir()
    monkeypatch.chdir(tmp_path)
    assert addressed(b"../x") == os.path.join(os.path.dirname(os.fsencode(tmp_path)), b"x")
    # Where there is such a file, it is no host.
    assert addressed(b"a:b") == os.path.join(os.fsencode(tmp_path), b"a:b")


def test_a_password_is_neither_shown_nor_told() -> None:
    assert shown(b"https://ada:secret@host/x") == b"https://ada:***@host/x"
    assert shown(b"https://ada@host/x") == b"https://ada@host/x"
    with pytest.raises(AddressError, match=r"'ftp://a:\*\*\*@h/x' is no address"):
        addressed(b"ftp://a:secret@h/x")


def test_an_address_has_refs_of_its_own() -> None:
    one, two = GitRemote(b"a", b"/x"), GitRemote(b"a", b"/y")
    assert one.space != two.space
    assert one.space == GitRemote(b"b", b"/x").space


def test_the_only_remote_or_origin_is_meant() -> None:
    repository = Repository.in_memory()
    with pytest.raises(NoGitRemoteError):
        meant(repository, None)
    first = add(repository, stamp(), b"first", b"/x")
    assert meant(repository, None) == first
    add(repository, stamp(), b"second", b"/y")
    with pytest.raises(NoGitRemoteError):
        meant(repository, None)
    origin = add(repository, stamp(), b"origin", b"/z")
    assert meant(repository, None) == origin
    assert meant(repository, b"first") == first
    with pytest.raises(NoRemoteError):
        meant(repository, b"third")


def test_a_name_is_taken_once_and_is_none_of_oxys_own() -> None:
    repository = Repository.in_memory()
    add(repository, stamp(), b"origin", b"/x")
    with pytest.raises(RemoteTakenError):
        add(repository, stamp(), b"origin", b"/y")
    assert list(own(repository)) == []
    remove(repository, stamp(), b"origin")
    assert list(remotes(repository)) == []
