"""Programs of the user's own that run beside commands."""

import json
import sys
from pathlib import Path

import pytest

from tests.builders.desk import Desk

ROOT = Path(__file__).resolve().parents[2]
TELL = """
import json, os, pathlib, sys
said = json.loads(sys.stdin.read())
with open(os.environ["SAID"], "a") as file:
    file.write(json.dumps(said) + "\\n")
assert os.environ["OXY_HOOK"] == said["hook"]
assert os.path.samefile(os.environ["OXY_ROOT"], ".")
print("hook", said["hook"])
sys.exit(int(os.environ.get("ENDS", "0")))
"""


class Hooks:
    """The hooks that the user has set, and what they were told."""

    def __init__(self, home: Path, said: Path) -> None:
        self.home = home
        self._said = said

    def set(self, *names: str) -> None:
        (self.home / "oxy").mkdir(exist_ok=True)
        command = json.dumps([sys.executable, "-c", TELL])
        lines = [f"{name} = {command}\n" for name in names]
        (self.home / "oxy/config.toml").write_text("[hook]\n" + "".join(lines))

    def said(self) -> list[dict[str, object]]:
        lines = self._said.read_text().splitlines() if self._said.exists() else []
        self._said.write_text("")
        return [json.loads(line) for line in lines]


@pytest.fixture
def hooks(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, desk: Desk
) -> Hooks:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("SAID", str(home / "said"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    desk.write("d/a", "a\n")
    return Hooks(home, home / "said")


def rewritten(desk: Desk, *words: str) -> str:
    """Rewrite a change, and return the id of the new one."""
    desk.record(*words)
    return str(desk.record("log")["id"])


def test_hooks_run_before_and_after_a_commit(desk: Desk, hooks: Hooks) -> None:
    hooks.set("before-commit", "after-commit")
    change = desk.record("commit", "-m", "First\n")["id"]
    told = {
        "bookmark": "main",
        "message": "First",
        "changes": [{"path": "d/a", "kind": "added"}],
    }
    assert hooks.said() == [
        {"hook": "before-commit", **told},
        {"hook": "after-commit", "id": change, **told},
    ]
    assert desk.err == "hook before-commit\nhook after-commit\n"
    assert desk.run("commit", "-m", "Nothing") == 1
    assert hooks.said() == []
    (desk.root / "d/a").rename(desk.root / "d/b")
    desk.says("commit", "-m", "Moved", where="d")
    changes = [{"path": "d/b", "kind": "renamed", "from": "d/a"}]
    assert [each["changes"] for each in hooks.said()] == [changes, changes]


def test_hooks_run_for_a_change_that_is_recorded_anew(desk: Desk, hooks: Hooks) -> None:
    old = desk.commit("First")
    hooks.set("before-commit", "after-commit")
    desk.write("d/a", "b\n")
    desk.says("amend", "--dry-run")
    assert hooks.said() == []
    new = rewritten(desk, "amend")
    told = {
        "bookmark": "main",
        "message": "First",
        "changes": [{"path": "d/a", "kind": "modified"}],
    }
    assert hooks.said() == [
        {"hook": "before-commit", **told},
        {"hook": "after-commit", "id": new, "replaces": old, **told},
    ]
    assert desk.run("amend") == 1
    assert desk.run("reword", "@", "-m", "First") == 1
    assert hooks.said() == []
    last = rewritten(desk, "reword", "@", "-m", "Better")
    told = {"bookmark": "main", "message": "Better", "changes": []}
    assert hooks.said() == [
        {"hook": "before-commit", **told},
        {"hook": "after-commit", "id": last, "replaces": new, **told},
    ]


@pytest.mark.parametrize("words", [("amend",), ("reword", "@", "-m", "Better")])
def test_a_hook_that_fails_stops_a_rewrite(
    words: tuple[str, ...], desk: Desk, hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = desk.commit("First")
    hooks.set("before-commit", "after-commit")
    monkeypatch.setenv("ENDS", "1")
    desk.write("d/a", "b\n")
    assert "hook before-commit ended with 1" in desk.refuses(*words, code=3)
    assert [each["hook"] for each in hooks.said()] == ["before-commit"]
    assert desk.record("log")["id"] == old


def test_a_hook_that_fails_before_a_commit_stops_it(
    desk: Desk, hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks.set("before-commit", "after-commit")
    monkeypatch.setenv("ENDS", "7")
    assert desk.refuses("commit", "-m", "First", code=3) == (
        "hook before-commit\n"
        "oxy: hook before-commit ended with 7: nothing was done\n"
        "hint: `oxy -c hook.NAME=true` goes without one; `oxy help hooks`\n"
    )
    assert desk.says("log") == ""
    hooks.set("after-commit")
    assert desk.says("commit", "-m", "First") == "recorded ID First\n"
    assert desk.err == "hook after-commit\nwarning: hook after-commit ended with 7\n"
    assert len(hooks.said()) == 2
    desk.write("d/a", "b\n")
    assert desk.says("-c", "hook.after-commit=true", "commit", "-m", "2") == "recorded ID 2\n"
    assert desk.err == ""
    gone = ("-c", "hook.before-commit=./none", "commit", "-m", "3")
    desk.write("d/a", "c\n")
    assert "hook before-commit cannot be run: No such file" in desk.refuses(*gone, code=3)


def test_a_hook_may_run_oxy_and_what_it_writes_is_not_recorded_half(
    desk: Desk, hooks: Hooks
) -> None:
    desk.commit("First")
    desk.write("d/a", "b\n")
    own = f"{sys.executable} -m oxy --no-pager diff --json"
    desk.says("-c", f"hook.before-commit={own}", "commit", "-m", "Second")
    assert '"patch"' in desk.err
    desk.write("d/a", "c\n")
    desk.write("d/b", "b\n")
    edits = ("-c", "hook.before-commit=sh -c 'echo longer > d/a'", "commit", "-m", "Third")
    assert "d/a" in desk.refuses(*edits, code=3)
    assert desk.says() == "on main\nM d/a\nA d/b\n"
    assert hooks.said() == []


def test_no_hook_comes_from_the_repository(desk: Desk, hooks: Hooks) -> None:
    names = ("before-commit", "after-commit", "before-push", "after-pull", "after-switch")
    lines = "".join(f'{name} = ["touch", "{hooks.home}/{name}"]\n' for name in names)
    desk.write(".oxy/config.toml", f"[hook]\n{lines}")
    desk.commit("First")
    desk.says("switch", "-c", "topic")
    other = hooks.home / "other"
    desk.says("clone", str(desk.root), str(other))
    desk.write("d/a", "b\n")
    desk.commit("Second")
    desk.says("push", str(other))
    desk.says("pull", str(other))
    assert sorted(path.name for path in hooks.home.iterdir()) == ["other"]


def test_hooks_run_around_exchange_and_a_switch(
    desk: Desk, hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = desk.commit("First")
    other = str(hooks.home / "other")
    desk.says("clone", str(desk.root), other)
    desk.says("remote", "add", "friend", other)
    hooks.set("before-push", "after-pull", "after-switch")
    desk.says("switch", "-c", "topic")
    assert hooks.said() == [{"hook": "after-switch", "bookmark": "topic", "heads": [first]}]
    desk.write("d/a", "b\n")
    desk.commit("Second")
    desk.says("push")
    assert hooks.said() == [
        {"hook": "before-push", "remote": "friend", "bookmarks": [{"name": "topic"}]}
    ]
    desk.says("pull", "--dry-run")
    assert hooks.said() == []
    desk.says("pull", "friend", "main")
    assert hooks.said() == [
        {"hook": "after-pull", "remote": "friend", "came": 0, "bookmarks": [{"name": "main"}]}
    ]
    desk.write("d/a", "c\n")
    desk.commit("Third")
    monkeypatch.setenv("ENDS", "1")
    refused = desk.refuses("push", "friend", code=3)
    assert "hook before-push ended with 1: nothing was done" in refused
    assert desk.says("-C", other, "log", "topic", "--oneline").count("\n") == 2
