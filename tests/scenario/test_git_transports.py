"""`oxy git clone`, `pull` and `push` through ssh and HTTP, as they are (GB37, GB51)."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, Desk
from tests.builders.githttp import http_backend
from tests.builders.gitrepo import GitRepo
from tests.builders.sshd import sshd


@pytest.fixture
def hub(tmp_path: Path) -> GitRepo:
    hub = GitRepo(tmp_path / "hub.git", bare=True)
    hub.git("config", "http.receivepack", "true")
    hub.main({b"a": b"one\n"})
    return hub


@pytest.fixture(params=["ssh", "http"])
def address(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Where the hub is, by each of the ways there."""
    if request.param == "http":
        with http_backend(tmp_path) as server:
            yield f"{server}/hub.git"
        return
    keys = tmp_path / "keys"
    keys.mkdir()
    with sshd(keys) as server:
        monkeypatch.setenv("GIT_SSH_COMMAND", shlex.join(server.command))
        yield f"{server.address}{tmp_path}/hub.git"


def test_a_clone_pulls_and_pushes(
    address: str,
    hub: GitRepo,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    first = hub.git("rev-parse", "main").decode().strip()
    desk.says("git", "clone", address, "mine")
    assert (tmp_path / "mine/a").read_bytes() == b"one\n"
    second = hub.main({b"a": b"one\n", b"b": b"two\n"}, first)
    desk.says("git", "pull", where="mine")
    assert (tmp_path / "mine/b").read_bytes() == b"two\n"
    desk.write("mine/a", "edited\n")
    desk.says("commit", "-m", "Edit", where="mine")
    desk.says("git", "push", where="mine")
    assert hub.git("rev-parse", "main~1").decode().strip() == second
    assert hub.git("show", "main:a") == b"edited\n"
    assert desk.says("git", "status", where="mine").splitlines()[-1].endswith("the same")
    hub.git("fsck", "--strict")


def test_a_place_that_is_not_there_is_told_and_nothing_is_left(
    address: str,
    hub: GitRepo,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    gone = address.replace("hub.git", "gone.git")
    assert hub.git("rev-parse", "--is-bare-repository") == b"true\n"
    assert desk.run("git", "clone", gone, "mine") == 3
    assert not (tmp_path / "mine").exists()
