import pytest

from oxy.diff.border import best_end
from oxy.diff.window import ListWindow, Window


def window(*lines: bytes) -> Window:
    return ListWindow(lines, 0, len(lines))


def test_a_block_starts_at_the_line_of_least_indentation() -> None:
    text = window(b"    x", b"if a:", b"    one", b"if b:", b"    one", b"y")
    assert best_end(text, (3, 5), 3) == 5
    deeper = window(b"x", b"if a:", b"    one", b"if b:", b"    one", b"    two")
    assert best_end(deeper, (3, 5), 3) == 3


def test_a_block_ends_with_its_blank_line() -> None:
    text = window(b"a {", b"}", b"", b"b {", b"}", b"", b"c {", b"}")
    assert best_end(text, (3, 6), 4) == 6


def test_a_block_at_the_end_of_a_text_begins_with_its_blank_line() -> None:
    text = window(b"a {", b"}", b"", b"b {", b"}")
    assert best_end(text, (2, 5), 4) == 5


def test_only_a_hundred_places_are_tried() -> None:
    lines = [b"top", *[b"  x"] * 300, b"end"]
    assert best_end(window(*lines), (151, 301), 151) >= 201


@pytest.mark.parametrize("indent", [b"\t", b" " * 8, b"   \t"])
def test_a_tab_reaches_to_the_next_multiple_of_eight(indent: bytes) -> None:
    lines = (b"a", indent + b"b", b"        c", b"a", indent + b"b", b"        c", b"d")
    assert best_end(window(*lines), (3, 6), 4) == 6


def test_equal_places_go_to_the_lowest() -> None:
    assert best_end(window(*[b"x"] * 9), (3, 5), 2) == 5
