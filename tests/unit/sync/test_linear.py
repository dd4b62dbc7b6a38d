"""Changes are received in work that is linear in their number (spec: sync, SY7)."""

import sys
from collections.abc import Callable, Sequence
from types import FrameType

import pytest

from bench.measuring.arriving import one_on_the_other, received, side_by_side
from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy.sync.errors import RefusedObjectError
from oxy.sync.part import Part
from tests.builders.exchange import taken

HISTORIES = pytest.mark.parametrize("made", [one_on_the_other, side_by_side])


def steps_of(work: Callable[[], object]) -> int:
    """Return how many functions work calls, those in C among them: no clock is asked."""
    count = 0

    def tick(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(tick)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def steps_each(made: Callable[[int], Sequence[Part]], count: int) -> float:
    coming = made(count)
    assert received(coming) == count
    return steps_of(lambda: received(coming)) / count


@HISTORIES
def test_sixteen_times_the_changes_are_sixteen_times_the_work(
    made: Callable[[int], Sequence[Part]],
) -> None:
    few, many = (steps_each(made, count) for count in (65, 1040))
    assert many < few * 1.1


@pytest.mark.slow
@HISTORIES
def test_eight_times_as_many_again_are_eight_times_the_work(
    made: Callable[[int], Sequence[Part]],
) -> None:
    few, many = (steps_each(made, count) for count in (1040, 8320))
    assert many < few * 1.1


def test_what_comes_before_what_it_needs_is_refused_at_once() -> None:
    coming = one_on_the_other(260)[::-1]
    target = Repository.in_memory()

    def refused() -> None:
        with pytest.raises(RefusedObjectError, match="which is missing"):
            taken(target, coming)

    assert steps_of(refused) < 3000
    assert target.store.count(CHANGE) == 0
