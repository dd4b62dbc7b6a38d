"""What an import remembers of texts is what they read, within its bounds."""

import pytest

from oxy.graph.reading import Conflict, Reading
from oxy_git.importer.caches import ENTRY, Readings

KEY = bytes(16)
SPANS = [5 << 32 | 7, 9 << 32]


def test_a_reading_comes_back_as_it_was() -> None:
    readings = Readings()
    readings.put(1, KEY, Reading(SPANS, [3, 1]))
    found = readings.get(1, KEY)
    assert found is not None
    assert found.is_clean
    assert (found.starts, found.sizes) == (SPANS, [3, 1])
    assert readings.get(2, KEY) is None


def test_one_in_conflict_is_not_remembered() -> None:
    readings = Readings()
    readings.put(1, KEY, Reading(SPANS, [3, 1], (Conflict(1, ()),)))
    assert readings.get(1, KEY) is None


def test_the_readings_used_longest_ago_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oxy_git.importer.caches.SPANS", 2 * (ENTRY + 2))
    readings = Readings()
    for node in (1, 2, 2):
        readings.put(node, KEY, Reading(SPANS, [3, 1]))
    assert readings.get(1, KEY) is not None
    readings.put(3, KEY, Reading(SPANS, [3, 1]))
    assert [readings.get(node, KEY) is None for node in (1, 2, 3)] == [False, True, False]
