"""Does what a command costs stay flat, however long the history and however many the files?

Bound: of the work on one file, none of it but one stat for each file of the tree. Times are of
the processor, as a library, in a repository that is opened anew; a commit, a diff and a switch
name their path or walk nothing, so what grows is no walk. Does not show: start-up, a cold disk.
"""

import os
import time
from collections.abc import Callable, Sequence

from bench.measuring.asked import Found, asked, conclude, parser, recorded, tell
from bench.measuring.figures import Sample, figure
from bench.measuring.record import LIBRARY, Row
from bench.threshold.built import AUTHOR, HOT, HOT_EVERY, edit, edited, grow_hot, path_of, write
from oxy.actions.blame import blame
from oxy.actions.checkpoint import checkpoint
from oxy.actions.commit import Request, commit
from oxy.actions.diff import between
from oxy.actions.init import init
from oxy.actions.naming import resolve
from oxy.actions.show import show
from oxy.actions.switch import switch
from oxy.cli.watching import Silent
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import working_copy

FILES = 1_000
CHANGES = 100
HISTORIES = (100, 500, 1_000, 2_000, 5_000)
TREES = (1_000, 3_000, 10_000, 30_000, 100_000)


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


WORKS: dict[str, Callable[[Place], None]] = {
    "commit of a file": Place.commit,
    "checkpoint after it": Place.checkpoint,
    "diff of ten changes": Place.diff,
    "show of the newest": Place.show,
    "blame of a file": Place.blame,
    "switch back and forth": Place.switch,
}


def sampled(place: Place, rounds: int) -> dict[str, list[Sample]]:
    """Do everything some times, in turn, after an edit each time."""
    taken: dict[str, list[Sample]] = {name: [] for name in WORKS}
    for number in range(rounds + 1):
        place.edit()
        for name, work in WORKS.items():
            began, spent = time.perf_counter(), time.process_time()
            work(place)
            sample = Sample(time.perf_counter() - began, time.process_time() - spent)
            if number:
                taken[name].append(sample)
    return taken


def rows_of(place: Place, rounds: int) -> list[Row]:
    """Measure everything at the size that a repository has."""
    sizes = {"files": place.files, "changes": place.changes}
    return [
        Row(name, "flat", sizes, {LIBRARY: figure(samples, 0)})
        for name, samples in sampled(place, rounds).items()
    ]


def grown(rows: Sequence[Row], counts: str) -> list[str]:
    """Return, for each command, how many times as long it takes at the largest size."""
    told = []
    for name in WORKS:
        spent = [row.figures[LIBRARY].processor for row in rows if row.operation == name]
        told.append(f"{name}: {spent[-1] / spent[0]:.2f} times as long at the most {counts}")
    return told


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
        return Found([*long, *wide], [*grown(long, "changes"), *grown(wide, "files")])

    conclude(recorded("curves", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
