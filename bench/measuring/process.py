"""One whole process: its time, and its memory while it runs.

Memory is read from /proc while the process runs, its own apart from that of the processes it
starts: what `wait4` tells is the largest of all of them, and of the one that started them.
Where there is no /proc, memory reads 0.
"""

import atexit
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from bench.measuring.figures import Sample

ROOT: Final = Path(__file__).resolve().parents[2]
OXY: Final = [sys.executable, "-P", str(ROOT / "bin" / "oxy")]
"""The command of this tree, whatever is installed and wherever it is run."""

INTERVAL: Final = 0.05
"""Most seconds between two looks at the memory; in the beginning they are a twentieth of what
has passed, so that the end of a short process is not missed by more."""
TENTHS: Final = 10
SPENT: Final = re.compile(rb"timings: +(\S[a-z -]*?) +([0-9.]+)\b")
NOTHING: Final[Mapping[str, float]] = MappingProxyType({})
PROGRESS: Final = re.compile(rb"(\d+) of (\d+) commits")
KIB_A_MB: Final = 1e6 / 1024


class FailedError(Exception):
    """A process that was to be measured failed."""

    def __init__(self, command: Sequence[str], code: int, said: bytes) -> None:
        super().__init__(
            f"{command[-1]}: exit code {code}: {said[-2000:].decode('utf-8', 'replace')}"
        )
        self.code = code


class Ran(NamedTuple):
    """What a process took.

    Attributes:
        code: the exit code.
        seconds: from its start to its end.
        processor: seconds of processor time, its children's included.
        peak: the most memory that it had itself, in MB.
        children: the most that the processes it started had together, in MB.
        curve: its memory in MB when it had first told of each tenth of its commits; empty where
            it ended before it told anything.
        output: what it wrote to standard output.
        phases: seconds of each phase, by name, where they were asked for.
    """

    code: int
    seconds: float
    processor: float
    peak: float
    children: float
    curve: tuple[float, ...]
    output: bytes
    phases: Mapping[str, float] = NOTHING


@cache
def home() -> str:
    """Return an empty directory that is home to all that is measured; it goes at the end."""
    made = tempfile.mkdtemp(prefix="oxy-bench-home-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def environment() -> dict[str, str]:
    """Return the environment of everything that is measured: no configuration of the user."""
    dropped = ("FOSSIL_", "GIT_", "HG", "OXY_", "PYTHON", "XDG_")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "HGRCPATH": "",
        "HOME": home(),
        "LC_ALL": "C",
        "USER": "bench",
        "OXY_AUTHOR": "Bench <bench@example.org>",
        "PYTHONPATH": str(ROOT),
    }


def watched(
    command: Sequence[str],
    cwd: str | None = None,
    *,
    codes: Sequence[int] = (0,),
    phases: bool = False,
) -> Ran:
    """Run a command and watch it; its standard error is a terminal, so that it tells progress.

    With `phases` it is asked what it spends its time on.

    Raises:
        FailedError: its exit code is none of `codes`.
    """
    ours, theirs = pty.openpty()
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        asked = environment() | ({"OXY_TIMINGS": "1"} if phases else {})
        process = subprocess.Popen(command, cwd=cwd, env=asked, stdout=output, stderr=theirs)
        os.close(theirs)
        watch = _Watch(process.pid, ours)
        while True:
            watch.look()
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        watch.drain()
        os.close(ours)
        output.seek(0)
        written = output.read()
    if process.returncode not in codes:
        raise FailedError(command, process.returncode, bytes(watch.said) + written)
    processor = usage.ru_utime + usage.ru_stime
    found = (watch.peak / KIB_A_MB, watch.children / KIB_A_MB, watch.whole_curve())
    spent = {name.decode(): float(ms) / 1e3 for name, ms in SPENT.findall(bytes(watch.said))}
    return Ran(process.returncode, seconds, processor, *found, written, spent)


def timed(command: Sequence[str], cwd: str, *, codes: Sequence[int] = (0,)) -> Sample:
    """Run a command and wait for its end, without looking at it meanwhile.

    Raises:
        FailedError: its exit code is none of `codes`.
    """
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=cwd, env=environment(), stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in codes:
            output.seek(0)
            raise FailedError(command, process.returncode, output.read())
    return Sample(seconds, usage.ru_utime + usage.ru_stime)


class _Watch:
    """What is seen of a process that runs; sizes in KiB."""

    def __init__(self, pid: int, terminal: int) -> None:
        self._pid = pid
        self._start = time.perf_counter()
        self._terminal = terminal
        self.said = bytearray()
        self.peak = 0
        self.children = 0
        self._curve: list[float] = []
        self._size = 0

    def whole_curve(self) -> tuple[float, ...]:
        """Return the memory at every tenth; the end is often not told, and counts as told."""
        missing = TENTHS - len(self._curve) if self._curve else 0
        return (*self._curve, *[self._size / KIB_A_MB] * missing)

    def look(self) -> None:
        """Wait a moment, or until something is said, and look at the memory."""
        wait = min(INTERVAL, (time.perf_counter() - self._start) / 20 + 5e-4)
        select.select([self._terminal], [], [], wait)
        if not self._hear():
            time.sleep(wait / 10)
        size, most = _memory(self._pid)
        self._size = size or self._size
        self.peak = max(self.peak, most)
        self.children = max(self.children, sum(_memory(pid)[0] for pid in _children(self._pid)))
        told = PROGRESS.findall(self.said)
        if told:
            done, total = map(int, told[-1])
            while len(self._curve) < done * TENTHS // total:
                self._curve.append(self._size / KIB_A_MB)

    def drain(self) -> None:
        """Hear what was said at the very end."""
        while self._hear():
            pass

    def _hear(self) -> bool:
        """Take what is there to be heard; return whether there was anything."""
        if not select.select([self._terminal], [], [], 0)[0]:
            return False
        try:
            data = os.read(self._terminal, 1 << 16)
        except OSError:  # nobody holds the other end any more
            data = b""
        self.said = (self.said + data)[-4096:]
        return bool(data)


def _memory(pid: int) -> tuple[int, int]:
    """Return the memory that a process has and the most that it had, in KiB."""
    try:
        status = Path(f"/proc/{pid}/status").read_bytes()
    except OSError:
        return 0, 0
    fields = dict(line.split(b":", 1) for line in status.splitlines() if b":" in line)
    size, most = (int(fields.get(name, b"0").split()[0]) for name in (b"VmRSS", b"VmHWM"))
    return size, most


def _children(pid: int) -> list[int]:
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        told = [Path(f"/proc/{pid}/task/{thread}/children").read_text() for thread in threads]
    except OSError:
        return []
    return [int(word) for line in told for word in line.split()]
