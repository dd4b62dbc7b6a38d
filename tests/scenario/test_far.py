"""Sharing with another machine, through the real command line, compared to the letter."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.actions.web import application, everybody
from tests.builders.desk import AUTHOR, ID, Desk
from tests.builders.sshd import ROOT, StandIn, cutting, oxy, sshd, stand_in, swallowing
from tests.builders.tree import held
from tests.builders.web import serving


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    (tmp_path / "config/oxy").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    far = shlex.quote(str(oxy(tmp_path)))
    (tmp_path / "config/oxy/config.toml").write_text(f'[ssh]\noxy = "{far}"\n')
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init", "ada")
    return desk


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    made = stand_in(tmp_path)
    monkeypatch.setenv("OXY_SSH", f"'{made.program}' -v")
    return made


@pytest.fixture(params=["directory", "stand-in", "sshd", "http"])
def source(
    request: pytest.FixtureRequest,
    desk: Desk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """Where ada's repository is, by each of the ways there."""
    if request.param == "directory":
        yield str(tmp_path / "ada")
    elif request.param == "stand-in":
        monkeypatch.setenv("OXY_SSH", str(stand_in(tmp_path).program))
        yield "example.org:ada"
    elif request.param == "http":
        with serving(application(str(tmp_path / "ada"), everybody)) as address:
            yield f"http://{address}"
    else:
        keys = tmp_path / "keys"
        keys.mkdir()
        with sshd(keys) as server:
            monkeypatch.setenv("OXY_SSH", shlex.join(server.command))
            yield f"{server.address}{desk.root}/ada"


def commit(desk: Desk, where: str, name: str, text: str, message: str) -> None:
    desk.write(f"{where}/{name}", text)
    desk.says("commit", "-m", message, where=where)


def files(desk: Desk, where: str) -> dict[str, bytes]:
    return {name: file.data for name, file in held(desk.root / where).items()}


def told(desk: Desk, *words: str, where: str = "grace") -> str:
    return desk.says(*words, where=where).replace(str(desk.root), "ROOT")


def refused(desk: Desk, *words: str, code: int) -> str:
    return ID.sub("ID", desk.refuses("-C", "grace", *words, code=code))


def test_a_day_with_a_repository_elsewhere(desk: Desk, source: str) -> None:
    commit(desk, "ada", "f", "a\nb\nc\n", "Begin")
    assert desk.says("clone", source, "grace") == (
        f"made a repository in {desk.root}/grace: 1 change, on main\n"
    )
    assert desk.says("remote", "list", where="grace") == f"origin {source}\n"
    commit(desk, "ada", "f", "a\nB\nc\n", "Hers")
    assert told(desk, "fetch") == (
        "1 change came by Ada Lovelace\n  ID Hers\nbookmark main@origin\n"
    )
    assert told(desk) == "on main, 1 behind origin\nnothing changed\n"
    commit(desk, "grace", "g", "big\n" * 50_000, "Mine")
    assert refused(desk, "push", code=3) == (
        "oxy: 'main' of origin has changes that were not seen here; it was not moved\n"
        "hint: pull first, and push then\n"
    )
    assert told(desk, "pull") == "merged into main: 1 change by Ada Lovelace\nM f\n"
    assert told(desk) == "on main, 1 ahead of origin\nnothing changed\n"
    assert told(desk, "push") == "pushed main: 1 change\n"
    assert told(desk, "push") == "nothing to push: all of it is there\n"
    assert told(desk) == "on main\nnothing changed\n"
    desk.says("switch", "main", where="ada")
    assert files(desk, "ada") == files(desk, "grace")
    assert desk.says("fsck", where="ada") == desk.says("fsck", where="grace")


