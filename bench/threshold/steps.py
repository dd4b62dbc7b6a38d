"""The rows of the bench: what is done, how long it may take, and what the peers call it.

A row that needs a command which is not built is reported so, and is over.
"""

import os
import shutil
from collections.abc import Callable
from typing import Final, NamedTuple

from bench.beside.operations import (
    BLAME,
    CHECK,
    CLEAN,
    CLONE,
    LOG,
    MODIFIED,
    PACK,
    PUSH,
    PUSHED,
    TEN,
)
from bench.threshold.built import AUTHOR, HOT, Taken, path_of, taken, write
from oxy.actions.blame import blame
from oxy.actions.checkpoint import checkpoint
from oxy.actions.clock import now
from oxy.actions.clone import clone
from oxy.actions.commit import Request, commit
from oxy.actions.gc import Request as Collect
from oxy.actions.gc import gc
from oxy.actions.init import init
from oxy.actions.log import log
from oxy.actions.naming import resolve
from oxy.actions.push import Request as Push
from oxy.actions.push import push
from oxy.actions.status import status
from oxy.cli.watching import Silent
from oxy.repo.fsck import fsck
from oxy.repo.repository import opened
from oxy.worktree.workcopy import working_copy

SOME: Final = 10
"""Files that are edited at once."""
ROUNDS: Final = 5


class Step(NamedTuple):
    """What is measured, the most seconds it may take if that is limited, and how it is done.

    `prepare` is done before each round, outside the clock; `work` is None where a command is
    missing. `peer` is the operation of `bench.beside` that does the same, or nothing.
    """

    name: str
    threshold: float | None
    work: Callable[[str], None] | None
    prepare: Callable[[str, int], None] | None = None
    peer: str = ""


def _status(top: str) -> None:
    with working_copy(os.fsencode(top)) as copy:
        found = status(copy)
        assert len(found.snapshot.changes) in (0, SOME)


def _modify(top: str, round_: int) -> None:
    """Edit ten files; the clock of the file system moves on before anybody looks."""
    for number in range(SOME):
        write(top, number * 31, 100_000 + round_)


def _commit_ten(top: str) -> None:
    with working_copy(os.fsencode(top)) as copy:
        done = commit(copy, Request(author=AUTHOR), lambda _: b"ten files")
        assert len(done.snapshot.changes) == SOME


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


def _gc(top: str) -> None:
    with opened(os.fsencode(top)) as repository:
        assert gc(repository, Collect(now().microseconds), Silent()).after.total


def _remote(top: str) -> str:
    return f"{top}-pushed"


def _empty_remote(top: str, _: int) -> None:
    shutil.rmtree(_remote(top), ignore_errors=True)
    os.makedirs(_remote(top))
    init(os.fsencode(_remote(top)))


def _push(expected: Callable[[int], bool]) -> Callable[[str], None]:
    def work(top: str) -> None:
        with working_copy(os.fsencode(top)) as copy:
            done = push(copy, Push(os.fsencode(_remote(top))), Silent())
            assert expected(done.came)

    return work


def _cloned(top: str) -> str:
    return f"{top}-cloned"


def _no_clone(top: str, _: int) -> None:
    shutil.rmtree(_cloned(top), ignore_errors=True)


def _clone(top: str) -> None:
    clone(os.fsencode(top), os.fsencode(_cloned(top)), None, Silent())


STEPS: Final = (
    Step("status clean", 0.09, _status, peer=CLEAN),
    Step("status with 10 modified", 0.1, _status, _modify, peer=MODIFIED),
    Step("commit of 10 files", 0.1, _commit_ten, _modify, peer=TEN),
    Step("log of the whole bookmark", 0.2, _log, peer=LOG),
    Step("blame of the hot file", 0.08, _blame(HOT), peer=BLAME),
    Step("blame of an ordinary file", 0.08, _blame(path_of(0))),
    Step("checkpoint", 0.5, _checkpoint),
    Step("status after it", 0.09, _status, peer=CLEAN),
    Step("push of everything to an empty remote", 1.5, _push(bool), _empty_remote, peer=PUSH),
    Step("push when up to date", 0.1, _push(lambda came: not came), peer=PUSHED),
    Step("clone with checkout", 3.0, _clone, _no_clone, peer=CLONE),
    Step("fsck", 2.0, _fsck, peer=CHECK),
    Step("gc", 3.0, _gc, peer=PACK),
    Step("status after gc", 0.09, _status, peer=CLEAN),
)
"""In the order in which they are measured; the commits come before them."""


def measured(step: Step, top: str) -> list[Taken]:
    """Return what some rounds of a step took; none where a command is missing."""
    rounds: list[Taken] = []
    work = step.work
    for number in range(0 if work is None else ROUNDS):
        if step.prepare is not None:
            step.prepare(top, number)
        rounds.append(taken(lambda: work(top) if work else None))
    return rounds
