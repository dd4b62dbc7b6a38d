"""A repository as plain files, through the real command line (spec: sync, SY56 to SY60)."""

import json
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.builders.desk import AUTHOR, Desk


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init", "ada")
    commit(desk, "1\n", "Begin")
    return desk


def commit(desk: Desk, text: str, message: str, where: str = "ada") -> None:
    desk.write(f"{where}/f", text)
    desk.says("commit", "-m", message, where=where)


def test_what_is_published_is_cloned_and_pulled(desk: Desk) -> None:
    desk.says("tag", "v1", where="ada")
    assert desk.says("publish", "../www", where="ada") == "../www: 1 change in 2 files\n"
    assert desk.says("publish", "../www", where="ada") == ("nothing new to publish in ../www\n")
    assert desk.says("clone", "www", "grace") == (
        f"made a repository in {desk.root}/grace: 1 change, on main\n"
    )
    assert (desk.root / "grace/f").read_text() == "1\n"
    assert desk.says("tag", where="grace").startswith("v1 ")
    assert desk.says("pull", where="grace") == "nothing new\n"
    commit(desk, "2\n", "Go on")
    desk.says("publish", "../www", where="ada")
    assert desk.says("pull", where="grace") == (
        "1 change came by Ada Lovelace\n"
        "  ID Go on\n"
        "merged into main: 1 change by Ada Lovelace\n"
        "M f\n"
    )
    assert (desk.root / "grace/f").read_text() == "2\n"


@pytest.fixture
def address(desk: Desk) -> Iterator[str]:
    """Let a dumb web server hand out the directory www."""
    (desk.root / "www").mkdir()

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(desk.root / "www"))  # type: ignore[arg-type] # as it comes

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- as the library declares it
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/project"
    server.shutdown()
    server.server_close()
    thread.join()


def test_any_web_server_hands_it_out(desk: Desk, address: str) -> None:
    assert f"no repository answers at {address}" in desk.refuses(
        "clone", address, "grace", code=3
    )
    desk.says("publish", "../www/project", where="ada")
    assert desk.says("clone", address, "grace") == (
        f"made a repository in {desk.root}/grace: 1 change, on main\n"
    )
    commit(desk, "2\n", "Go on")
    desk.says("publish", "../www/project", where="ada")
    assert desk.says("fetch", where="grace").startswith("1 change came by Ada Lovelace\n")
    assert desk.says("pull", where="grace").endswith("M f\n")
    commit(desk, "3\n", "Mine", where="grace")
    assert "is only read" in desk.refuses("-C", "grace", "push", code=2)
    assert desk.says("fsck", where="grace") == desk.says("fsck", where="ada").replace(
        "2 changes", "3 changes"
    )


def test_publishing_tells_a_script_what_it_did(desk: Desk) -> None:
    desk.says("publish", "../www", "--json", where="ada")
    assert json.loads(desk.out) == {
        "path": str(desk.root / "www"),
        "changes": 1,
        "written": 2,
        "removed": 0,
    }


def test_only_the_bookmarks_that_are_named_are_published(desk: Desk) -> None:
    desk.says("tag", "v1", where="ada")
    desk.says("switch", "-c", "topic", where="ada")
    commit(desk, "2\n", "Aside")
    desk.says("publish", "../www", "main", where="ada")
    desk.says("clone", "www", "grace")
    assert desk.says("bookmark", "--json", where="grace").count("\n") == 1
    assert desk.says("tag", where="grace") == ""


def test_nothing_is_pushed_to_files(desk: Desk) -> None:
    desk.says("publish", "../www", where="ada")
    desk.says("clone", "www", "grace")
    commit(desk, "3\n", "Mine", where="grace")
    assert desk.refuses("-C", "grace", "push", code=2) == (
        "oxy: what is there is only read: it was written by `oxy publish`\n"
        "hint: push to the repository that it is published from\n"
    )


def test_what_cannot_be_published_is_told(desk: Desk) -> None:
    assert desk.refuses("-C", "ada", "publish", "../www", "mian", code=2) == (
        "oxy: there is no bookmark 'mian': nothing to publish\nhint: did you mean main?\n"
    )
    assert not (desk.root / "www").exists()
    assert desk.refuses("-C", "ada", "publish", ".oxy/www", code=2) == (
        "oxy: ROOT/ada/.oxy/www is inside of .oxy: "
        "a web server is to hand out nothing of that\n"
    )


def test_a_file_that_was_altered_brings_nothing(desk: Desk) -> None:
    desk.says("publish", "../www", where="ada")
    for path in (desk.root / "www/oxy").rglob("??/*"):
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert "fails its digest" in desk.refuses("clone", "www", "grace", code=4)
    assert not (desk.root / "grace").exists()
