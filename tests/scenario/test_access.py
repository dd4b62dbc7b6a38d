"""Users of a served repository, through the real command line, to the letter."""

import json
import os
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from oxy.actions.web import guarded
from oxy.cli.output import Output
from oxy.cli.serving import Hooks
from tests.builders.desk import AUTHOR, Desk
from tests.builders.web import serving

TOLD = "; it is kept nowhere, so this is the only time that it is shown\n"


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init", "ours")
    desk.write("ours/f", "1\n")
    desk.says("commit", "-m", "One", where="ours")
    desk.says("bookmark", "secret", where="ours")
    return desk


def quiet() -> Hooks:
    return Hooks(Output(BytesIO(), None))


@pytest.fixture
def address(desk: Desk) -> Iterator[str]:
    desk.says("access", "add", "anyone", "--read", "main", where="ours")
    with serving(guarded(str(desk.root / "ours"), None, quiet())) as where:
        yield f"http://{where}"


def let_in(desk: Desk, *words: str) -> str:
    """Make a user, and return the token."""
    desk.run("access", "add", *words, where="ours")
    return desk.out.strip()


def test_rights_are_given_shown_and_taken(desk: Desk) -> None:
    assert desk.run("access", "list", where="ours") == 3
    token = let_in(desk, "ada", "--push", "main", "--push", "ada/*", "--delete", "ada/*")
    assert desk.err == f"that is the token of ada{TOLD}"
    assert len(token) > 40
    assert desk.says("access", "add", "anyone", where="ours") == "anyone: read *\n"
    assert desk.says("access", "list", where="ours") == (
        "ada: read *; push main, ada/*; delete ada/*\nanyone: read *\n"
    )
    desk.run("access", "renew", "ada", where="ours")
    assert desk.out.strip() != token
    assert desk.says("access", "remove", "ada", where="ours") == ""
    assert desk.says("access", "remove", "anyone", where="ours") == ""
    assert desk.says("access", "list", where="ours") == ""
    assert desk.run("access", "renew", "ada", where="ours") == 2
    assert desk.err == "oxy: there is no user 'ada'\n"


def test_users_do_what_they_may_and_no_more(
    desk: Desk, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = let_in(desk, "ada", "--push", "ada/*")
    desk.says("clone", address, "open")
    assert desk.says("bookmark", where="open").startswith("* main ")
    assert "secret" not in desk.says("remote", "show", where="open")
    desk.write("open/f", "2\n")
    desk.says("commit", "-m", "Two", where="open")
    assert desk.run("push", where="open") == 3
    assert desk.err.startswith(f"oxy: {address} wants credentials\n")
    monkeypatch.setenv("OXY_TOKENS", f"{address.removeprefix('http://')}={token}")
    assert desk.run("push", where="open") == 3
    assert desk.err.startswith(
        "oxy: 'main' of origin was not changed: you may not do that there\n"
        "hint: whoever serves it decides that\n"
    )
    desk.says("bookmark", "ada/two", where="open")
    desk.says("push", "origin", "ada/two", where="open")
    desk.says("fetch", where="open")
    assert "secret" in desk.says("remote", "show", where="open")
    assert "ada/two" in desk.says("bookmark", where="ours")
    assert desk.run("push", "--delete", "ada/two", where="open") == 3


def test_hooks_of_the_owner_are_asked_and_told(desk: Desk, tmp_path: Path) -> None:
    hook = tmp_path / "hook"
    hook.write_text(
        f"#!{sys.executable}\nimport json, os, sys\ntold = json.load(sys.stdin)\n"
        f"open('{tmp_path}/told', 'a').write(json.dumps(told) + '\\n')\n"
        "sys.exit(any(each['name'] == 'closed' for each in told['names']))\n"
    )
    hook.chmod(0o755)
    for when in ("before-take", "after-take"):
        desk.says("config", "set", "--user", f"hook.{when}", "--", str(hook))
    token = let_in(desk, "ada", "--push", "*")
    app = guarded(str(desk.root / "ours"), None, quiet())
    with serving(app) as where, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OXY_TOKENS", f"{where}={token}")
        desk.says("clone", f"http://{where}", "mine")
        desk.says("bookmark", "closed", where="mine")
        assert desk.run("push", "origin", "closed", where="mine") == 3
        assert desk.err.startswith(
            "oxy: 'closed' of origin was not changed: a hook there said no\n"
        )
        desk.says("bookmark", "open", where="mine")
        desk.says("push", "origin", "open", where="mine")
    told = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert [each["hook"] for each in told] == ["before-take", "before-take", "after-take"]
    assert {each["user"] for each in told} == {"ada"}
    assert told[1]["names"][0].keys() == {"kind", "name", "heads"}
    assert told[2]["names"] == [{"kind": "bookmark", "name": "open", "came": 1, "went": 0}]
    assert os.fsencode(token) not in (tmp_path / "told").read_bytes()
