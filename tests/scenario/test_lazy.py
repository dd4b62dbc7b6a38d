"""A lazy clone by each of the ways there, through the real command line, to the letter."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.actions.web import application, everybody
from tests.builders.desk import AUTHOR, Desk
from tests.builders.sshd import oxy, stand_in
from tests.builders.tree import held
from tests.builders.web import serving

OLD = "".join(f"line {at} of the text\n" for at in range(1000))
NEW = "".join(f"{at}\n" for at in range(2000))


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    """A desk with ada's repository: a large text that became another one."""
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    (tmp_path / "config/oxy").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    far = shlex.quote(str(oxy(tmp_path)))
    (tmp_path / "config/oxy/config.toml").write_text(f'[ssh]\noxy = "{far}"\n')
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init", "ada")
    for text, message in ((OLD, "Start"), (NEW, "Again")):
        desk.write("ada/text", text)
        desk.says("commit", "-m", message, where="ada")
    return desk


@pytest.fixture(params=["directory", "ssh", "http"])
def source(
    request: pytest.FixtureRequest,
    desk: Desk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """Where ada's repository is, by each of the ways there."""
    if request.param == "directory":
        yield str(desk.root / "ada")
    elif request.param == "ssh":
        monkeypatch.setenv("OXY_SSH", str(stand_in(tmp_path).program))
        yield "example.org:ada"
    else:
        with serving(application(str(desk.root / "ada"), everybody)) as address:
            yield f"http://{address}"


def test_a_lazy_clone_fetches_what_is_read(desk: Desk, source: str) -> None:
    told = desk.says("clone", "--lazy", source, "grace").replace(str(desk.root), "ROOT")
    assert told == "made a repository in ROOT/grace: 2 changes, on main\n"
    assert {path: file.data for path, file in held(desk.root / "grace").items()} == {
        "text": NEW.encode()
    }
    assert desk.says("fsck", where="grace") == (
        "nothing is wrong\nlazy: 1 blob of 20890 bytes not here yet; origin has them\n"
    )
    assert desk.says("cat", "text", "--at", "main~1", where="grace") == OLD
    assert desk.says("fsck", where="grace") == (
        "nothing is wrong\nlazy: 0 blobs of 0 bytes not here yet; origin has them\n"
    )
    assert desk.says("status", where="grace") == "on main\nnothing changed\n"


def test_what_cannot_be_fetched_is_told_and_nothing_is_done(desk: Desk) -> None:
    desk.says("clone", "--lazy", str(desk.root / "ada"), "grace")
    (desk.root / "ada").rename(desk.root / "away")
    before = held(desk.root / "grace")
    for words in (("cat", "text", "--at", "main~1"), ("switch", "main~1")):
        assert desk.refuses("-C", "grace", *words, code=3).replace(str(desk.root), "ROOT") == (
            "oxy: 1 blob is not in this lazy repository yet, and 'origin' cannot be asked: no"
            " repository at or above ROOT/ada\n"
            "hint: do it again when it can be reached; `oxy fetch --all-text` fetches all that"
            " is lacked\n"
        )
        assert held(desk.root / "grace") == before
    desk.write("grace/new", "1\n")
    assert "recorded" in desk.says("commit", "-m", "New", where="grace")
    assert desk.refuses("-C", "grace", "remote", "remove", "origin", code=2) == (
        "oxy: 'origin' has 1 blob that this lazy repository lacks\n"
        "hint: `oxy fetch --all-text` fetches them first\n"
    )


def test_a_lazy_clone_pushes_bundles_and_becomes_a_full_one(desk: Desk) -> None:
    desk.says("clone", "--lazy", str(desk.root / "ada"), "grace")
    desk.write("grace/text", OLD)
    desk.says("commit", "-m", "Back", where="grace")
    desk.says("bookmark", "theirs", where="grace")
    assert desk.says("push", "origin", "theirs", where="grace") == (
        "pushed theirs (new): 3 changes\n"
    )
    assert desk.says("fetch", "--all-text", where="grace").splitlines()[-1] == (
        "0 blobs of 0 bytes came; nothing is lacked any more"
    )
    assert desk.says("fsck", where="grace") == "nothing is wrong\n"
    assert desk.says("fetch", "--all-text", where="grace").splitlines()[-1] == (
        "nothing is lacked: this is no lazy clone"
    )


def test_a_bundle_of_a_lazy_clone_has_all_text(desk: Desk) -> None:
    desk.says("clone", "--lazy", str(desk.root / "ada"), "grace")
    desk.says("bundle", "create", "all", "main", where="grace")
    desk.says("init", "eve")
    desk.says("bundle", "apply", "../grace/all", where="eve")
    assert desk.says("fsck", where="eve") == "nothing is wrong\n"
    assert "0 blobs" in desk.says("fsck", where="grace")


def test_what_is_published_as_files_comes_whole(desk: Desk) -> None:
    desk.says("publish", str(desk.root / "shelf"), where="ada")
    assert desk.refuses("clone", "--lazy", str(desk.root / "shelf"), "eve", code=2) == (
        "oxy: what is published as files, or lies in a bucket, comes whole\n"
        "hint: clone it without --lazy\n"
    )
    assert not (desk.root / "eve").exists()
