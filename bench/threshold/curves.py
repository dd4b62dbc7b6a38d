"""What else must grow neither with files nor with changes; for the growth table (spec: B3)."""

import os
from contextlib import closing
from typing import Final

from bench.threshold.built import AUTHOR, path_of, write
from bench.threshold.steps import Step
from oxy.actions.commit import Request, commit
from oxy.actions.diff import working
from oxy.actions.log import log
from oxy.actions.naming import resolve, resolve_change
from oxy.actions.show import show
from oxy.actions.status import status
from oxy.actions.switch import switch
from oxy.repo.repository import Repository, opened
from oxy.worktree.workcopy import working_copy

FIRST: Final = 100
"""Entries of a log that somebody looks at."""


def _edit_one(top: str, round_: int) -> None:
    write(top, 0, 300_000 + round_)


def _diff(top: str) -> None:
    with working_copy(os.fsencode(top)) as copy:
        (difference,) = working(copy, status(copy).snapshot.changes)
        assert difference


def _commit_named(top: str) -> None:
    request = Request((os.fsencode(path_of(0)),), AUTHOR)
    with working_copy(os.fsencode(top)) as copy:
        assert commit(copy, request, lambda _: b"one, named").id


def _show(top: str) -> None:
    with opened(os.fsencode(top)) as repository:
        assert list(show(repository, resolve_change(repository, b"@")))


def _log(top: str) -> None:
    with opened(os.fsencode(top)) as repository:
        assert list(log(repository, resolve(repository, b"main").state, FIRST))


def _switch(top: str) -> None:
    """Go to the change before the last, and back."""
    root = os.fsencode(top)
    with closing(Repository.at(root)) as repository:
        _, before = log(repository, resolve(repository, b"main").state, 2)
    for called in (before.id.hex().encode(), b"main"):
        with working_copy(root) as copy:
            assert switch(copy, called).went.written == 1


CURVES: Final = (
    Step("diff of one edited file", None, _diff, _edit_one),
    Step("commit of one file by its name", None, _commit_named, _edit_one),
    Step("log of the first 100", None, _log),
    Step("show of the last change", None, _show),
    Step("switch across one change and back", None, _switch),
)
"""In the order in which they are measured."""
