"""The name of a set of changes, and what keeps it from being a state (spec: states, S1).

Sets come of cutting states with each other; mostly they are the union of the states of a few
changes, and then no member is looked at.
"""

from oxy.typed import Final

from pyroaring import BitMap

from oxy.repo.states import Name, States

_HEADS: Final = 64


def name_of(states: States, members: BitMap) -> Name:
    """Return the name of a closed set of changes.

    Cost: the states of its heads where it is their union; else a row for each member.
    """
    heads: list[int] = []
    left = members
    while left and len(heads) < _HEADS:
        own = states.of_change(left.max())
        if not own <= members:
            break
        heads.append(left.max())
        left = left - own
    if left:
        return states.name_of(members)
    return states.join(tuple(map(states.name_of_change, heads)))


def lacking(states: States, members: BitMap) -> tuple[int, int] | None:
    """Return a member and what it depends on and the set lacks, or None if it is closed.

    Cost: a row for each member, up to the one that is found.
    """
    for change, link in states.links(members):
        for dep in link.deps:
            if dep not in members:
                return change, dep
    return None
