"""States with changes added or taken out, and what depends on what (spec: states, S8 to S10).

Numbers ascend in order of dependency, so one pass over what came after a change finds all that
depends on it.
"""

from collections.abc import Iterable

from pyroaring import BitMap

from oxy.repo.states import Name, States


def closure(states: States, changes: Iterable[int]) -> BitMap:
    """Return changes with all that they depend on. Cost: a row for each of these."""
    found = BitMap()
    ahead = list(changes)
    while ahead:
        change = ahead.pop()
        if change not in found:
            found.add(change)
            ahead += states.link(change).deps
    return found


def dependents(states: States, state: BitMap, changes: Iterable[int]) -> BitMap:
    """Return the members of a state that depend on some of its changes, near or far.

    Cost: a row for each member that came after the first of them.
    """
    named = BitMap(changes)
    gone = BitMap(named)
    for change, link in states.links(state, named.min() if named else 0):
        if not gone.isdisjoint(BitMap(link.deps)):
            gone.add(change)
    return gone - named


def with_added(states: States, name: Name, changes: BitMap) -> Name:
    """Return the name of a state with changes that it lacks, and that close over it.

    Cost: the links of these changes.
    """
    state = states.members(name)
    named = {named for c in changes for named in states.link(c).named}
    heads = {c for c in (*name.heads, *changes) if c not in named and c not in name.absent}
    absent = {c for c in (*name.absent, *named) if c not in state and c not in changes}
    return Name(tuple(sorted(heads)), tuple(sorted(absent)))


def without(states: States, name: Name, gone: BitMap) -> Name:
    """Return the name of a state without changes that nothing else in it depends on.

    Cost: the links of these changes; of what they name, of them and of what the state lacks,
    the members that came after, up to the first that names it.
    """
    left = states.members(name) - gone
    freed = {named for change in gone for named in states.link(change).named if named in left}
    heads = [change for change in name.heads if change not in gone]
    heads += [change for change in freed if not _is_named(states, left, change)]
    absent = [c for c in (*name.absent, *gone) if _is_named(states, left, c)]
    return Name(tuple(sorted(heads)), tuple(sorted(absent)))


def _is_named(states: States, state: BitMap, change: int) -> bool:
    """Return whether a member of a state names a change as dependency or context."""
    return any(change in link.named for _, link in states.links(state, change))
