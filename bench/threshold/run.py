"""Runs the threshold bench, and says of each row whether it is under its bounds."""

import json
import os
import platform
import shutil
import sys
import tempfile
import time
from typing import Final, NamedTuple

from bench.measuring.report import machine, table
from bench.threshold.built import Built, Taken, built
from bench.threshold.peer import first_commits, ratios, twin
from bench.threshold.rows import ROWS, measured
from bench.threshold.size import Size

ALL_FILES: Final = "commit of all files"
ONE_FILE: Final = "commit of one file, mean"
WHOLE_PEAK: Final = 200
"""MB that the whole run may take."""


class Result(NamedTuple):
    """One row as it came out; `ms` is None where a command is missing."""

    name: str
    threshold: float
    ms: float | None
    walk: float
    peak: float
    bound: float
    ratio: float | None

    @property
    def verdict(self) -> str:
        """Return `ok`, `over`, or `not built`."""
        if self.ms is None:
            return "not built"
        is_over = self.ms > self.threshold or (self.ratio or 0) > (self.bound or float("inf"))
        return "over" if is_over else "ok"


class Report(NamedTuple):
    """All rows, and what belongs under them."""

    size: Size
    rows: tuple[Result, ...]
    seconds: float
    peak: float
    early: float
    late: float

    @property
    def is_ok(self) -> bool:
        """Whether every row is, and the memory of the whole run."""
        return self.peak <= WHOLE_PEAK and all(row.verdict == "ok" for row in self.rows)

    def text(self) -> str:
        """Return the report as a table."""
        head = ["row", "ms", "threshold", "of it walk", "peak MB", "of git", "bound", ""]
        rows = [_cells(row) for row in self.rows]
        told = (
            f"{self.size.files:,} files, {self.size.changes:,} changes; whole run "
            f"{self.seconds:.0f} s, peak {self.peak:.0f} MB of {WHOLE_PEAK}; a commit beyond "
            f"its walk: {self.early:.1f} ms in the first tenth, {self.late:.1f} in the last; "
            f"{machine()}."
        )
        return table(head, rows) + "\n\n" + told

    def record(self) -> str:
        """Return the report as JSON."""
        facts = {
            "files": self.size.files,
            "changes": self.size.changes,
            "date": time.strftime("%Y-%m-%d"),
            "machine": machine(),
            "python": platform.python_version(),
            "seconds": self.seconds,
            "peak": self.peak,
            "early": self.early,
            "late": self.late,
            "rows": [{**row._asdict(), "verdict": row.verdict} for row in self.rows],
        }
        return json.dumps(facts, indent=2) + "\n"


def _cells(row: Result) -> list[str]:
    shown = "-" if row.ms is None else f"{row.ms:.1f}"
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    bound = f"{row.bound:g}" if row.bound else ""
    walk = f"{row.walk:.1f}" if row.walk else ""
    return [
        row.name,
        shown,
        f"{row.threshold:g}",
        walk,
        f"{row.peak:.0f}",
        ratio,
        bound,
        row.verdict,
    ]


def run(size: Size) -> Report:
    """Build the repository and measure every row, in a directory that is removed afterwards."""
    begin = time.perf_counter()
    place = tempfile.mkdtemp(prefix="oxy-threshold-", dir=size.place)
    try:
        top = os.path.join(place, "oxy")
        os.makedirs(top)
        made = built(top, size)
        found = [(row, measured(row, top)) for row in ROWS]
        seconds = time.perf_counter() - begin
        theirs = os.path.join(place, "git")
        twin(theirs, size)
        beside = ratios(top, theirs) | {ALL_FILES: first_commits(place, size)}
    finally:
        shutil.rmtree(place, ignore_errors=True)
    rows = [*_commits(made, beside)]
    for row, took in found:
        held = took or Taken(0, 0, 0)
        ms = None if took is None else took.ms
        ratio = beside.get(row.name) if row.bound else None
        rows.append(Result(row.name, row.threshold, ms, held.walk, held.peak, row.bound, ratio))
    peak = max(row.peak for row in rows)
    return Report(size, tuple(rows), seconds, peak, made.early, made.late)


def _commits(made: Built, beside: dict[str, float]) -> tuple[Result, Result]:
    first, mean = made.first, made.mean
    return (
        Result(ALL_FILES, 2_500, first.ms, first.walk, first.peak, 1, beside[ALL_FILES]),
        Result(ONE_FILE, 25, mean.ms - mean.walk, mean.walk, mean.peak, 0, None),
    )


def main() -> int:
    """Run at the size that is asked for; write the JSON where the first argument says."""
    report = run(Size.asked())
    print(report.text())
    if sys.argv[1:]:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write(report.record())
    return 0 if report.is_ok else 1


if __name__ == "__main__":
    sys.exit(main())
