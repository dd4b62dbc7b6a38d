"""What one set of changes has that another lacks (spec: sync, SY1, SY35).

What travels is closed under everything that a change names for certain: its dependencies, the
heads of its context and, because these are named by members of that, what is absent from it. So
whoever receives a change has what its state is made from.
"""

from collections.abc import Iterable

from pyroaring import BitMap

from oxy.repo.states import States


def history(states: States, changes: Iterable[int]) -> BitMap:
    """Return changes and all that they reach through contexts and dependencies.

    Cost: the states of the changes, and of what is absent from them.
    """
    found = BitMap()
    work = list(changes)
    while work:
        change = work.pop()
        if change not in found:
            found |= states.of_change(change)
            work += states.link(change).context.absent
    return found


def missing(states: States, want: Iterable[int], have: Iterable[int]) -> BitMap:
    """Return what reaches some changes and not others; its numbers are in order of need."""
    return history(states, want) - history(states, have)
