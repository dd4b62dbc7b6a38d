import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.cli.arguments import parser_of
from oxy.cli.commands import COMMANDS, Table
from oxy.cli.completion.kinds import FREE, KINDS, OF_VERBS, kinds_of
from oxy.cli.completion.shells import SCRIPTS, answer, words_of_line
from oxy.cli.completion.words import Completion, completed
from oxy.cli.main import loaded, main
from oxy.worktree.workcopy import working_copy

ROOT = Path(__file__).resolve().parents[3]
STARTS = f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m oxy "$@"\n'
PATIENCE = 60.0


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with some names, in which one stands."""
    monkeypatch.setenv("OXY_AUTHOR", "Ada <a@x>")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    (work / "file").write_text("1\n")
    init(bytes(work))
    with working_copy(bytes(work)) as copy:
        commit(copy, Request(), lambda _: b"First: of all")
    for words in (["bookmark", "topic"], ["tag", "v1"], ["remote", "add", "friend", "../x"]):
        assert main(words) == 0
    (work / "file").write_text("2\n")
    assert main(["shelve", "half"]) == 0
    return work


def words(*line: str) -> list[str]:
    return [word for word, _ in completed(list(line)).words]


def test_commands_are_completed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert words("sta") == ["status"]
    assert set(words("")) == {*COMMANDS, "help"}
    assert words() == words("")
    assert words("op", "re") == ["restore"]
    assert words("help", "t") == ["tutorial", "templates", *words("t")]
    assert words("help", "op", "d") == ["diff"]
    assert words("none", "") == []
    (place / "oxy").mkdir()
    (place / "oxy/config.toml").write_text('[alias]\nwip = "op log"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place))
    assert words("wi") == ["wip"]
    assert words("wip", "-n") == ["-n"]


def test_options_are_completed(place: Path) -> None:
    assert words("log", "--gra") == ["--graph"]
    assert "--json" in words("log", "--")
    assert words("--no") == ["--no-pager"]
    assert words("--color", "") == ["auto", "always", "never"]
    assert words("--json", "--color", "n") == ["never"]
    assert words("log", "--color", "a") == ["auto", "always"]
    assert words("log", "--color=a") == ["--color=auto", "--color=always"]
    assert words("resolve", "--take", "b") == ["both", "base"]
    assert words("log", "-n", "") == []
    assert words("--none", "") == []
    assert words("diff", "--", "--") == []
    assert place.exists()


def test_settings_are_completed(place: Path) -> None:
    assert words("config", "get", "user.") == ["user.name", "user.email"]
    assert words("config", "set", "user.name", "") == []
    found = completed(["-c", "user.n"])
    assert (found.words[0][0], found.is_stem) == ("user.name=", True)
    assert words("-c", "user.name=x", "sta") == ["status"]
    assert place.exists()


def test_names_are_completed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    states = words("switch", "")
    assert states[:3] == ["main", "topic", "v1"]
    assert len(states) == 4
    assert len(states[3]) == 12
    assert dict(completed(["show", states[3][:2]]).words) == {states[3]: "First: of all"}
    assert words("diff", "--from", "to") == ["topic"]
    assert words("diff", "--from=to") == ["--from=topic"]
    assert words("bookmark", "-d", "") == ["main", "topic"]
    assert words("bookmark", "--move", "") == ["main", "topic"]
    assert words("bookmark", "--move", "main", "v") == ["v1"]
    assert words("bookmark", "--rename", "main", "") == []
    assert words("tag", "-d", "") == ["v1"]
    assert words("unshelve", "") == ["half"]
    assert words("push", "") == ["friend"]
    assert words("push", "friend", "t") == ["topic"]
    assert words("push", "friend", "main", "t") == ["topic"]
    assert words("merge", "topic", "m") == ["main"]
    monkeypatch.chdir("/")
    assert words("switch", "") == []
    assert words("-C", str(place), "switch", "t") == ["topic"]


def test_files_are_left_to_the_shell(place: Path) -> None:
    assert completed(["diff", ""]).files
    assert completed(["cat", "--at", "main", ""]).files
    assert completed(["-C", ""]).dirs
    assert completed(["log", "-C", ""]).dirs
    amended = completed(["amend", "ma"])
    assert (amended.files, [word for word, _ in amended.words]) == (True, ["main"])
    assert completed(["commit", "--", "-"]).files
    assert not completed(["switch", ""]).files
    assert place.exists()


def verbs(table: Table, above: str = "") -> Iterator[tuple[str, str]]:
    for verb, (module, _, _) in table.items():
        inner: Table | None = getattr(loaded(module), "COMMANDS", None)
        name = f"{above} {verb}".lstrip()
        if inner is None:
            yield name, module
        else:
            yield from verbs(inner, name)


def test_what_each_argument_takes_is_known_or_free() -> None:
    unknown = []
    for verb, module in verbs(COMMANDS):
        for action in parser_of(verb, loaded(module).configure)._actions:  # noqa: SLF001 - argparse tells them in no other way
            called = action.metavar or action.dest
            first = called if isinstance(called, str) else called[0]
            option = action.option_strings[-1] if action.option_strings else ""
            known = kinds_of(verb, option, first) != ("free",) or first.upper() in FREE
            if action.nargs != 0 and action.choices is None and not known:
                unknown.append((verb, option, first))
    assert unknown == []


def test_no_kind_is_told_of_what_is_not_there() -> None:
    known = dict(verbs(COMMANDS))
    assert {verb for verb, _ in OF_VERBS} <= known.keys()
    assert not KINDS.keys() & FREE


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("oxy ", [""]),
        ("oxy sw", ["sw"]),
        ("oxy switch ", ["switch", ""]),
        ("X=1 /usr/bin/oxy diff 'a b", ["diff", "a b"]),
        ('oxy diff "a', ["diff", "a"]),
        ("oxy diff a\\", ["diff", "a"]),
        ("o switch m", ["switch", "m"]),
        ("", []),
    ],
)
def test_a_line_of_bash_is_split(line: str, found: list[str]) -> None:
    assert words_of_line(line) == found


def test_each_shell_is_answered_in_its_way() -> None:
    found = Completion()
    found.offer("", [("git:ab", "a: change"), ("x", "")])
    assert list(answer("bash", found, 4)) == ["words", "ab", ""]
    assert list(answer("zsh", found)) == ["words", "git\\:ab:a: change", "x:"]
    assert list(answer("fish", found)) == ["words", "git:ab\ta: change", "x\t"]


def test_the_verb_answers_a_shell(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*line: str) -> str:
        assert main(["completion", *line]) == 0
        return capsys.readouterr().out

    assert said("bash", "--", "oxy switch to", "to") == "words\ntopic\n"
    assert said("bash", "--", "oxy diff --from=to", "to") == "words\ntopic\n"
    assert said("fish", "--", "sta") == (
        "words\nstatus\twhat is not as the base state has it\n"
    )
    assert said("bash") == SCRIPTS["bash"]
    assert place.exists()
    assert main(["completion", "bash", "oxy"]) == 2
    assert "asks with two words" in capsys.readouterr().err


class Typing:
    """A shell of its own, somebody who types, and what it shows."""

    def __init__(self, place: Path, *command: str, **environment: str) -> None:
        own = place.parent / "bin"
        own.mkdir(exist_ok=True)
        (own / "oxy").write_text(STARTS)
        (own / "oxy").chmod(0o755)
        self._controller, terminal = pty.openpty()
        self._shell = subprocess.Popen(
            command,
            cwd=place,
            env={
                "PATH": f"{own}:{os.environ['PATH']}",
                "TERM": "xterm",
                "HOME": str(place.parent),
                **environment,
            },
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)

    def shows(self, typed: str, awaited: str) -> bool:
        """Type, and wait until it shows something; False if it does not."""
        os.write(self._controller, typed.encode())
        shown = b""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and awaited.encode() not in shown:
            if select.select([self._controller], [], [], 0.1)[0]:
                shown += os.read(self._controller, 1 << 16)
        return awaited.encode() in shown

    def end(self) -> None:
        """Send it away."""
        self._shell.kill()
        self._shell.wait()
        os.close(self._controller)


def test_bash_completes(place: Path) -> None:
    bash = Typing(place, "bash", "--norc", "--noprofile", "-i")
    try:
        assert bash.shows('eval "$(oxy completion bash)"; echo rea""dy\n', "ready")
        assert bash.shows("oxy sta\t", "status")
        assert bash.shows("\x15oxy switch to\t", "topic")
        assert bash.shows("\x15oxy diff --from=to\t", "--from=topic")
        assert bash.shows("\x15oxy -c user.n\t", "user.name=")
        assert bash.shows("\x15oxy diff fi\t", "file")
        assert bash.shows("\x15oxy restore --from ma\tfi\t", "main file")
    finally:
        bash.end()


@pytest.mark.parametrize("shell", [name for name in SCRIPTS if shutil.which(name)])
def test_the_script_of_a_shell_is_understood_by_it(shell: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(SCRIPTS[shell])
    done = subprocess.run([shell, "-n", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
