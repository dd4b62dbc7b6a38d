"""Makes the committed baselines anew: `python -m bench baseline NAME… [--small] [OPTION…]`.

Each bench runs twice. Where the two runs agree within 10 % the second becomes
`bench/baselines/NAME.json`, and the page is made anew; where they do not, what drifted is
named, the baseline stays as it is, and the exit code is 1. `--page` makes only the page anew.
"""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import run as run_process
from typing import Final

from bench.compare import TOLERANCE, compared, read
from bench.measuring.process import ROOT
from bench.measuring.record import Record, encode
from bench.report.__main__ import STYLE
from bench.report.page import page

BASELINES: Final = ROOT / "bench" / "baselines"
PAGE: Final = "report.html"


def page_of(directory: Path = BASELINES) -> str:
    """Return the page of all baselines."""
    records = read(str(directory))
    return page([records[name] for name in sorted(records)], Path(STYLE).read_text("utf-8"))


def write_page(directory: Path = BASELINES) -> None:
    """Make the page anew."""
    (directory / PAGE).write_text(page_of(directory), "utf-8")


def taken(first: Mapping[str, Record], second: Mapping[str, Record], directory: Path) -> int:
    """Replace the baselines of benches whose runs agree; return how many did not."""
    refused = 0
    for name in second:
        found = compared({name: first[name]}, {name: second[name]}, TOLERANCE)
        for drift in found:
            print(drift)
        if found:
            refused += 1
            continue
        directory.mkdir(exist_ok=True)
        (directory / f"{name}.json").write_text(encode(second[name]), "utf-8")
    return refused


def measured(words: Sequence[str]) -> dict[str, Record]:
    """Run benches in a process of their own, and return their records."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "bench", *words, "--results", place]
        told = {**os.environ, "PYTHONPATH": str(ROOT)}
        run_process(command, check=True, cwd=ROOT, env=told)
        return read(place)


def main(words: Sequence[str]) -> int:
    """Measure twice, and replace what agrees; return the exit code."""
    if "-h" in words or "--help" in words or not words:
        print(__doc__)
        return 0
    refused = 0
    if list(words) != ["--page"]:
        refused = taken(measured(words), measured(words), BASELINES)
    write_page()
    return 1 if refused else 0
