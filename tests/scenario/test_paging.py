"""The pager and colour, where the output is a terminal."""

from pathlib import Path

import pytest

from tests.builders.desk import Desk
from tests.builders.terminal import on_terminal


@pytest.fixture
def home(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the user's configuration is, of a desk with a change and an edit."""
    desk.write("a", "a\n")
    desk.commit("First")
    desk.write("a", "b\n")
    home = tmp_path_factory.mktemp("home")
    (home / "oxy").mkdir()
    return home


def pager(home: Path, script: str) -> str:
    path = home / "pager"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_what_may_be_long_is_read_in_a_pager(desk: Desk, home: Path) -> None:
    shows = pager(home, "sed 's/^/| /'")
    for words in (["log", "--oneline"], ["diff"], ["show"], ["help"], ["log", "-h"]):
        code, shown = on_terminal(desk.root, "--color=never", *words, PAGER=shows)
        assert code == 0
        assert shown.startswith("| ")
        assert all(line.startswith("| ") for line in shown.splitlines()), words
    code, shown = on_terminal(desk.root, "status", "--color", "never", PAGER=shows)
    assert shown == "on main\nM a\n"


def test_a_pager_is_chosen(desk: Desk, home: Path) -> None:
    own, other = pager(home, "echo own; cat"), "sed s/^/other:/"
    config = home / "oxy/config.toml"
    config.write_text(f'[ui]\npager = "{own}"\n')
    where = {"XDG_CONFIG_HOME": str(home), "NO_COLOR": "1"}
    log = ["log", "--oneline"]
    assert on_terminal(desk.root, *log, PAGER=other, **where)[1].startswith("own\n")
    assert on_terminal(desk.root, *log, OXY_PAGER=other, **where)[1].startswith("other:")
    plain = desk.says(*log)
    for quiet in (
        ["--no-pager", *log],
        [*log, "--no-pager"],
        ["-c", "ui.pager=", *log],
        ["-cui.pager=cat", *log],
        ["-c", "ui.pager=none-such-program", *log],
    ):
        assert len(on_terminal(desk.root, *quiet, **where)[1]) == len(
            plain.replace("ID", 12 * "x")
        )
    assert on_terminal(desk.root, *log, TERM="dumb", **where)[1].count("\n") == 1
    assert on_terminal(desk.root, *log, "--json", **where)[1].startswith('{"id"')
    config.write_text("[")
    code, shown = on_terminal(desk.root, *log, **where | {"NO_COLOR": ""})
    assert code == 0
    assert shown.startswith("\x1b[35mwarning: \x1b[0mconfiguration ")


def test_the_repository_chooses_no_pager(desk: Desk, home: Path) -> None:
    desk.write(".oxy/config.toml", f'[ui]\npager = "touch {home}/run"\n')
    assert on_terminal(desk.root, "log", PAGER="cat")[0] == 0
    assert not (home / "run").exists()


def test_a_pager_that_is_left_early_is_no_failure(desk: Desk, home: Path) -> None:
    desk.write("long", "line\n" * 100_000)
    code, shown = on_terminal(desk.root, "diff", PAGER=pager(home, "head -n 1"))
    assert code == 0
    assert shown.count("\n") == 1


def test_an_error_starts_no_pager_and_one_that_comes_later_is_shown_in_it(
    desk: Desk, home: Path
) -> None:
    shows = pager(home, "sed 's/^/| /'")
    code, shown = on_terminal(desk.root, "log", "none", "--color", "never", PAGER=shows)
    assert code == 2
    assert shown.startswith("oxy: ")


def test_there_is_no_pager_in_a_pipe(
    desk: Desk, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OXY_PAGER", pager(home, "echo paged"))
    assert "paged" not in desk.says("log")


def test_colour_is_configured(desk: Desk, home: Path) -> None:
    where = {"XDG_CONFIG_HOME": str(home), "NO_COLOR": "", "PAGER": "cat"}
    assert "\x1b[" in on_terminal(desk.root, "log", **where)[1]
    (home / "oxy/config.toml").write_text('[ui]\ncolor = "never"\n')
    assert "\x1b[" not in on_terminal(desk.root, "log", **where)[1]
    assert "\x1b[" in on_terminal(desk.root, "log", "--color=auto", **where)[1]
    assert "\x1b[" in on_terminal(desk.root, "-c", "ui.color=always", "log", **where)[1]
    (home / "oxy/config.toml").write_text('[ui]\ncolor = "always"\n')
    assert "\x1b[" not in on_terminal(desk.root, "log", **where | {"NO_COLOR": "1"})[1]
