"""The same repository in Git, and the rows that design 13 bounds by it, as whole processes."""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from bench.measuring.process import OXY, environment
from bench.measuring.source import git
from bench.threshold.built import HOT, HOT_EVERY, path_of, text_of, write
from bench.threshold.size import Size

ROUNDS: Final = 7
_STATUS: Final = ((*OXY, "status"), ("git", "status", "--porcelain"))
_COMMANDS: Final = {
    "status clean": _STATUS,
    "status, 10 modified": _STATUS,
    "log of the whole bookmark": ((*OXY, "log"), ("git", "log")),
    "blame of the hot file": ((*OXY, "blame", HOT), ("git", "blame", HOT)),
    "fsck": ((*OXY, "fsck"), ("git", "fsck", "--full")),
}
ALIKE: Final = {"status after it": "status clean"}
"""Rows that are the same process as another."""


def twin(top: str, size: Size) -> None:
    """Make the repository that `built` makes in Git: the same files, commit by commit."""
    os.makedirs(top)
    git(top, "init", "-q", "-b", "main")
    git(top, "fast-import", "--quiet", data=b"".join(_stream(size)))
    git(top, "reset", "--hard", "-q", "main")
    git(top, "gc", "-q")


def _stream(size: Size) -> Iterator[bytes]:
    hot = ["hot line 0\n"]
    yield _commit(b"all files")
    for number in range(size.files):
        yield _file(path_of(number), text_of(number))
    yield _file(HOT, "".join(hot))
    for change in range(1, size.changes + 1):
        yield _commit(b"change %d" % change)
        if change % HOT_EVERY == 0:
            hot.append(f"hot line {change}\n")
            yield _file(HOT, "".join(hot))
        else:
            number = change * 7919 % size.files
            yield _file(path_of(number), text_of(number, change))


def _commit(message: bytes) -> bytes:
    who = b"committer Bench <bench@example.org> 1 +0000\n"
    return b"commit refs/heads/main\n" + who + b"data %d\n%b\n" % (len(message), message)


def _file(path: str, text: str) -> bytes:
    return b"M 644 inline %b\ndata %d\n%b\n" % (path.encode(), len(text), text.encode())


def ratios(ours: str, theirs: str) -> dict[str, float]:
    """Return how many times as long as Git's each row's process takes; medians, in turn."""
    found = {}
    for name, commands in _COMMANDS.items():
        if "modified" in name:
            for top in (ours, theirs):
                for number in range(10):
                    write(top, number * 31, 200_000)
        pairs = list(zip(commands, (ours, theirs), strict=True))
        found[name] = _ratio([partial(_ran, *pair) for pair in pairs])
    return found | {name: found[other] for name, other in ALIKE.items()}


def _ratio(arms: Sequence[Callable[[], float]]) -> float:
    times: list[list[float]] = [[] for _ in arms]
    for round_ in range(ROUNDS + 1):
        for taken, arm in zip(times, arms, strict=True):
            seconds = arm()
            if round_:
                taken.append(seconds)
    ours, theirs = map(statistics.median, times)
    return ours / theirs


def _ran(command: Sequence[str], where: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=where, stdout=subprocess.DEVNULL, check=True, env=environment())
    return time.perf_counter() - start


def first_commits(place: str, size: Size) -> float:
    """Return the first commit of all files in units of `git add` and `git commit`, durable."""
    times: list[list[float]] = [[], []]
    for round_ in range(3):
        for arm, taken in enumerate(times):
            top = os.path.join(place, f"first-{arm}-{round_}")
            for number in range(size.files):
                write(top, number)
            taken.append(_first_git(top) if arm else _first_oxy(top))
    ours, theirs = map(statistics.median, times)
    return ours / theirs


def _first_oxy(top: str) -> float:
    _ran((*OXY, "init"), top)
    return _ran((*OXY, "commit", "-m", "all"), top)


def _first_git(top: str) -> float:
    _ran(("git", "init", "-q"), top)
    safe = ("-c", "core.fsync=all", "-c", "user.name=Bench", "-c", "user.email=b@example.org")
    added = _ran(("git", *safe, "add", "."), top)
    return added + _ran(("git", *safe, "commit", "-qm", "all"), top)
