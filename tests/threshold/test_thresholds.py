"""The threshold bench, as a test that `make threshold` runs."""

import os
import sys

import pytest

from bench.threshold.run import run
from bench.threshold.size import Size


@pytest.mark.threshold
def test_every_row_is_under_its_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    report = run(Size.asked())
    with capsys.disabled():
        sys.stdout.write(f"\n{report.text()}\n")
    told = os.environ.get("OXY_BENCH_JSON")
    if told:
        with open(told, "w", encoding="utf-8") as file:
            file.write(report.record())
    over = [f"{row.name}: {row.verdict}" for row in report.rows if row.verdict != "ok"]
    assert not over
    assert report.is_ok
