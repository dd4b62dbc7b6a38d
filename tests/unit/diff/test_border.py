import pytest

from oxy.diff.border import best_end
from oxy.diff.window import ListWindow, Window


def window(*lines: bytes) -> Window:
    return ListWindow(lines, 0, len(lines))


def test_a_block_starts_at_the_line_of_least_indentation() -> None:
    text = window(b"def a():", b"  x", b"  y", b"def b():", b"  x", b"  z")
    assert best_end(text, (2, 5), 4) == 5 or best_end(text, (2, 5), 4) == 4


def test_a_block_ends_with_its_blank_line() -> None:
    text = window(b"a {", b"}", b"", b"b {", b"}", b"", b"c {", b"}")
    assert best_end(text, (3, 6), 4) == 6


def test_a_block_at_the_end_of_a_text_begins_with_its_blank_line() -> None:
    text = window(b"a {", b"}", b"", b"b {", b"}")
    assert best_end(text, (2, 5), 5) == 5


@pytest.mark.parametrize("indent", [b"\t", b" " * 8, b"   \t"])
def test_a_tab_reaches_to_the_next_multiple_of_eight(indent: bytes) -> None:
    lines = (b"a", indent + b"b", b"        c", b"a", indent + b"b", b"        c", b"d")
    assert best_end(window(*lines), (3, 6), 4) == 6


def test_equal_places_go_to_the_lowest() -> None:
    assert best_end(window(*[b"x"] * 9), (3, 5), 2) == 5
