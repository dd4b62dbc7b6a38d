import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.store.index import batches, beyond, prefix_bounds
from oxy.store.limits import PAGE_ROWS


@given(st.binary(max_size=4), st.binary(max_size=5))
def test_a_key_lies_below_what_is_beyond_its_prefix(prefix: bytes, key: bytes) -> None:
    ceiling = beyond(prefix)
    within = key >= prefix and (ceiling is None or key < ceiling)
    assert within == key.startswith(prefix)


@pytest.mark.parametrize(
    ("prefix", "low", "high"),
    [("", 0x00, 0xFF), ("a", 0xA0, 0xAF), ("aB", 0xAB, 0xAB), ("f", 0xF0, 0xFF)],
)
def test_a_prefix_bounds_the_ids_that_begin_so(prefix: str, low: int, high: int) -> None:
    bounds = prefix_bounds(prefix)
    assert bounds is not None
    assert [len(each) for each in bounds] == [32, 32]
    assert [each[0] for each in bounds] == [low, high]


def test_batches_hold_everything_in_order() -> None:
    got = list(batches(range(PAGE_ROWS * 2 + 1)))
    assert [len(each) for each in got] == [PAGE_ROWS, PAGE_ROWS, 1]
    assert [number for each in got for number in each] == list(range(PAGE_ROWS * 2 + 1))
