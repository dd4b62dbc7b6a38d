"""Laws of throwing edits away (W38, W39): the rest stays, and everything comes back."""

import os
import tempfile
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.clean import clean
from oxy.actions.commit import Request, commit
from oxy.actions.discard import discard
from oxy.actions.hunks import hunks
from oxy.actions.init import init
from oxy.actions.redo import redo
from oxy.actions.status import examined, status
from oxy.actions.undo import undo
from oxy.worktree.checkout import WouldOverwriteError
from oxy.worktree.hunks import Pick
from oxy.worktree.workcopy import working_copy
from tests.builders.steps import planted, stepped
from tests.builders.tree import held, make

SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
WHERE = SHARED if os.path.isdir(SHARED) else None
AUTHOR = b"Ada <ada@example.org>"


def set_up(root: Path, rng: Random) -> None:
    """Record files, and edit them."""
    init(os.fsencode(root))
    one = planted(rng)
    make(root, one)
    with working_copy(os.fsencode(root)) as copy:
        commit(copy, Request(author=AUTHOR), lambda _: b"one")
    make(root, stepped(rng, stepped(rng, one)))


def step(root: Path, back: bool) -> None:  # noqa: FBT001 - which of two ways
    with working_copy(os.fsencode(root)) as copy:
        (undo if back else redo)(copy)


@given(st.integers(0, 1 << 32))
def test_all_that_is_thrown_away_comes_back(seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - a case is made, no secret
    with tempfile.TemporaryDirectory(dir=WHERE) as directory:
        root = Path(directory)
        set_up(root, rng)
        steps = [held(root)]
        with working_copy(os.fsencode(root)) as copy:
            cleaned = clean(copy)
        steps += [held(root)] if cleaned.changes else []
        with working_copy(os.fsencode(root)) as copy:
            thrown = discard(copy, ())
        steps += [held(root)] if thrown.snapshot.changes else []
        with working_copy(os.fsencode(root)) as copy:
            assert not status(copy).snapshot.changes
        for before in reversed(steps[:-1]):
            step(root, back=True)
            assert held(root) == before
        for after in steps[1:]:
            step(root, back=False)
            assert held(root) == after


@given(st.integers(0, 1 << 32))
def test_hunks_that_are_thrown_away_are_gone_and_come_back(seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - a case is made, no secret
    with tempfile.TemporaryDirectory(dir=WHERE) as directory:
        root = Path(directory)
        set_up(root, rng)
        before = held(root)
        with working_copy(os.fsencode(root)) as copy:
            numbers = [
                hunk.number for file in hunks(copy, examined(copy)) for hunk in file.hunks
            ]
        picks = [Pick(number) for number in numbers if rng.random() < 0.5]
        if not picks:
            return
        try:
            with working_copy(os.fsencode(root)) as copy:
                discard(copy, (), picks)
        except WouldOverwriteError:
            # A hunk that was not chosen stands where a file is to come back.
            assert held(root) == before
            return
        with working_copy(os.fsencode(root)) as copy:
            left = [hunk.number for file in hunks(copy, examined(copy)) for hunk in file.hunks]
        assert len(left) == len(numbers) - len(picks)
        step(root, back=True)
        assert held(root) == before
