from pyroaring import BitMap

from oxy.repo.sets import closure, dependents, with_added, without
from oxy.repo.states import Link, Name, States
from oxy.store.memory import MemoryStore


def states_of(links: dict[int, Link]) -> States:
    store = MemoryStore()
    with store.transaction() as transaction:
        states = States(transaction)
        for change, link in links.items():
            states.record(transaction, change, link)
    return States(store)


LINE = {
    1: Link(Name(), ()),
    2: Link(Name((1,)), (1,)),
    3: Link(Name((2,)), (1,)),
    4: Link(Name((3,)), (2,)),
}
"""Each on the one before; 2 and 3 depend on 1, and 4 on 2."""


def test_a_change_closes_over_what_it_depends_on_and_not_what_it_knew() -> None:
    states = states_of(LINE)
    assert closure(states, [4]) == BitMap([1, 2, 4])
    assert closure(states, []) == BitMap()


def test_what_depends_on_a_change_is_found_near_and_far() -> None:
    states = states_of(LINE)
    state = states.of_change(4)
    assert dependents(states, state, [2]) == BitMap([4])
    assert dependents(states, state, [1, 2]) == BitMap([3, 4])
    assert dependents(states, state, []) == BitMap()


def test_a_change_from_the_midst_is_absent_and_comes_back() -> None:
    states = states_of(LINE)
    rest = without(states, Name((4,)), BitMap([3]))
    assert rest == Name((4,), (3,))
    assert with_added(states, rest, BitMap([3])) == Name((4,))


def test_what_only_the_taken_change_knew_is_a_head_again() -> None:
    states = states_of(LINE)
    assert without(states, Name((4,)), BitMap([4])) == Name((3,))
    assert without(states, Name((4,)), BitMap([2, 4])) == Name((3,), (2,))
