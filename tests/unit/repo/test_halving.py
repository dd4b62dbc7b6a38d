from pyroaring import BitMap

from oxy.repo.halving import TRIED, halving, suspects
from oxy.repo.states import Link, Name, States
from oxy.store.memory import MemoryStore


def line(length: int, fork: int = 0) -> States:
    """Return changes each recorded on the one before; from a fork on, on that."""
    store = MemoryStore()
    with store.transaction() as transaction:
        states = States(transaction)
        for change in range(1, length + 1):
            before = fork if fork and change > fork else change - 1
            heads = (before,) if before else ()
            states.record(transaction, change, Link(Name(heads), ()))
    return States(store)


def test_what_is_bad_and_not_good_is_suspect() -> None:
    states = line(9)
    assert suspects(states, [Name((9,)), Name((7,))], [Name((2,)), Name((4,))]) == BitMap(
        [5, 6, 7]
    )
    assert suspects(states, [], [Name((2,))]) == BitMap()


def test_a_line_is_halved_and_halved_again() -> None:
    length = 1000
    states = line(length)
    left, tests = BitMap(range(1, length + 1)), 0
    while len(left) > 1:
        chosen = halving(states, left, ())
        assert chosen is not None
        left &= states.of_change(chosen)
        tests += 1
    assert tests <= 10


def test_many_changes_beside_each_other_are_tried_up_to_a_bound() -> None:
    states = line(3 * TRIED, fork=1)
    chosen = halving(states, BitMap(range(1, 3 * TRIED + 1)), ())
    assert chosen is not None


def test_what_was_skipped_is_not_chosen() -> None:
    states = line(5)
    left = BitMap(range(1, 6))
    assert halving(states, left, ()) in {2, 3}
    assert halving(states, left, {2, 3}) in {1, 4}
    assert halving(states, left, {1, 2, 3, 4}) is None
    assert halving(states, BitMap([3]), ()) is None
