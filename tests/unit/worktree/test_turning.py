"""Resolutions that put sides in another order than they are shown in."""

from collections.abc import Iterable

from oxy.graph.reading import Conflict, Reading, Side
from oxy.graph.text import Span
from oxy.worktree.marked import Marked, mark
from oxy.worktree.markers import Side as Shown
from oxy.worktree.markers import Sided
from oxy.worktree.turning import turned
from oxy.worktree.unmarked import ReadBack, read_back

LETTERS = "abwxyz"


def text_of(spans: Iterable[Span]) -> bytes:
    """Return lines, each a letter: its number is its place among the letters."""
    lines = (line for start, size in spans for line in range(start, start + size))
    return b"".join(LETTERS[line].encode() + b"\n" for line in lines)


def told(*sides: str) -> tuple[Reading, Marked]:
    """Return a text of the lines a and b with a conflict of one-letter sides between them."""
    spans = [(Span(LETTERS.index(side), 1),) for side in sides]
    conflict = Conflict(1, tuple(Side(at, span) for at, span in enumerate(spans)))
    shown = [Shown(b"%d" % at, text_of(span), at) for at, span in enumerate(spans)]
    text = mark([b"a\n", b"b\n"], [text_of(sum(spans, ()))], [Sided(shown, b"")], 1)
    return Reading([0, 1], [1, 1], (conflict,)), text


def resolved(data: str, *sides: str) -> tuple[str, ReadBack]:
    reading, text = told(*sides)
    lines = "".join(letter + "\n" for letter in data).encode()
    found, back = turned(reading, text, read_back(text, lines), lines, text_of)
    (conflict,) = found.conflicts
    order = b"".join(text_of(side.spans) for side in conflict.sides)
    return order.decode().replace("\n", ""), back


def test_sides_kept_in_the_order_shown_stay_in_it() -> None:
    assert resolved("axyb", "x", "y") == ("xy", ReadBack(()))
    assert resolved("axb", "x", "y")[0] == "xy"


def test_sides_kept_the_other_way_round_are_turned() -> None:
    assert resolved("ayxb", "x", "y") == ("yx", ReadBack(()))
    assert resolved("azxyb", "x", "y", "z") == ("zxy", ReadBack(()))
    assert resolved("azyxwb", "w", "x", "y", "z") == ("zyxw", ReadBack(()))


def test_a_conflict_that_is_left_alone_is_not_turned() -> None:
    reading, text = told("x", "y")
    data = text.text() + b"x\ny\n"
    found, _ = turned(reading, text, read_back(text, data), data, text_of)
    assert found is reading
