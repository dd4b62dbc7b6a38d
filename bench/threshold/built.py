"""Builds the repository: files of 21 lines in 100 directories, and one change after the other.

One change in ten adds a line to `hot.txt`, the others rewrite one ordinary file. All of it goes
through the actions that the commands are made of, with no path given and durability `safe`.
"""

import os
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from bench.measuring.figures import Sample
from bench.measuring.memory import peak_of
from bench.threshold.size import Size
from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.cli.timings import peak_memory
from oxy.phase import start, stop
from oxy.worktree.workcopy import working_copy

DIRECTORIES: Final = 100
LINES: Final = 21
HOT: Final = "hot.txt"
HOT_EVERY: Final = 10
AUTHOR: Final = b"Bench <bench@example.org>"


class Taken(NamedTuple):
    """What a step took: its times, seconds of the walk among them, and its peak in MB."""

    sample: Sample
    walk: float
    peak: float

    @property
    def beyond(self) -> Sample:
        """The times without those of the walk; of the processor they are not known apart."""
        return self.sample._replace(seconds=self.sample.seconds - self.walk)


class Built(NamedTuple):
    """The first commit, and all others."""

    first: Taken
    later: tuple[Taken, ...]


def path_of(number: int) -> str:
    """Return the path of an ordinary file."""
    return f"dir{number % DIRECTORIES:02}/file{number // DIRECTORIES:05}.txt"


def text_of(number: int, version: int = 0) -> str:
    """Return a text of 21 lines, one of which tells the version."""
    lines = [f"line {line} of file {number}\n" for line in range(LINES)]
    if version:
        lines[version % LINES] = f"version {version} of file {number}\n"
    return "".join(lines)


def write(top: str, number: int, version: int = 0) -> None:
    """Write an ordinary file."""
    path = os.path.join(top, path_of(number))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text_of(number, version))


def grow_hot(top: str, number: int) -> None:
    """Add a line to the hot file."""
    with open(os.path.join(top, HOT), "a", encoding="ascii") as file:
        file.write(f"hot line {number}\n")


def edited(change: int, files: int) -> int:
    """Return the ordinary file that a change rewrites; the first change rewrites the first."""
    return (change - 1) * 7919 % files


def edit(top: str, change: int, files: int) -> None:
    """Make the edit that a change records."""
    if change % HOT_EVERY == 0:
        grow_hot(top, change)
    else:
        write(top, edited(change, files), change)


def recorded(top: str, message: str) -> Taken:
    """Record everything that changed as one change."""

    def work() -> None:
        with working_copy(os.fsencode(top)) as copy:
            done = commit(copy, Request(author=AUTHOR), lambda _: message.encode())
            assert done.id is not None

    return taken(work)


def taken(work: Callable[[], None]) -> Taken:
    """Do something once, and return what it took."""
    recorder = start(time.perf_counter, peak_memory)
    with peak_of() as peak:
        spent, begin = _processor(), time.perf_counter()
        work()
        sample = Sample(time.perf_counter() - begin, _processor() - spent)
    stop()
    walk = recorder.phases["walk"].seconds if "walk" in recorder.phases else 0.0
    return Taken(sample, walk, peak.megabytes)


def _processor() -> float:
    """Return the processor time of this process and of those that it started, in seconds."""
    return sum(os.times()[:4])


def built(top: str, size: Size) -> Built:
    """Make the repository, one commit at a time."""
    init(os.fsencode(top))
    for number in range(size.files):
        write(top, number)
    grow_hot(top, 0)
    first = recorded(top, "all files")
    later: list[Taken] = []
    for change in range(1, size.changes + 1):
        edit(top, change, size.files)
        later.append(recorded(top, f"change {change}"))
    return Built(first, tuple(later))
