"""Go back to an operation (spec: states, S26)."""

from oxy.actions.clock import now
from oxy.actions.going import stay
from oxy.actions.identity import operator
from oxy.actions.undoing import Plan, plan_restore
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import WorkingCopy


def restore(copy: WorkingCopy, number: int) -> Plan:
    """Make names what they were right after an operation; the files stay as they are.

    Returns:
        What moved.

    Raises:
        NoOperationError: there is no such operation.
        SwitchInterruptedError: the files are in between two states.
    """
    copy.look()
    plan = plan_restore(copy.repository, number)
    if plan.moves:
        stamp = Stamp(*now(), operator(), b"op restore %d" % number)
        stay(copy, stamp, plan.moves)
    return plan
