"""Take the last step back (spec: command-line, undo; states, S26)."""

from oxy.typed import Final, NamedTuple

from oxy.actions.clock import now
from oxy.actions.going import Went, go, stay
from oxy.actions.identity import operator
from oxy.actions.shelves import HELD, HELD_NAME, bring, take
from oxy.actions.steps import NOTED, noted
from oxy.actions.throwing import throw_again
from oxy.actions.undoing import NothingToUndoError, Plan, plan_undo
from oxy.repo.refs import HERE, SHELF
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import WorkingCopy

STAYING: Final = frozenset(
    {b"absorb", b"amend", b"commit", b"git", b"op", b"subrepo", b"uncommit"}
)
"""The commands that left the files as they were; undoing one leaves them too."""

REWORDING: Final = frozenset({b"fold", b"reorder", b"reword", b"split"})
"""Those that left them, but for how conflicts are shown."""


STEPPING: Final = frozenset({b"mv", b"restore", b"rm", b"track", b"untrack"})
"""Those that moved no name but that of the step itself."""


class Undone(NamedTuple):
    """The command that was taken back, and what happened to files; None if they stayed."""

    command: bytes
    went: Went | None


def undo(copy: WorkingCopy) -> Undone:
    """Take back the newest operation that is not taken back yet.

    The files stay where a commit is taken back, so that what it recorded shows as changes
    again; they follow where they had followed the command, as a switch or a merge.

    Raises:
        NothingToUndoError: there is none but the one that made the repository.
        WouldOverwriteError: edits or untracked files are in the way; nothing was done.
    """
    copy.look()
    plan = plan_undo(copy.repository)
    if plan.command.partition(b" ")[0] == b"init":
        raise NothingToUndoError
    stamp = Stamp(*now(), operator(), b"undo " + plan.command, plan.operation)
    return Undone(plan.command, follow(copy, stamp, plan))


def follow(
    copy: WorkingCopy, stamp: Stamp, plan: Plan, *, is_again: bool = False
) -> Went | None:
    """Move names as planned; the files follow where they had followed the command.

    With `is_again` what was taken back is done again.
    """
    command = plan.command.partition(b" ")[0]
    if command in {b"shelve", b"unshelve"} and not plan.command.startswith(b"shelve -d "):
        return _follow_shelf(copy, stamp, plan)
    if command in {b"clean", b"discard"}:
        return _follow_discarded(copy, stamp, plan, is_again=is_again)
    if command in STEPPING:
        return _follow_step(copy, stamp, plan, is_again=is_again)
    is_staying = command in STAYING or (command in REWORDING and not copy.here.disputed)
    if is_staying or all(move.ref != HERE for move in plan.moves):
        stay(copy, stamp, plan.moves)
        return None
    after = next(move.after for move in plan.moves if move.ref == HERE)
    words = b"@" if after is None or after.bookmark is None else after.bookmark
    return go(copy, stamp, plan.moves, words)


def _follow_shelf(copy: WorkingCopy, stamp: Stamp, plan: Plan) -> Went | None:
    """Bring back edits that were put aside, or put them aside again."""
    for (kind, name), before, after in plan.moves:
        if kind != SHELF:
            continue
        if after is None and before is not None:
            return bring(copy, stamp, plan.moves, name, before)
        if before is None and after is not None:
            return take(copy, stamp, plan.moves, name, after)
    stay(copy, stamp, plan.moves)
    return None


def _follow_discarded(
    copy: WorkingCopy, stamp: Stamp, plan: Plan, *, is_again: bool
) -> Went | None:
    """Bring back edits that were thrown away, or throw them away again."""
    _, before, after = next(move for move in plan.moves if move.ref == HELD)
    if is_again and after is not None:
        return throw_again(copy, stamp, plan.moves, after)
    if not is_again and before is not None:
        return bring(copy, stamp, plan.moves, HELD_NAME, before)
    stay(copy, stamp, plan.moves)
    return None


def _follow_step(copy: WorkingCopy, stamp: Stamp, plan: Plan, *, is_again: bool) -> Went | None:
    """Take a step back that moved no other name, or do it again."""
    from oxy.actions.stepback import do_again, take_back

    _, before, after = next(move for move in plan.moves if move.ref == NOTED)
    step = noted(after if is_again else before)
    went = None
    if step is not None:
        went = do_again(copy, step) if is_again else take_back(copy, step)
    stay(copy, stamp, plan.moves)
    return went
