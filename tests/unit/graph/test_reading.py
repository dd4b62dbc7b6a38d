import pytest

from oxy.graph.reading import Conflict, Reading, Side, Twin, extend, of_spans
from oxy.graph.text import Span


def test_spans_that_continue_each_other_are_one() -> None:
    reading = of_spans([Span(0, 2), Span(2, 3), Span(9, 1)])
    assert list(reading.spans()) == [Span(0, 5), Span(9, 1)]


def test_extending_joins_only_what_continues() -> None:
    starts, sizes = [4], [2]
    extend(starts, sizes, 6, 1)
    extend(starts, sizes, 8, 1)
    assert (starts, sizes) == ([4, 8], [3, 1])


@pytest.mark.parametrize(("number", "line"), [(0, 10), (2, 12), (3, 50), (4, 51), (5, 7)])
def test_a_line_is_found_by_its_number(number: int, line: int) -> None:
    assert Reading([10, 50, 7], [3, 2, 1]).line(number) == line


@pytest.mark.parametrize(
    ("first", "last", "spans"),
    [
        (0, 0, []),
        (0, 6, [Span(10, 3), Span(50, 2), Span(7, 1)]),
        (1, 3, [Span(11, 2)]),
        (2, 4, [Span(12, 1), Span(50, 1)]),
        (4, 6, [Span(51, 1), Span(7, 1)]),
    ],
)
def test_lines_between_two_numbers_are_given_as_spans(
    first: int, last: int, spans: list[Span]
) -> None:
    assert Reading([10, 50, 7], [3, 2, 1]).between(first, last) == spans


def test_edits_make_the_reading_after_them() -> None:
    reading = Reading([10, 50, 7], [3, 2, 1])
    after = reading.replaced([(1, 1, 2), (3, 0, 1), (5, 1, 0)], 100)
    assert list(after.spans()) == [
        Span(10, 1),
        Span(100, 2),
        Span(12, 1),
        Span(102, 1),
        Span(50, 2),
    ]
    assert after.total == 7


def test_an_edit_that_changes_nothing_leaves_the_reading() -> None:
    reading = Reading([10, 50], [3, 2])
    assert list(reading.replaced([], 100).spans()) == list(reading.spans())


def test_a_reading_is_clean_without_conflicts_and_twins() -> None:
    side = Side(1, (Span(1, 1),))
    assert Reading([1], [1]).is_clean
    assert not Reading([1], [1], (Conflict(0, (side,)),)).is_clean
    assert not Reading([1], [1], (), (Twin((Span(1, 1),), (Span(9, 1),)),)).is_clean
