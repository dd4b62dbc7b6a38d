"""Does what a command costs stay flat, however long the history and however many the files?

And how does the rest grow: with files, with changes, with the lines of a file? Times are of the
processor, as a library, in a repository that is opened anew; a commit, a diff and a switch name
their path or walk nothing, so what grows is no walk. Memory is the most that Python allocated,
in a round of its own, on top of what a process has before it does anything. Each exponent that
fits is held against what is stated (spec: budget, B12).
Does not show: start-up, a cold disk, what libraries allocate on their own.
"""

import os
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from bench.measuring.asked import Found, asked, conclude, parser, recorded, tell
from bench.measuring.exponents import CHANGES as OF_CHANGES
from bench.measuring.exponents import FILES as OF_FILES
from bench.measuring.exponents import LINES as OF_LINES
from bench.measuring.exponents import fits, told
from bench.measuring.figures import Figure, Sample, figure
from bench.measuring.record import LIBRARY, Row
from bench.threshold.built import AUTHOR, HOT, HOT_EVERY, edit, edited, grow_hot, path_of, write
from oxy.actions.blame import blame
from oxy.actions.checkpoint import checkpoint
from oxy.actions.commit import Request, commit
from oxy.actions.diff import between
from oxy.actions.init import init
from oxy.actions.log import log
from oxy.actions.naming import resolve
from oxy.actions.show import show
from oxy.actions.status import status
from oxy.actions.switch import switch
from oxy.cli.watching import Silent
from oxy.repo.fsck import fsck
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import working_copy

FILES = 1_000
CHANGES = 100
HISTORIES = (100, 500, 1_000, 2_000, 5_000)
TREES = (1_000, 3_000, 10_000, 30_000, 100_000)
LENGTHS = (1_000, 3_000, 10_000, 30_000)
LONG = "long.txt"
BARE = 16
"""MB that a process of oxy has when it has loaded a command and begins."""


class Place:
    """A repository that grows, and what is done in it."""

    def __init__(self, top: str, files: int) -> None:
        self.top = top
        self.files = files
        self.changes = 0
        os.makedirs(top)
        init(os.fsencode(top))
        for number in range(files):
            write(top, number)
        grow_hot(top, 0)
        self._record(())

    def _record(self, paths: Sequence[str]) -> None:
        with working_copy(os.fsencode(self.top)) as copy:
            asked_for = Request(tuple(map(os.fsencode, paths)), AUTHOR)
            assert commit(copy, asked_for, lambda _: b"one more").id

    def commit(self) -> None:
        """Record the edit of one file, named."""
        is_hot = self.changes % HOT_EVERY == 0
        self._record([HOT if is_hot else path_of(edited(self.changes, self.files))])

    def edit(self) -> None:
        """Make the edit that is recorded next."""
        self.changes += 1
        edit(self.top, self.changes, self.files)

    def grow(self, changes: int) -> None:
        """Record changes until there are so many."""
        while self.changes < changes:
            self.edit()
            self.commit()

    def diff(self) -> None:
        """Compare the states before and after the last ten changes."""
        with opened(os.fsencode(self.top)) as repository:
            last = repository.store.count(CHANGE)
            assert list(between(repository, Name((last - 10,)), Name((last,))))

    def show(self) -> None:
        """Show the last change."""
        with opened(os.fsencode(self.top)) as repository:
            assert list(show(repository, repository.store.count(CHANGE)))

    def blame(self) -> None:
        """Blame an ordinary file."""
        with opened(os.fsencode(self.top)) as repository:
            state = resolve(repository, b"main").state
            assert blame(repository, state, os.fsencode(path_of(1)))

    def checkpoint(self) -> None:
        """Write a checkpoint, one commit after the last one."""
        with opened(os.fsencode(self.top)) as repository:
            checkpoint(repository, resolve(repository, b"main").state, Silent())

    def switch(self) -> None:
        """Go back over one change, and forth."""
        with opened(os.fsencode(self.top)) as repository:
            last = repository.store.id_of(CHANGE, repository.store.count(CHANGE) - 1)
        for called in (last.hex().encode(), b"main"):
            with working_copy(os.fsencode(self.top)) as copy:
                switch(copy, called)

    def status(self) -> None:
        """Look at every file; none is edited but the last."""
        with working_copy(os.fsencode(self.top)) as copy:
            assert len(status(copy).snapshot.changes) <= 1

    def log(self) -> None:
        """List every change."""
        with opened(os.fsencode(self.top)) as repository:
            state = resolve(repository, b"main").state
            assert sum(1 for _ in log(repository, state)) == repository.store.count(CHANGE)

    def fsck(self) -> None:
        """Prove everything."""
        with opened(os.fsencode(self.top)) as repository:
            assert not list(fsck(repository, Silent()))


