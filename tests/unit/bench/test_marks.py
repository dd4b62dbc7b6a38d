import sys
from pathlib import Path

import pytest

from bench.beside.__main__ import main
from bench.beside.marks import GROWN, Growth, growths, notes, shown, worst
from bench.beside.operations import CHECK, SHOW
from bench.measuring.record import encode
from tests.builders.benchrecord import record, row


def test_wins_and_what_is_over_two_are_told() -> None:
    rows = [row({"oxy": 0.1, "git": 0.2}, "pick"), row({"oxy": 0.5, "git": 0.1}, "blame")]
    won, over = notes(rows)
    assert won == "Won against git, by processor time: pick."
    assert over == "Over 2.00 against git: blame 5.00."


def test_the_worst_ratios_name_each_operation_once_at_its_worst() -> None:
    first = record([row({"oxy": 0.5, "git": 0.1}, "blame"), row({"oxy": 1, "git": 1}, "log")])
    later = record([row({"oxy": 0.9, "git": 0.1}, "blame", files=5)])
    found = worst([first, later])
    assert [each.operation for each in found] == ["blame", "log"]
    assert found[0].sizes["files"] == 5


def test_only_what_need_not_grow_is_over_when_it_grows() -> None:
    records = [
        record([row({"oxy": took, "git": 1}, name, files=files) for name in (SHOW, CHECK)])
        for files, took in ((10, 0.1), (100, 0.2))
    ]
    grown = growths(records)
    assert [(each.operation, each.is_over) for each in grown] == [(SHOW, True), (CHECK, False)]
    assert [each.times for each in grown] == pytest.approx([2, 2])
    assert not Growth(SHOW, 10, 100, GROWN).is_over
    assert "| diff of the last change | 10 to 100 | 2.00 | over |" in shown(records)


def test_runs_are_read_from_files_and_growth_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = []
    for files, seconds in ((10, 0.1), (100, 0.2)):
        file = tmp_path / f"{files}.json"
        made = record([row({"oxy": seconds, "git": 0.1}, SHOW, files=files)])
        file.write_text(encode(made))
        names.append(str(file))
    monkeypatch.setattr(sys, "argv", ["beside", *names])
    assert main() == 1
    assert "worst ratios" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["beside", names[0]])
    assert main() == 0
