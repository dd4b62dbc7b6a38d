"""A place for bad inputs: a repository, what lies around it, limits of time and memory."""

import hashlib
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from oxy.cli.main import main
from tests.builders.desk import AUTHOR

SECONDS = 30
"""Processor time that one input may take in all."""

MEGABYTES = 160
"""Memory that one input may take beyond what the process has already."""


class Said(NamedTuple):
    """The exit code, and what was written."""

    code: int
    out: bytes
    err: bytes


class Yard:
    """A directory with a repository `here`, and files around it that nobody may touch.

    What a test makes in `stage` is its own: the bad input, and places to put it.
    """

    def __init__(
        self, root: Path, capture: pytest.CaptureFixture[bytes], patch: pytest.MonkeyPatch
    ) -> None:
        self.root = root
        self.here = root / "here"
        self.stage = root / "stage"
        self.patch = patch
        self._capture = capture
        around = {"home/.config/oxy/config.toml": b"", "home/letter": b"dear\n", "tmp/x": b"x"}
        for name, data in around.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        (root / "home/link").symlink_to("letter")
        self.stage.mkdir()
        for name, value in (
            ("OXY_AUTHOR", AUTHOR),
            ("HOME", str(root / "home")),
            ("XDG_CONFIG_HOME", str(root / "home/.config")),
            ("TMPDIR", str(root / "tmp")),
            ("TZ", "UTC"),
        ):
            patch.setenv(name, value)
        assert self.oxy("init", str(self.here), where=root).code == 0

    def oxy(self, *words: str, where: Path | None = None) -> Said:
        """Run a command, in the repository if nothing else is said."""
        self._capture.readouterr()
        code = main(["-C", str(where or self.here), *words])
        out, err = self._capture.readouterr()
        return Said(code, out, err)

    def works(self, *words: str, where: Path | None = None) -> bytes:
        said = self.oxy(*words, where=where)
        assert said.code == 0, said
        return said.out

    def refuses(self, *words: str, code: int, because: str, where: Path | None = None) -> Said:
        """Run what is refused, with these words among those that say why."""
        said = self.oxy(*words, where=where)
        assert said.code == code, said
        assert because.encode() in said.err + said.out, said
        assert b"Traceback" not in said.err
        return said

    def write(self, files: Mapping[str, bytes], message: str | None = None) -> None:
        """Write files in the working copy, and record them if a message is given."""
        for name, data in files.items():
            path = self.here / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if message is not None:
            self.works("commit", "-m", message)

    def segment(self) -> Path:
        return self.here / ".oxy/segments/000001.oxs"

    def sound(self) -> None:
        """Prove that the repository is whole, and that the next command works."""
        assert self.works("fsck") == b"nothing is wrong\n"
        self.works("status")


def summed(root: Path, *besides: Path) -> dict[str, str]:
    """Return a digest of each thing below a directory but for what is in some others."""
    found = {}
    for path in sorted(root.rglob("*")):
        if any(path == each or each in path.parents for each in besides):
            continue
        status = path.lstat()
        data = os.readlink(path).encode() if path.is_symlink() else b""
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
        what = b"%o %d %d " % (status.st_mode, status.st_uid, status.st_mtime_ns)
        is_directory = path.is_dir() and not path.is_symlink()
        found[str(path)] = "" if is_directory else hashlib.sha256(what + data).hexdigest()
    return found


@contextmanager
def bounded() -> Iterator[None]:
    """Limit processor time, and fail where the most memory of the process grew by too much."""
    before = _memory("VmRSS")
    _forget_peak()

    def late(_number: int, _frame: object) -> None:
        what = f"it took more than {SECONDS} s"
        raise AssertionError(what)

    old = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)
    grown = (_memory("VmHWM") - before) >> 10
    assert grown < MEGABYTES, f"it took {grown} MB"


def _memory(name: str) -> int:
    """Return a figure of /proc in KB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise LookupError(name)


def _forget_peak() -> None:
    """Let the kernel count the most memory from now on."""
    Path("/proc/self/clear_refs").write_text("5")