class LongFile:
    """A repository of one long file, of which one line is edited each time."""

    def __init__(self, top: str, lines: int) -> None:
        self.top = top
        self.lines = lines
        self._version = 0
        self._content = [f"line {number} of many" for number in range(lines)]
        os.makedirs(top)
        init(os.fsencode(top))
        self.edit()
        self.commit()

    def edit(self) -> None:
        """Edit one line, another each time."""
        self._version += 1
        self._content[self._version * 7919 % self.lines] = f"version {self._version}"
        with open(os.path.join(self.top, LONG), "w", encoding="ascii") as file:
            file.write("\n".join(self._content) + "\n")

    def commit(self) -> None:
        """Record the edit."""
        with working_copy(os.fsencode(self.top)) as copy:
            assert commit(copy, Request((LONG.encode(),), AUTHOR), lambda _: b"one more").id

    def diff(self) -> None:
        """Compare the states before and after the last change."""
        with opened(os.fsencode(self.top)) as repository:
            last = repository.store.count(CHANGE)
            assert list(between(repository, Name((last - 1,)), Name((last,))))

    def blame(self) -> None:
        """Blame the file."""
        with opened(os.fsencode(self.top)) as repository:
            state = resolve(repository, b"main").state
            assert blame(repository, state, LONG.encode())


LONG_WORKS: dict[str, Callable[[LongFile], None]] = {
    "commit of a long file": LongFile.commit,
    "diff of a long file": LongFile.diff,
    "blame of a long file": LongFile.blame,
}
WORKS: dict[str, Callable[[Place], None]] = {
    "commit of a file": Place.commit,
    "checkpoint after it": Place.checkpoint,
    "diff of ten changes": Place.diff,
    "show of the newest": Place.show,
    "blame of a file": Place.blame,
    "switch back and forth": Place.switch,
    "status": Place.status,
    "log of everything": Place.log,
    "fsck": Place.fsck,
}


Grown = TypeVar("Grown", Place, LongFile)


def sampled(
    place: Grown, works: Mapping[str, Callable[[Grown], None]], rounds: int
) -> dict[str, Figure]:
    """Do everything some times, in turn, after an edit each time; the first time for memory."""
    taken: dict[str, list[Sample]] = {name: [] for name in works}
    peaks: dict[str, float] = {}
    for number in range(rounds + 1):
        place.edit()
        for name, work in works.items():
            if not number:
                peaks[name] = allocated(partial(work, place))
                continue
            began, spent = time.perf_counter(), time.process_time()
            work(place)
            sample = Sample(time.perf_counter() - began, time.process_time() - spent)
            taken[name].append(sample)
    return {name: figure(samples, peaks[name]) for name, samples in taken.items()}


def allocated(work: Callable[[], None]) -> float:
    """Return the most MB that work has allocated at once."""
    tracemalloc.start()
    try:
        work()
        return BARE + tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def rows_of(place: Place, rounds: int) -> list[Row]:
    """Measure everything at the size that a repository has."""
    sizes = {OF_FILES: place.files, OF_CHANGES: place.changes}
    found = sampled(place, WORKS, rounds)
    return [Row(name, "flat", sizes, {LIBRARY: each}) for name, each in found.items()]


def long_rows(top: str, lengths: Sequence[int], rounds: int) -> list[Row]:
    """Measure what is done to one file, at some lengths."""
    rows: list[Row] = []
    for number, lines in enumerate(lengths):
        tell(["lines", lines])
        found = sampled(
            LongFile(os.path.join(top, f"long-{number}"), lines), LONG_WORKS, rounds
        )
        rows += [
            Row(name, "long", {OF_LINES: lines}, {LIBRARY: each})
            for name, each in found.items()
        ]
    return rows


def main() -> None:
    """Print a row for each command at each size, and how much each has grown."""
    reads = parser(__doc__, size=100, counts="percent of each size", iters=9)
    said = asked(reads.parse_args())

    def scaled(sizes: Sequence[int]) -> list[int]:
        return [max(20, size * said.size // 100) for size in sizes]

    def measure(top: str) -> Found:
        changes, files = scaled((CHANGES, FILES))
        long: list[Row] = []
        place = Place(os.path.join(top, "history"), files)
        for size in scaled(HISTORIES):
            tell(["changes", size])
            place.grow(max(size, place.changes))
            long += rows_of(place, said.iters)
        wide: list[Row] = []
        for number, size in enumerate(scaled(TREES)):
            tell(["files", size])
            place = Place(os.path.join(top, f"files-{number}"), size)
            place.grow(changes)
            wide += rows_of(place, said.iters)
        lines = long_rows(top, scaled(LENGTHS), said.iters)
        found = [*fits(long, OF_CHANGES), *fits(wide, OF_FILES), *fits(lines, OF_LINES)]
        return Found([*long, *wide, *lines], [told(found)])

    conclude(recorded("curves", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