def test_tags_and_bookmarks_are_made_and_deleted_elsewhere(desk: Desk, source: str) -> None:
    commit(desk, "ada", "f", "1\n", "Begin")
    desk.says("clone", source, "grace")
    desk.says("switch", "-c", "topic", where="grace")
    commit(desk, "grace", "g", "1\n", "Topic")
    desk.says("tag", "v1", "-m", "First", where="grace")
    assert told(desk, "push", "-u", "origin", "topic", "--tag", "v1") == (
        "pushed topic (new): 2 changes\npushed tag v1 (new): 2 changes\n"
    )
    assert told(desk, "bookmark", where="grace") == (
        "  main  ID  1 change   Begin (origin: the same)\n"
        "* topic ID  2 changes  Topic (origin: the same)\n"
    )
    assert desk.says("tag", where="ada") == "v1 ID First\n"
    commit(desk, "grace", "g", "2\n", "More")
    desk.says("tag", "-d", "v1", where="grace")
    desk.says("tag", "v1", where="grace")
    assert refused(desk, "push", "--tag", "v1", code=3) == (
        "oxy: the tag 'v1' holds something else in origin\n"
        "hint: a tag is fixed: give another name\n"
    )
    assert refused(desk, "push", "--delete", "main", code=3) == (
        "oxy: the working copy of origin is on 'main'\n"
    )
    desk.says("bookmark", "--move", "topic", "main", "--backwards", where="ada")
    assert refused(desk, "push", "--delete", "topic", code=3) == (
        "oxy: 'topic' of origin has changes that were not seen here; it was not deleted\n"
        "hint: pull first, and push then\n"
    )
    told(desk, "fetch")
    assert desk.record("-C", "grace", "push", "--delete", "topic") == {
        "remote": "origin",
        "done": True,
        "came": 0,
        "bookmarks": [],
        "tags": [],
        "deleted": [{"name": "topic"}],
    }
    assert desk.says("bookmark", where="ada") == "* main ID  1 change   Begin\n"
    assert refused(desk, "push", "--delete", "topic", code=2) == (
        "oxy: origin has no bookmark 'topic'\n"
    )
    desk.says("undo", where="ada")
    assert "topic" in desk.says("bookmark", where="ada")


def test_what_is_not_there_is_told_from_there(desk: Desk, ssh: StandIn) -> None:
    desk.says("init", "grace")
    assert refused(desk, "pull", "example.org:nowhere", code=3) == (
        "oxy: the other side says: no repository at or above ROOT/nowhere\n"
    )
    assert refused(desk, "pull", "example.org:ada", "x", code=2) == (
        "oxy: example.org:ada has no bookmark 'x'\n"
    )
    assert not (desk.root / "c").exists()
    assert desk.run("clone", "example.org:nowhere", "c") == 3
    assert not (desk.root / "c").exists()
    assert len(ssh.words()) == 3


def test_an_address_becomes_arguments_and_one_word_of_the_shell(
    desk: Desk, ssh: StandIn
) -> None:
    evil = 'it\'s; touch evil & $(touch evil) `x` "q" \\ *'
    desk.says("init", evil)
    commit(desk, evil, "f", "1\n", "Begin")
    desk.says("clone", f"ssh://grace@example.org:2222{desk.root}/{evil}", "c")
    assert files(desk, "c") == {"f": b"1\n"}
    assert not list(desk.root.rglob("evil"))
    (words,) = ssh.words()
    assert words[:5] == ["-v", "-p", "2222", "--", "grace@example.org"]
    assert len(words) == 6


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("-oProxyCommand=x:path", "its host is none"),
        ("ssh://-oProxyCommand=x/path", "its host is none"),
        ("ssh://-l@host/path", "its user is none"),
        ("host:-path", "its path begins with -"),
        ("ssh://host:-1/path", "its port is none"),
        ("ssh://host:70000/path", "its port is none"),
        ("ssh:///path", "its host is none"),
        (":path", "its host is none"),
        ("ssh://host", "it names no directory"),
        ("ho st:path", "its host is none"),
        ("a;b:path", "its host is none"),
        ("host:pa\nth", "it has a control character or a line break in it"),
        ("ssh://me:hunter2@host/path", "a password has no place in it"),
        ("ext::sh -c evil", "no program is run for it"),
        ("gopher://host/path", "there are ssh://HOST/PATH, HOST:PATH, http[s]://"),
        ("https://me:hunter2@host/path", "a password has no place in it"),
        ("http://-host/path", "its host is none"),
        ("http:///path", "its host is none"),
        ("http://host/a b", "a character that is to be written as %"),
        ("http://host/p?x=1", "a repository has no ? and no # behind it"),
    ],
)
def test_an_address_is_refused_before_anything_starts(
    desk: Desk, ssh: StandIn, address: str, why: str
) -> None:
    desk.says("init", "grace")
    for words in (
        ("remote", "add", "x", "--", address),
        ("pull", "--", address),
        ("push", "--", address),
        ("fetch", "--", address),
        ("clone", "--", address),
    ):
        found = refused(desk, *words, code=2)
        assert why in found, found
        assert "hunter2" not in found
        assert "\nhint: `oxy help clone` tells what an address is\n" in found
    assert ssh.words() == []
    assert desk.says("remote", "list", where="grace") == ""


