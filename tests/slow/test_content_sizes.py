"""Memory follows the names of a tree, not its contents (B4)."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import oxy

pytestmark = pytest.mark.slow

FILES: Final = 48
MORE: Final = 16 << 20
"""Bytes of memory by which a tree of four times the content may cost more."""

RUN: Final = """
import sys
from oxy.cli.main import main
status = main()
with open("/proc/self/status") as file:
    peak = next(line for line in file if line.startswith("VmHWM"))
print(peak.split()[1], file=sys.stderr)
sys.exit(status)
"""


def peak(root: Path, *words: str) -> int:
    """Run a command in a process of its own and return the most bytes of memory that it had."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(Path(oxy.__file__).parents[1])},
        check=True,
        capture_output=True,
        text=True,
    )
    return int(done.stderr.split()[-1]) << 10


def grown(root: Path, megabytes: int) -> tuple[int, int]:
    """Return what a first commit and a clone cost of files of so many MB together."""
    work = root / "work"
    work.mkdir(parents=True)
    size = (megabytes << 20) // FILES
    for at in range(FILES):
        line = b"%d of a line that is told apart from all others\n" % at
        kind = b"\0" if at % 2 else b""
        (work / f"f{at:02}").write_bytes(kind + (line * (size // len(line) + 1))[:size])
    peak(root, "init", "work")
    committed = peak(work, "commit", "-m", "first", "--author", "Ada <ada@example.org>")
    return committed, peak(root, "clone", "work", "copy")


def test_four_times_the_content_takes_no_more_memory(tmp_path: Path) -> None:
    small, large = grown(tmp_path / "small", 12), grown(tmp_path / "large", 48)
    for before, after in zip(small, large, strict=True):
        assert after < before + MORE
