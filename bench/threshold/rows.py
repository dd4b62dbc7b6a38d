"""The rows of the bench: what is done, how long it may take, and against which peer.

A row that needs a command which is not built is reported so, and is over.
"""

import os
import statistics
from collections.abc import Callable
from typing import Final, NamedTuple

from bench.threshold.built import AUTHOR, HOT, Taken, path_of, taken, write
from oxy.actions.blame import blame
from oxy.actions.checkpoint import checkpoint
from oxy.actions.commit import Request, commit
from oxy.actions.log import log
from oxy.actions.naming import resolve
from oxy.actions.status import status
from oxy.cli.watching import Silent
from oxy.repo.fsck import fsck
from oxy.repo.repository import opened
from oxy.worktree.workcopy import working_copy

MODIFIED: Final = 10
ROUNDS: Final = 5


class Row(NamedTuple):
    """What is measured, the most milliseconds it may take, and how it is done.

    `prepare` is done before each round, outside the clock; `work` is None where a command is
    missing. `bound` is the most that it may take in units of the peer (design 13), which
    `bench.threshold.peer` measures under the name of the row; 0 where there is no peer.
    """

    name: str
    threshold: float
    work: Callable[[str], None] | None
    prepare: Callable[[str, int], None] | None = None
    bound: float = 0


def _status(top: str) -> None:
    with working_copy(os.fsencode(top)) as copy:
        found = status(copy)
        assert len(found.snapshot.changes) in (0, MODIFIED)


def _modify(top: str, round_: int) -> None:
    """Edit ten files; the clock of the file system moves on before anybody looks."""
    for number in range(MODIFIED):
        write(top, number * 31, 100_000 + round_)


def _commit_ten(top: str) -> None:
    with working_copy(os.fsencode(top)) as copy:
        done = commit(copy, Request(author=AUTHOR), lambda _: b"ten files")
        assert len(done.snapshot.changes) == MODIFIED


def _log(top: str) -> None:
    with opened(os.fsencode(top)) as repository:
        state = resolve(repository, b"main").state
        assert sum(1 for _ in log(repository, state)) >= len(state.heads)


def _blame(path: str) -> Callable[[str], None]:
    def work(top: str) -> None:
        with opened(os.fsencode(top)) as repository:
            state = resolve(repository, b"main").state
            assert blame(repository, state, os.fsencode(path))

    return work


def _checkpoint(top: str) -> None:
    with opened(os.fsencode(top)) as repository:
        checkpoint(repository, resolve(repository, b"main").state, Silent())


def _fsck(top: str) -> None:
    with opened(os.fsencode(top)) as repository:
        assert not list(fsck(repository, Silent()))


ROWS: Final = (
    Row("status clean", 90, _status, bound=3),
    Row("status, 10 modified", 100, _status, _modify, bound=3),
    Row("commit of 10 files", 100, _commit_ten, _modify),
    Row("log of the whole bookmark", 200, _log, bound=3),
    Row("blame of the hot file", 80, _blame(HOT), bound=1),
    Row("blame of an ordinary file", 80, _blame(path_of(7919 % 100))),
    Row("checkpoint", 500, _checkpoint),
    Row("status after it", 90, _status, bound=3),
    Row("push of everything", 1_500, None),
    Row("push when up to date", 100, None),
    Row("clone with checkout", 3_000, None),
    Row("fsck", 2_000, _fsck, bound=3),
    Row("gc", 3_000, None),
    Row("status after gc", 90, None),
)
"""In the order in which they are measured; the commits come before them."""


def measured(row: Row, top: str) -> Taken | None:
    """Return the median of some rounds of a row; None where a command is missing."""
    if row.work is None:
        return None
    work = row.work
    rounds: list[Taken] = []
    for number in range(ROUNDS):
        if row.prepare is not None:
            row.prepare(top, number)
        rounds.append(taken(lambda: work(top)))
    return Taken(
        statistics.median(one.ms for one in rounds),
        statistics.median(one.walk for one in rounds),
        max(one.peak for one in rounds),
    )
