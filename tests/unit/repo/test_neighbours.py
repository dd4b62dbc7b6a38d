from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from oxy.repo.check.neighbours import numbered
from oxy.store.memory import MemoryStore
from oxy.store.protocol import CHANGE

IDS = [bytes([number]) * 32 for number in range(1, 101)]


class Asked(MemoryStore):
    """A store that counts how often it is asked for a number."""

    times = 0

    def number_of(self, kind: int, object_id: bytes) -> int | None:
        Asked.times += 1
        return super().number_of(kind, object_id)


def stored() -> Asked:
    store = Asked()
    with store.transaction() as transaction:
        for name in IDS:
            transaction.append(CHANGE, name, name)
    Asked.times = 0
    return store


@given(order=st.permutations(IDS))
def test_each_object_has_its_number_in_any_order(order: list[bytes]) -> None:
    found = numbered(stored(), CHANGE)
    assert [found.find(name) for name in order] == [IDS.index(name) + 1 for name in order]
    assert found.find(b"\xff" * 32) is None


def test_what_comes_in_order_is_looked_up_together() -> None:
    found = numbered(stored(), CHANGE)
    for before, name in pairwise(IDS):
        found.find(before)
        found.find(name)
    assert Asked.times < 20
