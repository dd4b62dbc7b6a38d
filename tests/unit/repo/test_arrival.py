from collections.abc import Sequence

import pytest

from oxy.repo.arrival import SIZE, SPAN, arrival, note_arrival
from oxy.repo.tables import ARRIVAL, key
from oxy.store.memory import MemoryStore
from oxy.store.protocol import CHANGE

LENGTH = 3 * SPAN + 5


def stored(ids: Sequence[int], *, noted: bool = True) -> MemoryStore:
    """Store changes of such ids in this order."""
    store = MemoryStore()
    with store.transaction() as transaction:
        for each in ids:
            number = transaction.append(CHANGE, each.to_bytes(32, "big"), b"")
            if noted:
                note_arrival(transaction, number)
    return store


@pytest.mark.parametrize("newest", [0, 1, SPAN - 1, SPAN, SPAN + 1, 3 * SPAN, LENGTH])
def test_the_same_changes_in_the_same_order_are_told_the_same(newest: int) -> None:
    told = arrival(stored(range(LENGTH)), newest)
    assert len(told) == SIZE
    assert arrival(stored(range(newest)), newest) == told
    assert arrival(stored(range(LENGTH), noted=False), newest) == told


@pytest.mark.parametrize("place", [0, SPAN - 1, SPAN, 2 * SPAN + 7, LENGTH - 1])
def test_one_other_change_makes_what_comes_after_it_another(place: int) -> None:
    ids = list(range(LENGTH))
    ids[place] = 1000
    one, other = stored(range(LENGTH)), stored(ids)
    for newest in range(LENGTH + 1):
        assert (arrival(one, newest) == arrival(other, newest)) == (newest <= place)


def test_another_order_is_another_arrival() -> None:
    assert arrival(stored([0, 1, 2]), 3) != arrival(stored([0, 2, 1]), 3)


def test_a_number_that_nothing_has_is_told_by_nothing() -> None:
    assert arrival(stored(range(3)), 4) == b""


def test_a_row_that_is_missing_is_worked_out_from_the_one_before() -> None:
    store = stored(range(LENGTH))
    told = arrival(store, LENGTH)
    with store.transaction() as transaction:
        transaction.delete(ARRIVAL, key(2 * SPAN))
        transaction.delete(ARRIVAL, key(3 * SPAN))
    assert arrival(store, LENGTH) == told


def test_every_so_many_changes_there_is_a_row() -> None:
    rows = stored(range(LENGTH)).rows(ARRIVAL)
    assert [row_key for row_key, _ in rows] == [key(n * SPAN) for n in (1, 2, 3)]
