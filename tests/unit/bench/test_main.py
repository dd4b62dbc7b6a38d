import sys
from pathlib import Path

import pytest

from bench import operations
from bench.__main__ import UnknownBenchError, called, main
from bench.measuring.asked import question_of, unshown_of
from bench.scenarios import AREAS, SCENARIOS


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_bench_tells_what_it_answers_and_what_it_does_not_show(name: str) -> None:
    told = SCENARIOS[name].told
    assert question_of(told).endswith("?") or name in {"blame-git", "merge-large"}
    assert unshown_of(told).startswith("Does not show")


def test_names_come_first_and_the_rest_is_for_each() -> None:
    said = called(["appends", "curves", "--small", "--iters", "2", "--results", "there"])
    assert said == (["appends", "curves"], True, "there", ["--iters", "2"])
    assert "peers" not in called(["all"]).names
    assert "appends" in called(["all", "--small"]).names


def test_what_is_no_bench_is_refused_with_those_that_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UnknownBenchError, match="no bench nothing; there are: appends"):
        called(["nothing"])
    monkeypatch.setattr(sys, "argv", ["bench", "nothing"])
    assert main() == 2
    assert "no bench nothing" in capsys.readouterr().err


def test_without_a_name_all_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench"])
    assert main() == 0
    told = capsys.readouterr().out
    assert "appends: What does one durable append" in told
    assert "Does not show: commits" in told


def test_a_bench_runs_by_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "appends", "--small", "--only", "200 B", "--size", "1", "--iters", "1"]
    monkeypatch.setattr(sys, "argv", words)
    assert main() == 0
    told = capsys.readouterr().out
    assert "| noise, 200 bytes, 2 appends |" in told
    assert "| append, acknowledged | - |" in told
    assert "do not make the same artifact" in told


def test_every_area_of_operations_can_be_run() -> None:
    there = Path(operations.__file__).parent.glob("*.py")
    assert {path.stem for path in there if "CASES: Final" in path.read_text()} == {*AREAS}