def test_who_answers_nothing_or_nonsense_is_refused(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.says("init", "grace")
    for ends, code, text in (
        ("exit 0", 3, "the connection was lost: the other side has ended"),
        ("printf '\\033[31mno route\\n' >&2; exit 255", 3, "no route"),
        ("echo Welcome to example.org", 4, "what answers is no oxy, or something else"),
        ("printf '\\217oxywir\\n\\0\\0\\0\\2'", 4, "speaks version 2; this oxy speaks 1"),
        ("printf '\\217oxywir\\n\\0\\0\\0\\1\\1\\0'", 3, "has ended in the middle"),
        ("printf '\\217oxywir\\n\\0\\0\\0\\1\\11\\0\\0\\0\\1'; cat", 4, "is no packet"),
        ("printf '\\217oxywir\\n\\0\\0\\0\\1\\2\\377\\0\\0\\1'; cat", 4, "is no packet"),
        ("cat /dev/zero", 4, "what answers is no oxy"),
    ):
        made = stand_in(tmp_path, ends)
        monkeypatch.setenv("OXY_SSH", str(made.program))
        assert text in refused(desk, "pull", "example.org:ada", code=code), ends
    assert "\x1b" not in desk.err
    monkeypatch.setenv("OXY_SSH", str(tmp_path / "none"))
    assert refused(desk, "pull", "example.org:ada", code=3) == (
        "oxy: ROOT/none cannot be run: No such file or directory\n"
        "hint: name one with OXY_SSH, or set ssh.command\n"
    )


def test_what_a_program_in_between_says_is_told_escaped_as_it_comes(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand_in(tmp_path, "printf 'Touch the \\033[1mkey\\nGone\\n' >&2")
    monkeypatch.setenv("OXY_SSH", str(made.program))
    assert desk.refuses("clone", "example.org:ada", "grace", code=3) == (
        "there: Touch the \\x1b[1mkey\n"
        "there: Gone\n"
        "oxy: the connection was lost: Gone\n"
        "hint: do it again: it goes on from what came\n"
    )


def test_the_silence_is_a_setting(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand_in(tmp_path, "cat >/dev/null")
    monkeypatch.setenv("OXY_SSH", str(made.program))
    words = ["clone", "example.org:ada", "grace"]
    assert "lost: nothing came for 1 seconds" in desk.refuses(
        "-c", "sync.silence=1", *words, code=3
    )
    assert desk.refuses("-c", "sync.silence=soon", *words, code=2) == (
        "oxy: sync.silence is 'soon', and not a number of seconds above 0\n"
        "hint: `oxy config set sync.silence 300` waits five minutes\n"
    )


def test_what_a_connection_brought_is_kept_and_the_rest_comes_later(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(12):
        commit(desk, "ada", f"f{at}", os.urandom(60_000).hex(), f"Change {at}")
    monkeypatch.setenv("OXY_SSH", str(cutting(tmp_path, 400_000).program))
    assert desk.refuses("clone", "example.org:ada", "grace", code=3) == (
        "oxy: the connection was lost: the other side has ended in the middle; "
        "what came is in ROOT/grace\n"
        "hint: `oxy pull` there goes on from that\n"
    )
    monkeypatch.setenv("OXY_SSH", str(stand_in(tmp_path).program))
    came = desk.record("-C", "grace", "pull")["came"]
    assert isinstance(came, int)
    assert 0 < came < 12
    assert files(desk, "grace") == files(desk, "ada")
    assert desk.says("fsck", where="grace") == desk.says("fsck", where="ada")


def test_a_bookmark_follows_what_it_is_said_to(desk: Desk) -> None:
    for name in ("one", "two", "grace"):
        desk.says("init", name)
    commit(desk, "two", "f", "1\n", "Two")
    told(desk, "remote", "add", "one", "../one")
    told(desk, "remote", "add", "two", "../two")
    assert "which repository?" in refused(desk, "pull", code=2)
    told(desk, "pull", "two")
    assert told(desk, "pull") == "nothing new\n"
    told(desk, "bookmark", "--upstream", "main", "one")
    assert told(desk, "push") == "pushed main: 1 change\n"
    assert refused(desk, "bookmark", "--upstream", "main", "tow", code=2) == (
        "oxy: no remote is called 'tow'\nhint: did you mean two?\n"
    )
    told(desk, "bookmark", "--upstream", "main", "")
    assert "which repository?" in refused(desk, "push", code=2)
    told(desk, "undo")
    told(desk, "remote", "remove", "one")
    assert told(desk, "pull") == "nothing new\n"


def test_serve_needs_to_be_told_how(desk: Desk) -> None:
    assert desk.refuses("serve", "ada", code=2) == (
        "oxy: serve needs one of --http and --stdio\n"
        "hint: `oxy help serve` tells what it takes\n"
    )
    assert desk.refuses("serve", "--http", "--key", "k", "ada", code=2) == (
        "oxy: --certificate and --key need each other\n"
        "hint: `oxy help serve` tells what it takes\n"
    )


def test_of_two_who_push_at_once_one_wins_and_the_other_loses_nothing(
    desk: Desk, ssh: StandIn
) -> None:
    commit(desk, "ada", "f", "1\n", "Begin")
    clones = [f"c{at}" for at in range(4)]
    for name in clones:
        desk.says("clone", "example.org:ada", name)
        commit(desk, name, name, "1\n", f"By {name}")
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "oxy", "push"],
            cwd=desk.root / name,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name in clones
    ]
    codes = [each.wait() for each in running]
    assert sorted(codes) == [0, 3, 3, 3]
    for name, code in zip(clones, codes, strict=True):
        if code:
            told(desk, "pull", where=name)
            told(desk, "push", where=name)
    assert told(desk, "log", "--oneline", "main", where="ada").count("By c") == len(clones)
    assert len(ssh.words()) >= len(clones) * 2


def test_a_push_that_was_cut_goes_on_and_ends_right(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(desk, "ada", "f", "1\n", "Begin")
    desk.says("clone", "ada", "grace")
    desk.says("remote", "add", "far", "example.org:ada", where="grace")
    for at in range(8):
        commit(desk, "grace", f"f{at}", os.urandom(60_000).hex(), f"Change {at}")
    monkeypatch.setenv("OXY_SSH", str(swallowing(tmp_path, 300_000).program))
    assert "the connection was lost" in refused(desk, "push", "far", code=3)
    assert told(desk, "log", "--oneline", "main", where="ada") == "ID [main] Begin\n"
    monkeypatch.setenv("OXY_SSH", str(stand_in(tmp_path).program))
    record = desk.record("-C", "grace", "push", "far")
    assert isinstance(record["came"], int)
    assert 0 < record["came"] < 8
    desk.says("switch", "main", where="ada")
    assert files(desk, "ada") == files(desk, "grace")


def test_what_is_damaged_there_is_told_from_there(desk: Desk, ssh: StandIn) -> None:
    desk.says("init", "grace")
    (desk.root / "ada/.oxy/index.db").write_bytes(b"no database" * 1000)
    found = refused(desk, "pull", "example.org:ada", code=4)
    assert found.startswith("oxy: the other side says: ")
    assert len(ssh.words()) == 1


def test_a_clone_from_elsewhere_has_the_subrepos(desk: Desk, ssh: StandIn) -> None:
    desk.says("init", "ada/vendor/lib")
    commit(desk, "ada/vendor/lib", "f", "1\n", "More")
    commit(desk, "ada", "f", "1\n", "More")
    desk.says("subrepo", "add", "vendor/lib", where="ada")
    desk.says("clone", "example.org:ada", "grace")
    assert len(ssh.words()) == 2
    assert "not there" not in desk.err
    assert (desk.root / "grace/vendor/lib/f").read_text() == "1\n"
    assert told(desk, "subrepo", "list") == "vendor/lib as pinned\n"
    commit(desk, "ada/vendor/lib", "f", "2\n", "More")
    desk.says("subrepo", "record", where="ada")
    told(desk, "pull")
    assert told(desk, "subrepo", "update") == "vendor/lib updated\n"
    assert (desk.root / "grace/vendor/lib/f").read_text() == "2\n"


def test_a_subrepo_that_is_not_behind_the_address_is_told(
    desk: Desk, ssh: StandIn, tmp_path: Path
) -> None:
    assert ssh.program.exists()
    desk.says("init", "ada/lib")
    commit(desk, "ada/lib", "f", "1\n", "More")
    commit(desk, "ada", "f", "1\n", "More")
    desk.says("subrepo", "add", "lib", where="ada")
    (tmp_path / "ada/lib").rename(tmp_path / "elsewhere")
    desk.says("clone", "example.org:ada", "grace")
    assert desk.err == (
        "warning: the subrepo lib is not there: nothing here has the pinned state of "
        "the subrepo 'lib'\n"
    )
