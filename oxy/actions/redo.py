"""Take an undo back (spec: command-line, redo; states, S26)."""

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.undo import Undone, follow
from oxy.actions.undoing import plan_redo
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import WorkingCopy


def redo(copy: WorkingCopy) -> Undone:
    """Do again what was undone last, unless something else was done since.

    The files stay or follow as they did when the command was undone.

    Raises:
        NothingToRedoError: nothing was undone, or something else came after it.
        WouldOverwriteError: edits or untracked files are in the way; nothing was done.
    """
    copy.look()
    plan = plan_redo(copy.repository)
    stamp = Stamp(*now(), operator(), b"redo " + plan.command, plan.operation)
    return Undone(plan.command, follow(copy, stamp, plan, is_again=True))
