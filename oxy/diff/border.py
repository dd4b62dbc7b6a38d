"""The best place for a block that can slide, by indentation (spec: diff). Pure.

The idea and the weights are those of Git's indent heuristic (M. Haggerty, 2016; the weights
were fitted there to a corpus that people had judged): a block should begin and end where a
reader sees a border, before a line of low indentation and after a blank line.
"""

from oxy.typed import NamedTuple

from oxy.diff.window import Window

_MOST_PLACES = 100
_MOST_INDENT = 200
_MOST_BLANKS = 20
_SPACE, _TAB, _TAB_STOP = 0x20, 0x09, 8

_AT_START = 1
_AT_END = 21
_PER_BLANK = -30
_PER_BLANK_AFTER = 6
_DEEPER, _DEEPER_AFTER_BLANK = -4, 10
_OUTER, _OUTER_AFTER_BLANK = 24, 17
_BACK, _BACK_AFTER_BLANK = 23, 17
_INDENT_WEIGHT = 60


class _Score(NamedTuple):
    """How bad a place is: the indentation at its borders, and a penalty."""

    indent: int
    penalty: int


def best_end(window: Window, lowest: tuple[int, int], highest_end: int) -> int:
    """Return the end of the best place from `highest_end` down to the lowest place's end.

    Cost: at most 100 places, of at most twice 42 lines each.
    """
    start, end = lowest
    size = end - start
    at = max(highest_end, end - size - 1, end - _MOST_PLACES)
    best, best_at = _score(window, at, size), at
    for other_at in range(at + 1, end + 1):
        other = _score(window, other_at, size)
        indent_order = (other.indent > best.indent) - (other.indent < best.indent)
        if _INDENT_WEIGHT * indent_order + other.penalty - best.penalty <= 0:
            best, best_at = other, other_at
    return best_at


def _score(window: Window, end: int, size: int) -> _Score:
    below, above = _border(window, end), _border(window, end - size)
    return _Score(below.indent + above.indent, below.penalty + above.penalty)


def _border(window: Window, at: int) -> _Score:
    """Rate the border before line `at`."""
    line = window.line(at)
    indent = None if line is None else _indent(line)
    before, blanks_before = _nearest(window, at - 1, -1)
    after, blanks_after = _nearest(window, at + 1, 1)
    penalty = 0
    if before is None and not blanks_before:
        penalty += _AT_START
    if line is None:
        penalty += _AT_END
    blank_after = 1 + blanks_after if indent is None else 0
    blanks = blanks_before + blank_after
    penalty += _PER_BLANK * blanks + _PER_BLANK_AFTER * blank_after
    indent = after if indent is None else indent
    if indent is not None and before is not None:
        penalty += _step(before, indent, after, blanks=blanks > 0)
    return _Score(-1 if indent is None else indent, penalty)


def _step(before: int, indent: int, after: int | None, *, blanks: bool) -> int:
    """Rate the change of indentation at a border."""
    if indent > before:
        return _DEEPER_AFTER_BLANK if blanks else _DEEPER
    if indent == before:
        return 0
    if after is not None and after > indent:
        return _OUTER_AFTER_BLANK if blanks else _OUTER
    return _BACK_AFTER_BLANK if blanks else _BACK


def _nearest(window: Window, at: int, step: int) -> tuple[int | None, int]:
    """Return the indentation of the nearest line with text, and the blanks up to it."""
    blanks = 0
    while at >= 0 and (line := window.line(at)) is not None:
        indent = _indent(line)
        if indent is not None:
            return indent, blanks
        blanks += 1
        if blanks == _MOST_BLANKS:
            return 0, blanks
        at += step
    return None, blanks


def _indent(line: bytes) -> int | None:
    """Return the width of the leading white space, or None for a blank line."""
    text = line.lstrip(b" \t\n\v\f\r")
    if not text:
        return None
    width = 0
    for byte in line[: len(line) - len(text)]:
        if byte == _SPACE:
            width += 1
        elif byte == _TAB:
            width += _TAB_STOP - width % _TAB_STOP
        if width >= _MOST_INDENT:
            return _MOST_INDENT
    return width
