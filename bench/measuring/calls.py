"""How many system calls something makes, and how many of them wait for the disk: strace counts.

A process tells where the part begins and ends that counts, by asking for files that are not
there. Where there is no strace, or it may not trace, nothing is told.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Final, NamedTuple

from bench.measuring.process import environment

BEGIN: Final = "/oxy-bench-begins"
END: Final = "/oxy-bench-ends"
SYNCS: Final = frozenset({"fsync", "fdatasync", "sync_file_range", "syncfs", "sync", "msync"})
_CALL: Final = re.compile(r"^\d+ +(\w+)\(", re.MULTILINE)


class Calls(NamedTuple):
    """How many system calls there were, and how many of them are syncs."""

    all: int
    syncs: int


def mark(where: str) -> None:
    """Tell strace that the part that counts begins or ends."""
    os.access(where, os.F_OK)


def counted(command: Sequence[str], data: bytes = b"", cwd: str | None = None) -> Calls | None:
    """Return the calls of a command and its children, those between its marks if it has any.

    None where they cannot be traced.
    """
    if shutil.which("strace") is None:
        return None
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "calls")
        words = ["strace", "-f", "-qq", "-s", "64", "-o", file, *command]
        done = subprocess.run(
            words, input=data, capture_output=True, check=False, env=environment(), cwd=cwd
        )
        if done.returncode or not os.path.exists(file):
            return None
        with open(file, encoding="utf-8", errors="replace") as opened:
            return _calls(opened.read())


def _calls(told: str) -> Calls:
    """Return the calls in what strace wrote."""
    _, begins, rest = told.partition(f'"{BEGIN}"')
    part = rest.partition(f'"{END}"')[0] if begins else told
    names: list[str] = _CALL.findall(part)
    own = 1 if begins else 0  # the line of the last mark
    return Calls(len(names) - own, sum(name in SYNCS for name in names))
