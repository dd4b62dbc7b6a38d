import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bench import blame_git, import_git, status_git
from tests.builders.gitcases import TEN, merge_of_two
from tests.builders.gitrepo import GitRepo

Scenario = Callable[[], None]


@pytest.fixture
def source(tmp_path: Path) -> str:
    git = GitRepo(tmp_path / "project")
    merge_of_two(git)
    last = git.git("rev-parse", "main").decode().strip()
    git.main({b"a": TEN + b"more\n", b"c": b"c\nd\n"}, last)
    return str(git.root)


def told(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    scenario: Scenario,
    *words: str,
) -> list[list[str]]:
    """Return the cells of the tables that a scenario prints."""
    monkeypatch.setattr(sys, "argv", ["scenario", *words])
    scenario()
    lines = capsys.readouterr().out.splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]


def test_imports_are_measured_verified_and_compared_with_blames(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    source: str,
) -> None:
    top, file = tmp_path / "top", tmp_path / "runs.json"
    words = [f"some/name={source}", "--iters", "2", "--dir", str(top), "--json", str(file)]
    head, _, row, *_ = told(monkeypatch, capsys, import_git.main, *words)
    figures = dict(zip(head, row, strict=True))
    assert row[:3] == ["some/name", "5", "1"]
    assert figures["mismatches"] == "0"
    runs = json.loads(file.read_bytes())["some/name"]
    assert [run["counts"]["commits"] for run in runs] == [5, 5]
    assert all(run["arrived"]["seconds"] > 0 and run["store"] > 0 for run in runs)

    place = top / "some+name"
    words = [str(place / "oxy"), str(place / "copy.git"), "--files", "5"]
    head, _, row = told(monkeypatch, capsys, blame_git.main, *words)
    assert head[:4] == ["repository", "files", "lines", "same commit"]
    assert row[1:4] == ["4", "33", "100.00 %"]


def test_a_source_that_is_no_repository_is_named_and_the_others_are_measured(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    source: str,
) -> None:
    broken = tmp_path / "top" / "broken"
    (broken / "copy.git").mkdir(parents=True)
    words = [f"broken={broken}", source, "--limit", "2", "--dir", str(tmp_path / "top")]
    monkeypatch.setattr(sys, "argv", ["import_git", *words])
    import_git.main()
    said = capsys.readouterr().out
    assert "broken, round 1: " in said
    assert "| project | 2 | 0 |" in said


def test_status_is_measured_beside_git(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--files", "20", "--rounds", "1"]
    rows = told(monkeypatch, capsys, status_git.main, *words)
    assert [row[0] for row in rows[2:]] == ["clean", "10 modified"]
    assert all(float(row[3]) > 0 for row in rows[2:])
