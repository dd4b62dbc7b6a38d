"""`oxy serve --http` as it is run, and many who push to it at once."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from oxy.actions.web import application
from tests.builders.desk import AUTHOR, Desk
from tests.builders.tree import held
from tests.builders.web import answer, certificate, scripted, serving

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = int(os.environ.get("OXY_CLIENTS", "3"))
PUSHES = int(os.environ.get("OXY_PUSHES", "4"))
SHARE = max(2, CLIENTS // 4)
"""Clients that push to one bookmark; each other has one of its own."""
BOOKMARKS = {f"c{at}": "main" if at < SHARE else f"b{at}" for at in range(CLIENTS)}


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    monkeypatch.setenv("HOME", str(tmp_path))
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init", "ada")
    return desk


def oxy(*words: str) -> list[str]:
    return [sys.executable, "-m", "oxy", *words]


@contextmanager
def running(desk: Desk, *words: str) -> Iterator[tuple[str, str]]:
    """Run `oxy serve --http`; yield what it says and its address."""
    with subprocess.Popen(
        oxy("serve", "--http", "--address", "127.0.0.1:0", *words, "--json", "ada"),
        cwd=desk.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        try:
            yield said, str(json.loads(said)["address"])
        finally:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (0, "", "")


def test_others_read_what_is_served_and_push_only_where_they_may(desk: Desk) -> None:
    desk.write("ada/f", "1\n")
    desk.says("commit", "-m", "Begin", where="ada")
    with running(desk) as (said, address):
        assert json.loads(said) == {
            "path": str(desk.root / "ada"),
            "address": address,
            "pushes": False,
        }
        assert desk.says("clone", address, "grace") == (
            f"made a repository in {desk.root}/grace: 1 change, on main\n"
        )
        desk.write("grace/g", "1\n")
        desk.says("commit", "-m", "More", where="grace")
        assert desk.refuses("-C", "grace", "push", code=2) == (
            f"oxy: {address} does not let you push\nhint: whoever serves it decides that\n"
        )
        assert desk.refuses("clone", f"{address}/nowhere", "c", code=3) == (
            f"oxy: no repository answers at {address}/nowhere (status 404)\n"
            "hint: `oxy serve --http` is to run there\n"
        )
    with running(desk, "--allow-push") as (_, address):
        desk.says("remote", "add", "open", address, where="grace")
        assert desk.says("push", "open", where="grace") == "pushed main: 1 change\n"
        assert desk.says("push", "open", where="grace") == (
            "nothing to push: all of it is there\n"
        )
    assert desk.refuses("-C", "grace", "pull", "open", code=3) == (
        f"oxy: {address.removeprefix('http://')} cannot be reached: Connection refused\n"
        "hint: try again when it can be reached\n"
    )


def test_it_says_in_words_what_it_does(desk: Desk) -> None:
    words = oxy("serve", "--http", "--address", "127.0.0.1:0", "--allow-push", "ada")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        words, cwd=desk.root, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        # Where this is run in the background, an early SIGINT may be ignored.
        process.terminate()
    start, _, rest = said.partition(" at http://127.0.0.1:")
    assert start == f"serving {desk.root}/ada"
    assert rest.lstrip("0123456789") == ", to pull from and push to\n"


def test_where_nothing_can_be_served_that_is_told(desk: Desk) -> None:
    assert desk.refuses("serve", "--http", code=3) == (
        "oxy: no repository at or above ROOT\nhint: start one with `oxy init`\n"
    )
    assert desk.refuses("serve", "--http", "--address", "8417", "ada", code=2) == (
        "oxy: '8417' is no address to serve at: it is HOST:PORT\n"
    )
    with serving(application(str(desk.root / "ada"))) as taken:
        assert desk.refuses("serve", "--http", "--address", taken, "ada", code=3) == (
            f"oxy: nothing can be served at {taken}: Address already in use\n"
            "hint: `--address` says where; port 0 is any free one\n"
        )


def test_what_serves_may_not_be_installed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "oxy.actions.listening")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert desk.refuses("serve", "--http", "ada", code=3) == (
        "oxy: what serves over HTTP is not installed\n"
        "hint: `pip install 'oxy[serve]'` installs it\n"
    )


def test_https_is_served_to_those_who_trust_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain, key = certificate(desk.root)
    with running(desk, "--certificate", chain, "--key", key) as (_, address):
        assert address.startswith("https://")
        assert desk.refuses("clone", address, "grace", code=3) == (
            f"oxy: {address.removeprefix('https://')} does not prove who it is: "
            "self-signed certificate\n"
            "hint: SSL_CERT_FILE names a file of those you trust\n"
        )
        monkeypatch.setenv("SSL_CERT_FILE", chain)
        desk.says("clone", address, "grace")


def test_a_token_is_sent_to_its_host_and_shown_nowhere(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = answer(b"", b"content-type: text/html", status=b"401 Unauthorized")
    with scripted(lambda connection: connection.sendall(said)) as server:
        address = server.address.decode()
        monkeypatch.setenv("OXY_TOKENS", f"127.0.0.1:{server.port}=hunter2 other.org=x")
        found = desk.refuses("-C", "ada", "pull", address, code=3)
        assert found == (
            f"oxy: {address} does not take the credentials for it\n"
            "hint: `oxy help credentials` tells where they are kept\n"
        )
        monkeypatch.setenv("OXY_TOKENS", "other.org=hunter2")
        assert "wants credentials" in desk.refuses("-C", "ada", "pull", address, code=3)
    assert [b"hunter2" in head for head in server.heads] == [True, False]
    assert not any(b"hunter2" in file.data for file in held(desk.root / "ada/.oxy").values())


def test_what_many_push_at_once_all_arrives(desk: Desk) -> None:
    desk.write("ada/f", "1\n")
    desk.says("commit", "-m", "Begin", where="ada")
    with running(desk, "--allow-push") as (_, address):
        soaker = [sys.executable, "-m", "tests.builders.soaker"]
        clients = [
            subprocess.Popen(
                [*soaker, str(desk.root / name), address, name, str(PUSHES), bookmark],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
            for name, bookmark in BOOKMARKS.items()
        ]
        codes = [each.wait() for each in clients]
    assert codes == [0] * CLIENTS
    for bookmark in set(BOOKMARKS.values()):
        desk.says("switch", bookmark, where="ada")
        clients_of = [name for name, goal in BOOKMARKS.items() if goal == bookmark]
        assert {name for name in os.listdir(desk.root / "ada") if "-" in name} == {
            f"{name}-{at}" for name in clients_of for at in range(PUSHES)
        }
    log = desk.says("log", "--oneline", "|".join(set(BOOKMARKS.values())), where="ada")
    assert len(log.splitlines()) == CLIENTS * PUSHES + 1
    desk.says("fsck", where="ada")
