"""A repository that a team shares in a bucket, without a server (spec: SY22 to SY26)."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.azure import azure, azurite
from tests.builders.desk import AUTHOR, Desk
from tests.builders.moto import s3

AZURE = ("az",) if azurite() else ()
"""Azure's form of it, where the server for it is installed: `.ci/run` installs it."""

SERVERS = {"s3": "environment", "az": "containers"}


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    monkeypatch.setenv("HOME", str(tmp_path))
    desk = Desk(tmp_path, capfdbinary)
    (tmp_path / "disk").mkdir()
    desk.says("init", "ada")
    return desk


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    with s3() as found:
        yield found


@pytest.fixture(scope="module")
def containers() -> Iterator[dict[str, str]]:
    with azure() as found:
        yield found


def commit(desk: Desk, name: str, text: str, where: str = "ada") -> None:
    desk.write(f"{where}/{name}", text)
    desk.says("commit", "-m", f"Write {name}", where=where)


@pytest.fixture(params=["file", "s3", *AZURE])
def address(request: pytest.FixtureRequest, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "file":
        return f"file://{desk.root}/disk"
    for name, value in request.getfixturevalue(SERVERS[request.param]).items():
        monkeypatch.setenv(name, value)
    return f"{request.param}://team/{desk.root.name}"


def test_a_team_shares_a_repository_in_a_bucket(desk: Desk, address: str) -> None:
    commit(desk, "f", "1\n")
    desk.says("remote", "add", "origin", address, where="ada")
    assert desk.says("push", "origin", where="ada") == "pushed main (new): 1 change\n"
    assert desk.says("push", "origin", where="ada") == "nothing to push: all of it is there\n"
    assert desk.says("clone", address, "grace") == (
        f"made a repository in {desk.root}/grace: 1 change, on main\n"
    )
    commit(desk, "g", "1\n", "grace")
    assert desk.says("push", "--dry-run", where="grace") == "would push main: 1 change\n"
    assert desk.says("push", where="grace") == "pushed main: 1 change\n"
    commit(desk, "f", "2\n")
    assert desk.refuses("-C", "ada", "push", "origin", code=3) == (
        "oxy: 'main' of origin has changes that were not seen here; it was not moved\n"
        "hint: pull first, and push then\n"
    )
    assert desk.says("pull", where="ada") == (
        "1 change came by Ada Lovelace\n"
        "  ID Write g\n"
        "merged into main: 1 change by Ada Lovelace\n"
        "A g\n"
    )
    desk.says("tag", "v1", where="ada")
    assert desk.says("push", "origin", "main", "--tag", "v1", where="ada") == (
        "pushed main: 1 change\npushed tag v1 (new): 3 changes\n"
    )
    desk.says("pull", where="grace")
    assert (desk.root / "grace/f").read_text() == "2\n"
    assert desk.says("tag", where="grace").startswith("v1 ")
    desk.says("push", "origin", "--delete", "main", where="ada")
    assert desk.says("fetch", where="grace") == "nothing new\n"


def test_what_nothing_names_is_dropped(desk: Desk, address: str) -> None:
    assert desk.says("bucket", "gc", address) == "nothing to do\n"
    desk.says("remote", "add", "team", address, where="ada")
    for at in range(3):
        commit(desk, f"f{at}", "1\n")
        desk.says("push", "team", where="ada")
    desk.says("bookmark", "side", where="ada")
    desk.says("push", "team", "side", where="ada")
    commit(desk, "g", "1\n")
    desk.says("push", "team", where="ada")
    desk.says("uncommit", where="ada")
    desk.says("push", "team", where="ada")
    assert desk.says("bucket", "gc", "team", "-n", where="ada") == (
        "would have dropped 1 change\nwould have joined 3 objects\n"
    )
    assert desk.says("bucket", "gc", "team", where="ada") == (
        "dropped 1 change\njoined 3 objects\n"
    )
    assert desk.says("bucket", "gc", "team", where="ada") == "nothing to do\n"
    assert desk.record("bucket", "gc", address) == {
        "dropped": 0,
        "joined": 0,
        "deleted": 0,
        "bytes": 0,
    }
    assert desk.says("clone", address, "grace") == (
        f"made a repository in {desk.root}/grace: 3 changes, on main\n"
    )


def test_what_is_to_be_collected_has_to_be_a_bucket(desk: Desk) -> None:
    hint = "hint: `oxy help buckets` tells what one is\n"
    assert desk.refuses("bucket", "gc", "https://example.org/p", code=2) == (
        f"oxy: https://example.org/p is no bucket\n{hint}"
    )
    desk.says("remote", "add", "home", str(desk.root / "disk"), where="ada")
    assert desk.refuses("-C", "ada", "bucket", "gc", "home", code=2) == (
        f"oxy: ROOT/disk is no bucket\n{hint}"
    )
    assert desk.refuses(
        "bucket", "gc", f"file://{desk.root}/disk", "--grace", "soon", code=2
    ).startswith("oxy: --grace is 'soon', which is no number of days\n")
    assert "file:///PATH" in desk.says("help", "buckets")


def test_the_client_may_not_be_installed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "oxy.sync.bucket.cloud", raising=False)
    monkeypatch.setitem(sys.modules, "obstore", None)
    assert desk.refuses("clone", "s3://team/p", "grace", code=3) == (
        "oxy: s3:// needs obstore, which is not installed\n"
        "hint: `pip install 'oxy[buckets]'` installs it\n"
    )


def test_where_there_is_no_bucket_that_is_told(desk: Desk) -> None:
    assert desk.refuses("clone", f"file://{desk.root}/nowhere", "grace", code=3) == (
        "oxy: there is no bucket at ROOT/nowhere\n"
        "hint: make it, as a directory or with what its owner offers for that\n"
    )


def test_a_repository_is_no_bucket(desk: Desk) -> None:
    assert desk.refuses("clone", f"file://{desk.root}/ada", "grace", code=2) == (
        "oxy: ROOT/ada is a repository, not a bucket\nhint: name its directory, without file://\n"
    )


def test_what_a_store_refuses_is_told_without_secrets(
    desk: Desk, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert desk.refuses("clone", "s3://nobodys/place", "grace", code=3) == (
        "oxy: there is no bucket at s3://nobodys/place\n"
        "hint: make it, as a directory or with what its owner offers for that\n"
    )
    monkeypatch.delenv("AWS_ALLOW_HTTP")
    said = desk.refuses("clone", "s3://team/other", "grace", code=3)
    assert "nobody-sees-this" not in said
    assert desk.refuses("clone", "s3://who:secret@team/other", "grace", code=2) == (
        "oxy: the address s3://who:***@team/other is refused: "
        "its bucket is none; who asks, the environment says\n"
        "hint: `oxy help clone` tells what an address is\n"
    )
