"""The threshold bench, as a test that `make threshold` runs."""

import os
import sys

import pytest

from bench.measuring.asked import conclude
from bench.threshold.run import WHOLE_PEAK, run
from bench.threshold.size import Size


@pytest.mark.threshold
def test_every_row_is_under_its_limits(capsys: pytest.CaptureFixture[str]) -> None:
    record = run(Size.asked())
    with capsys.disabled():
        sys.stdout.write("\n")
        conclude(record, os.environ.get("OXY_BENCH_JSON"))
    over = [f"{row.operation}: {row.verdict}" for row in record.rows if row.verdict != "ok"]
    assert not over
    assert record.peak <= WHOLE_PEAK
