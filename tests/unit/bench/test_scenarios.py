import sys
from collections.abc import Callable
from math import isfinite
from pathlib import Path

import pytest

from bench import (
    blame_git,
    commands,
    curves,
    import_git,
    merge_curves,
    merge_large,
    peers,
    receive_curves,
    startup,
)
from bench.measuring.record import decode
from bench.threshold.__main__ import main as threshold
from tests.builders.gitcases import TEN, merge_of_two
from tests.builders.gitrepo import GitRepo

Scenario = Callable[[], object]


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
    return [line[2:-2].split(" | ") for line in lines if line.startswith("|")]


def test_imports_are_measured_verified_and_compared_with_blames(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    source: str,
) -> None:
    top, file = tmp_path / "top", tmp_path / "runs.json"
    words = [f"some/name={source}", "--iters", "2", "--keep", str(top), "--json", str(file)]
    told(monkeypatch, capsys, import_git.main, *words)
    arrived, checked, left, *grown = decode(file.read_text(), "runs.json").rows
    assert (arrived.material, dict(arrived.sizes)) == ("some/name", {"commits": 5})
    assert arrived.facts["merges"] == 1
    assert arrived.facts["store MB"] > 0
    assert arrived.figures["oxy"].rounds == 2
    assert 0 < arrived.facts["store s"] < arrived.figures["oxy"].median
    assert (checked.operation, checked.facts["mismatches"]) == ("verify", 0)
    assert (left.operation, left.facts["other ids"]) == ("export", 0)
    assert {row.unit for row in grown} <= {"MB"}

    place = top / "some+name"
    words = [str(place / "oxy"), str(place / "copy.git"), "--size", "5"]
    head, _, row = told(monkeypatch, capsys, blame_git.main, *words)
    assert head[:3] == ["copy, 4 files", "lines", "same commit %"]
    assert row[1:3] == ["33", "100"]


def test_a_source_that_has_a_record_is_not_measured_again(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    source: str,
) -> None:
    parts, file = tmp_path / "parts", tmp_path / "all.json"
    words = ["--repos", source, "--parts", str(parts), "--commits", "3", "--json", str(file)]
    assert told(monkeypatch, capsys, import_git.main, *words)
    one = decode((parts / "project.json").read_text(), "project.json")
    assert one.rows[0].sizes == {"commits": 3}
    assert told(monkeypatch, capsys, import_git.main, *words) == []
    assert decode(file.read_text(), "all.json") == one


def test_a_source_that_is_no_repository_is_named_and_the_others_are_measured(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    source: str,
) -> None:
    broken = tmp_path / "top" / "broken"
    (broken / "copy.git").mkdir(parents=True)
    words = [f"broken={broken}", source, "--size", "2", "--keep", str(tmp_path / "top")]
    monkeypatch.setattr(sys, "argv", ["import_git", *words])
    import_git.main()
    said = capsys.readouterr().out
    assert "broken, round 1: " in said
    assert "| project, 2 commits |" in said


def test_commands_are_measured_beside_a_bare_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--only", "version", "--iters", "1"]
    head, _, row, *_ = told(monkeypatch, capsys, startup.main, *words)
    assert head[1:5] == ["oxy ms", "bare python ms", "ratio", "bound"]
    assert (row[0], row[4]) == ("version", "2")


def test_every_command_of_a_day_is_measured_twice_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--size", "220", "--changes", "12", "--iters", "2"]
    rows = told(monkeypatch, capsys, commands.main, *words)
    names = [row[0] for row in rows]
    assert {"status", "rebase --onto main", "bisect good", "version"} <= {*names}


def test_a_merge_of_two_bookmarks_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--size", "40", "--changes", "12"]
    head, _, row, *_ = told(monkeypatch, capsys, merge_large.main, *words)
    assert head[0] == "flat, 40 files, 12 changes"
    assert row[0] == "merge, beyond the walk"


def test_every_curve_is_told_with_its_exponent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    head, _, *rows = told(monkeypatch, capsys, merge_curves.main, "--size", "1")
    assert head[-2:] == ["exponent", ""]
    titles = [row[0].rpartition(",")[0] for row in rows]
    assert titles == [scenario.title for scenario in merge_curves.SCENARIOS]
    assert all(isfinite(float(row[-2])) for row in rows)


def test_every_history_that_arrives_is_told_with_its_exponent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, *rows = told(monkeypatch, capsys, receive_curves.main, "--size", "1")
    titles = [row[0].rpartition(",")[0] for row in rows]
    assert titles == [scenario.title for scenario in receive_curves.SCENARIOS]
    assert all(isfinite(float(row[-2])) for row in rows)


def test_every_command_has_a_curve_over_changes_and_one_over_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(curves, "FILES", 25)
    monkeypatch.setattr(curves, "CHANGES", 20)
    monkeypatch.setattr(curves, "HISTORIES", (20, 40))
    monkeypatch.setattr(curves, "TREES", (20, 30, 40, 50))
    monkeypatch.setattr(curves, "LENGTHS", (20, 30))
    head, _, *rows = told(monkeypatch, capsys, curves.main, "--size", "100", "--iters", "1")
    sizes = ((25, 20), (25, 40), (20, 20), (30, 20), (40, 20), (50, 20))
    trees = [f"flat, {files} files, {changes} changes" for files, changes in sizes]
    assert head[1:] == [*trees, "long, 20 lines", "long, 30 lines"]
    names = [*curves.WORKS, *curves.LONG_WORKS]
    assert [row[0] for row in rows[: len(names)]] == names
    exponents = [row for row in rows if len(row) == 6 and row[1] == "files"]
    assert [row[0] for row in exponents[-len(curves.WORKS) :]] == list(curves.WORKS)


def test_peers_are_measured_on_one_operation_of_one_tree(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "out" / "peers.json"
    words = ["--tree", "deep", "--size", "12", "--iters", "1", "--only", "status, clean"]
    words += ["--systems", "oxy,git", "--json", str(file), "--dir", str(tmp_path)]
    told(monkeypatch, capsys, peers.main, *words)
    record = decode(file.read_text(), "peers.json")
    assert [row.operation for row in record.rows] == ["first commit", "status, clean"]
    assert dict(record.rows[1].sizes) == {"files": 12, "levels": 12}
    assert record.rows[1].bound == 3
    assert list(record.command[1:3]) == ["--tree", "deep"]
    assert set(record.load) == {"before", "after"}


def test_the_growth_table_is_asked_for_by_an_option(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["--growth", "--at", "4,1", "--at", "4,3", "--dir", str(tmp_path)]
    head, *_ = told(monkeypatch, capsys, threshold, *words)
    assert head[1:3] == ["flat, 4 files, 1 changes", "flat, 4 files, 3 changes"]
