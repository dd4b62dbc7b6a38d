import os
import shutil
import sys
from pathlib import Path

import pytest

from bench.measuring.calls import BEGIN, END, counted

MARKED = f"""
import os
os.access({BEGIN!r}, os.F_OK)
fd = os.open({{0!r}}, os.O_CREAT | os.O_WRONLY)
os.fsync(fd)
os.fdatasync(fd)
os.access({END!r}, os.F_OK)
os.fsync(fd)
"""


def test_only_calls_between_the_marks_count(tmp_path: Path) -> None:
    told = counted([sys.executable, "-c", MARKED.format(str(tmp_path / "file"))])
    if shutil.which("strace") is None:
        assert told is None
    else:
        assert told == (3, 2)


def test_where_nothing_can_be_traced_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    assert counted([sys.executable, "-c", ""]) is None
