"""An import in a process of its own, whose memory and that of its gits is measured."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.builders.gitrepo import isolated

_WORK = (
    "import resource, sys\n"
    "from oxy.cli.main import main\n"
    "code = main(sys.argv[1:])\n"
    # What getrusage says of a process itself begins with the memory of who started it.
    "own = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
    "print(own.split()[1], resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    "sys.exit(code)\n"
)


class Ended(NamedTuple):
    """How it ended, what it complained of, and the most memory of one process, in MB."""

    code: int
    err: str
    peak: float


def imported(git: Path, into: Path, *words: str) -> Ended:
    """Import a Git repository by `oxy git import`."""
    command = [sys.executable, "-c", _WORK, "git", "import", *words, str(git), str(into)]
    environment = {**isolated(), "OXY_AUTHOR": "Ada <ada@example.org>"}
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment, cwd=_root()
    )
    peaks = done.stdout.splitlines()[-1].split()
    return Ended(done.returncode, done.stderr, max(map(int, peaks)) / 1024)


def _root() -> Path:
    return Path(__file__).resolve().parents[2]
