"""The context of a change is the name of a state to record it on (spec: S1, S3, S4)."""

from collections.abc import Iterable

from oxy.repo.states import Name, States


def check_context(states: States, name: Name, deps: Iterable[int]) -> str | None:
    """Return the rule that a context breaks, or None.

    Whatever it names is stored. Two names of one state would make two repositories that hold
    the same differ.

    Cost: the states of its heads; a row for each member where something is absent that is there
    in the state of a head.
    """
    if not is_name(states, name):
        return "its context is not the name of a state"
    members = states.members(name)
    if any(dep not in members for dep in deps):
        return "it depends on a change that its context does not have"
    return None


def is_name(states: States, name: Name) -> bool:
    """Tell whether a name is the one of a closed set (S3). Cost: see `check_context`."""
    if len(name.heads) == 1 and name == states.name_of_change(name.heads[0]):
        return True
    if states.join(tuple(map(states.name_of_change, name.heads))) == name:
        return True
    members = states.members(name)
    is_closed = all(dep in members for change in members for dep in states.link(change).deps)
    return is_closed and states.name_of(members) == name
