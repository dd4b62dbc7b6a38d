from itertools import pairwise

import pytest
from pyroaring import BitMap

from oxy.repo.states import (
    INTERVAL,
    Link,
    Name,
    NoStateError,
    States,
    pack_link,
    unpack_link,
)
from oxy.repo.tables import STATE, key
from oxy.store.memory import MemoryStore

LENGTH = 3 * INTERVAL


def _line(length: int) -> MemoryStore:
    """Return a store of changes, each recorded on the one before."""
    store = MemoryStore()
    with store.transaction() as transaction:
        states = States(transaction)
        for change in range(1, length + 1):
            before = (change - 1,) if change > 1 else ()
            states.record(transaction, change, Link(Name(before), before))
    return store


def test_a_link_is_packed_and_unpacked() -> None:
    link = Link(Name((3, 9), (4,)), (2, 3))
    assert unpack_link(pack_link(link)) == link
    assert unpack_link(pack_link(Link(Name(), ()))) == Link(Name(), ())
    assert link.named == (3, 9, 2, 3)


def test_every_state_of_a_long_line_is_found_from_two_rows() -> None:
    store = _line(LENGTH)
    for change in (1, 2, INTERVAL, INTERVAL + 1, LENGTH):
        assert States(store).of_change(change) == BitMap(range(1, change + 1))
    assert set(_rows(store)[1:]) == {b">\1" + key(1)}


def _abreast(length: int) -> MemoryStore:
    """Return a store of two lines of changes that arrive in turn."""
    store = MemoryStore()
    with store.transaction() as transaction:
        states = States(transaction)
        for change in range(1, length + 1):
            before = (change - 2,) if change > 2 else ()
            states.record(transaction, change, Link(Name(before), before))
    return store


def test_every_state_of_two_lines_is_found_from_no_more_than_an_interval_of_rows() -> None:
    store = _abreast(LENGTH)
    for change in (1, 2, INTERVAL, INTERVAL + 1, LENGTH):
        assert States(store).of_change(change) == BitMap(range(2 - change % 2, change + 1, 2))
    whole = [c for c, row in enumerate(_rows(store), 1) if row.startswith(b"=")]
    gaps = [b - a for a, b in pairwise(whole[::2])]
    assert gaps
    assert max(gaps) <= 2 * INTERVAL


def test_a_line_that_begins_far_from_a_whole_state_ends_in_one() -> None:
    store = MemoryStore()
    with store.transaction() as transaction:
        states = States(transaction)
        for change in range(1, LENGTH):
            # Three in a row, and then one that lacks the last.
            head = change - 1 if change % 4 else change - 2
            states.record(transaction, change, Link(Name((head,) if head > 0 else ()), ()))
    for change in range(1, LENGTH):
        lacking = {each for each in range(3, change, 4) if each + 1 <= change}
        assert States(store).of_change(change) == BitMap(range(1, change + 1)) - BitMap(lacking)
    depths = [row[1] for row in _rows(store) if not row.startswith(b"=")]
    assert max(depths) < INTERVAL


def _rows(store: MemoryStore) -> list[bytes]:
    return [row for _, row in store.rows(STATE)]


def test_a_state_is_kept_as_a_step_where_nothing_else_is_in_its_context() -> None:
    assert {row[:2] for row in _rows(_abreast(6))[2:]} == {b"+\1", b"+\2"}


def test_rows_follow_from_the_changes_and_not_from_what_was_in_memory() -> None:
    contexts = ((), (1,), (2,), (3,), (), (5,), (6,), (4, 6), (7, 8))
    one, other = MemoryStore(), MemoryStore()
    with one.transaction() as transaction:
        states = States(transaction)
        for change, heads in enumerate(contexts, 1):
            states.record(transaction, change, Link(Name(heads), ()))
    for change, heads in enumerate(contexts, 1):
        with other.transaction() as transaction:
            States(transaction).record(transaction, change, Link(Name(heads), ()))
    assert _rows(one) == _rows(other)


def test_a_merge_is_kept_as_what_its_other_heads_bring() -> None:
    store = MemoryStore()
    with store.transaction() as transaction:
        states = States(transaction)
        states.record(transaction, 1, Link(Name(), ()))
        states.record(transaction, 2, Link(Name((1,)), ()))
        states.record(transaction, 3, Link(Name((1,)), ()))
        states.record(transaction, 4, Link(Name((2, 3)), ()))
    assert store.row(STATE, key(4)) is not None
    assert States(store).of_change(4) == BitMap([1, 2, 3, 4])


def test_what_a_state_gives_is_not_changed_by_later_states() -> None:
    store = _line(4)
    states = States(store)
    second = states.of_change(2)
    states.of_change(4)
    assert second == BitMap([1, 2])


def test_a_change_that_the_index_lacks_is_named() -> None:
    states = States(_line(2))
    with pytest.raises(NoStateError) as caught:
        states.of_change(9)
    assert caught.value.change == 9
    with pytest.raises(NoStateError):
        states.link(9)
    with pytest.raises(NoStateError):
        states.members(Name((9,)))


def test_the_empty_name_is_the_empty_state() -> None:
    states = States(MemoryStore())
    assert states.members(Name()) == BitMap()
    assert states.name_of(BitMap()) == Name()
    assert states.join(()) == Name()


def test_joining_a_state_with_an_older_one_is_that_state() -> None:
    states = States(_line(5))
    assert states.join((Name((2,)), Name((5,)))) == Name((5,))
    assert states.join((Name((2, 5)),)) == Name((5,))


def test_a_change_whose_recording_was_rolled_back_is_forgotten() -> None:
    states = States(_line(2))
    states.of_change(2)
    states.forget()
    assert states.of_change(2) == BitMap([1, 2])
