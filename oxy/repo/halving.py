"""Which change made states bad: what it can be, and what to test next (spec: states, S39, S40).

A state is taken to be bad if and only if it has the change that is looked for. So that is in
every bad state and in no good one, and testing the state of a change tells of all it has.
"""

from collections.abc import Collection, Iterable
from oxy.typed import Final

from pyroaring import BitMap

from oxy.repo.states import Name, States

TRIED: Final = 128
"""Most changes that are tried to find one which halves what is left."""


def suspects(states: States, bad: Iterable[Name], good: Iterable[Name]) -> BitMap:
    """Return the changes that may have made the bad states bad.

    Cost: the states.
    """
    found: BitMap | None = None
    for name in bad:
        members = states.members(name)
        found = BitMap(members) if found is None else found & members
    if found is None:
        return BitMap()
    for name in good:
        found -= states.members(name)
    return found


def halving(states: States, left: BitMap, skipped: Collection[int]) -> int | None:
    """Return the change whose state divides what is left most evenly, or None.

    There is none where testing can tell nothing more. Cost: the states of so many changes,
    spread over those that are left, and one count of bits for each.
    """
    chosen = [change for change in left if change not in skipped]
    count = len(left)
    best, most = None, 0
    for change in _spread(chosen):
        inside = left.intersection_cardinality(states.of_change(change))
        even = min(inside, count - inside)
        if even > most:
            best, most = change, even
            if even == count // 2:
                break
    return best


def _spread(changes: list[int]) -> list[int]:
    """Return some of many changes from all over, those in the middle first."""
    step = max(1, len(changes) // TRIED)
    middle = len(changes) // 2
    places = sorted(range(middle % step, len(changes), step), key=lambda p: abs(p - middle))
    return [changes[place] for place in places]
