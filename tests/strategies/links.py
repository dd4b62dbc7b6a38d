"""Random sets of changes as links: each change in the state that it was recorded in."""

from typing import NamedTuple

from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.repo.states import Link, Name, States
from oxy.store.memory import MemoryStore

MOST = 12


class Links(NamedTuple):
    """Changes from 1: what each names, and its state, closed under dependencies."""

    links: dict[int, Link]
    states: dict[int, frozenset[int]]

    def name(self, state: frozenset[int]) -> Name:
        """Return the name of a state by its definition."""
        named = {other for change in state for other in self.links[change].named}
        return Name(tuple(sorted(state - named)), tuple(sorted(named - state)))

    def walk(self, name: Name) -> frozenset[int]:
        """Return what is reached from the heads of a name without what is absent."""
        found: set[int] = set()
        work = list(name.heads)
        while work:
            change = work.pop()
            if change not in found and change not in name.absent:
                found.add(change)
                work += self.links[change].named
        return frozenset(found)

    def knows(self, change: int, state: frozenset[int]) -> frozenset[int]:
        """Return what a change reaches inside a state."""
        found: set[int] = set()
        work = [change]
        while work:
            inside = {o for o in self.links[work.pop()].named if o in state} - found
            found |= inside
            work += inside
        return frozenset(found)

    def recorded(self) -> States:
        """Return states of a store that holds these changes, remembering nothing."""
        store = MemoryStore()
        with store.transaction() as transaction:
            states = States(transaction)
            for change, link in self.links.items():
                states.record(transaction, change, link)
        return States(store)


@st.composite
def closed(draw: st.DrawFn, links: Links) -> frozenset[int]:
    """Draw a state: a union of states of changes, with something unrecorded here and there."""
    changes = sorted(links.links)
    if not changes:
        return frozenset()
    picked = draw(st.lists(st.sampled_from(changes), max_size=3))
    state = frozenset[int]().union(*(links.states[change] for change in picked))
    for gone in draw(st.lists(st.sampled_from(changes), max_size=2)):
        state = _without(links, state, gone)
    return state


@st.composite
def linked(draw: st.DrawFn) -> Links:
    """Draw changes, each recorded on a state drawn from those before it."""
    links = Links({}, {})
    for change in range(1, draw(st.integers(1, MOST)) + 1):
        last = links.states.get(change - 1, frozenset())
        state = draw(st.one_of(st.just(last), closed(links)))
        deps = draw(st.lists(st.sampled_from(sorted(state)), max_size=2)) if state else []
        links.links[change] = Link(links.name(state), tuple(sorted(set(deps))))
        links.states[change] = state | {change}
    return links


def _without(links: Links, state: frozenset[int], gone: int) -> frozenset[int]:
    """Return the state without a change and what depends on it."""
    dropped = {gone}
    for change in sorted(state):
        if not dropped.isdisjoint(links.links[change].deps):
            dropped.add(change)
    return state - dropped


def plain(state: BitMap) -> frozenset[int]:
    """Return a bitmap as a set."""
    return frozenset(state)
