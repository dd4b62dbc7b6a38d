"""Merges of the sizes that are to be met (spec: conflicts, C19; graph, G34, G37)."""

import inspect
import sys
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from bench.measuring.merging import concurrent, in_rounds, next_round, rivals, runs, sides
from oxy.graph.division import Division
from oxy.graph.pack import pack, unpack
from oxy.graph.render import survivors
from tests.graphs.consistency import assert_consistent

pytestmark = pytest.mark.slow

ROOM = 100
"""Frames that anything of these sizes may stand on."""


@pytest.fixture(autouse=True)
def _shallow() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + ROOM)
    yield
    sys.setrecursionlimit(before)


@pytest.fixture
def divided() -> Iterator[list[Division]]:
    """Yield the texts and regions that are taken apart meanwhile."""
    made: list[Division] = []
    real = Division.__init__

    def noted(division: Division, *told: object) -> None:
        made.append(division)
        real(division, *told)  # type: ignore[arg-type]  # handed on as they are

    with patch.object(Division, "__init__", noted):
        yield made


def test_200_rounds_read_right_and_say_no_more_each_time() -> None:
    text, state = in_rounds(0)
    for number in range(200):
        state = next_round(text, state)
        resolution = len(text.known)
        shown = text.of(text.read(state).spans())
        assert shown == [b"a\n", b"%d 1\n" % (resolution - 3), b"z\n"], number
        for change in range(resolution - 2, resolution + 1):
            deed = text.graph.deeds[change]
            assert len(deed.verdicts) <= 2
            assert not deed.orders
    assert len(text.graph.weave) == 3 + 2 * 200
    assert_consistent(text.graph)
    assert len(pack(text.graph)) < 200 * 3 * 120


def test_10_000_sides_are_read_without_taking_the_region_apart_for_each(
    divided: list[Division],
) -> None:
    text, union = sides(10_000)
    reading = text.read(union)
    assert len(divided) == 1
    (conflict,) = reading.conflicts
    assert [text.of(side.spans) for side in conflict.sides] == [
        [b"side %d\n" % number] for number in range(10_000)
    ]
    after = text.edit(union, [(2, 9_999, 0, 0)], [], reading)
    assert text.of(text.read(after).spans()) == [b"a\n", b"side 0\n", b"z\n"]
    assert_consistent(text.graph)


def test_10_000_sides_can_all_be_kept() -> None:
    text, union = sides(10_000)
    after = text.edit(union, [], [], text.read(union))
    assert len(text.graph.deeds[len(text.known)].orders) == 9_999
    every = [b"side %d\n" % number for number in range(10_000)]
    assert text.of(text.read(after).spans()) == [b"a\n", *every, b"z\n"]


def test_1_000_replacements_of_one_line_are_a_conflict_of_1_000_sides(
    divided: list[Division],
) -> None:
    text, union = rivals(1000)
    reading = text.read(union)
    assert len(divided) == 1
    (conflict,) = reading.conflicts
    assert len(conflict.sides) == 1000
    after = text.edit(union, [(2, 999, 0, 0)], [], reading)
    assert text.of(text.read(after).spans()) == [b"a\n", b"side 0\n", b"z\n"]


def test_1_000_concurrent_changes_of_one_file_read_clean() -> None:
    text, union = concurrent(1000)
    reading = text.read(union)
    assert reading.is_clean
    assert text.of(reading.spans())[::4] == [b"by %d\n" % number for number in range(1000)]


def test_a_file_of_100_000_lines_in_10_000_runs_is_merged_and_resolved() -> None:
    text, one, other = runs(100_000, 10_000)
    reading = text.read(one | other)
    assert len(reading.conflicts) == 50
    assert len(text.graph.weave) >= 10_000
    before = [text.of(side.spans) for conflict in reading.conflicts for side in conflict.sides]
    kept = frozenset(range(0, 50, 2))
    beside = text.edit(one | other, [], [], reading, kept)
    left = text.read(beside).conflicts
    assert [text.of(side.spans) for conflict in left for side in conflict.sides] == [
        lines for place, lines in enumerate(before) if place // 2 in kept
    ]
    after = text.edit(beside, [], [], text.read(beside))
    assert text.read(after).is_clean
    again = unpack(pack(text.graph))
    assert list(survivors(again, after).spans()) == list(survivors(text.graph, after).spans())
