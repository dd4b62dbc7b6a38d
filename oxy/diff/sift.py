"""Which lines take part in the search for a shortest edit (spec: diff). Pure.

A line that the other side does not have can only be dropped or added, so it is set aside before
the search, which then costs what really competes. A frequent line amid such lines (a blank line
in a block that was rewritten) is set aside too: keeping it would tie together lines that have
nothing to do with each other. Git does the same, and blame is compared with Git's.
"""

from collections.abc import Sequence
from itertools import compress

from oxy.diff.window import Window

_UNKNOWN, _SHARED, _FREQUENT = 0, 1, 2
_SPAN = 100
_MOST_FREQUENT = 1024
_OUTNUMBERED = 4
_INVERTED = bytes([1]) + bytes(255)


class Sifted:
    """The lines of one side that take part, as numbers, with their positions.

    `set_aside` has a 1 for each line of the middle that takes no part.
    """

    __slots__ = ("keys", "positions", "set_aside")

    def __init__(self, keys: Sequence[int], kept: bytearray) -> None:
        self.set_aside = kept.translate(_INVERTED)
        if _UNKNOWN in kept:
            self.keys = list(compress(keys, kept))
            self.positions: Sequence[int] = list(compress(range(len(keys)), kept))
        else:
            self.keys = list(keys)
            self.positions = range(len(keys))


def sift(old: Window, new: Window) -> tuple[Sifted, Sifted]:
    """Number the lines of two middles alike and set aside what cannot or should not match.

    Cost: linear in the lines of the middles; where frequent lines stand amid unknown ones, also
    searches of the whole text for the few lines beside them.
    """
    numbers: dict[bytes, int] = {}
    old_lines, new_lines = old.lines, new.lines
    old_count, new_count = len(old_lines), len(new_lines)
    old_keys = list(map(numbers.setdefault, old_lines, range(old_count)))
    new_keys = list(
        map(numbers.setdefault, new_lines, range(old_count, old_count + new_count))
    )
    new_set = set(new_keys)
    old_kept = bytearray([key in new_set for key in old_keys])
    new_kept = bytearray([key < old_count for key in new_keys])
    if _UNKNOWN in old_kept and _SHARED in old_kept:
        _Sieve(old, old_keys, new, new_keys).clear(old_kept)
    if _UNKNOWN in new_kept and _SHARED in new_kept:
        _Sieve(new, new_keys, old, old_keys).clear(new_kept)
    return Sifted(old_keys, old_kept), Sifted(new_keys, new_kept)


class _Sieve:
    """Finds the frequent lines of one side that stand amid lines the other does not have."""

    __slots__ = ("_keys", "_known", "_lines", "_other", "_other_keys", "_side", "_threshold")

    def __init__(
        self, side: Window, keys: Sequence[int], other: Window, other_keys: Sequence[int]
    ) -> None:
        self._side = side
        self._lines = side.lines
        self._keys = keys
        self._other = other
        self._other_keys = other_keys
        self._known: dict[int, int] = {}
        self._threshold = 0

    def clear(self, kept: bytearray) -> None:
        """Clear the marks of the lines to set aside."""
        marks = bytearray(kept)
        doubtful: list[int] = []
        start = kept.find(_SHARED, kept.find(_UNKNOWN))
        while start >= 0 and (end := kept.find(_UNKNOWN, start)) >= 0:
            if all(self._rank(at) == _FREQUENT for at in range(start, end)):
                doubtful += range(start, end)
                marks[start:end] = bytes([_FREQUENT]) * (end - start)
                self._look_outside(kept, marks, range(start - 1, max(start - _SPAN, 0) - 1, -1))
                self._look_outside(kept, marks, range(end, min(end + _SPAN, len(kept))))
            start = kept.find(_SHARED, end)
        for at in doubtful:
            if _outnumbered(marks, at):
                kept[at] = _UNKNOWN

    def _look_outside(self, kept: bytearray, marks: bytearray, span: range) -> None:
        """Mark the first line of a span of unknown ones that the other text has after all."""
        for at in span:
            if kept[at] != _UNKNOWN or marks[at] == _SHARED:
                return
            marks[at] = self._rank(at)

    def _rank(self, at: int) -> int:
        """Tell whether a line is unknown, shared or frequent in the whole of the other text."""
        key = self._keys[at]
        rank = self._known.get(key)
        if rank is None:
            count = self._other_keys.count(key) + self._other.count_around(self._lines[at])
            rank = _SHARED if count else _UNKNOWN
            if count >= (self._threshold or self._measure()):
                rank = _FREQUENT
            self._known[key] = rank
        return rank

    def _measure(self) -> int:
        """Return how many matches make a line frequent: about the root of the lines."""
        lines = len(self._lines) + self._side.lines_around()
        self._threshold = min(1 << ((lines.bit_length() + 1) // 2), _MOST_FREQUENT)
        return self._threshold


def _outnumbered(marks: bytearray, at: int) -> bool:
    """Tell whether the run of unknown and frequent lines around a line is mostly unknown."""
    low = max(marks.rfind(_SHARED, max(at - _SPAN, 0), at) + 1, at - _SPAN, 0)
    high = marks.find(_SHARED, at, at + _SPAN + 1)
    high = min(at + _SPAN + 1, len(marks)) if high < 0 else high
    unknown_before = marks.count(_UNKNOWN, low, at)
    unknown_after = marks.count(_UNKNOWN, at, high)
    if not unknown_before or not unknown_after:
        return False
    unknown = unknown_before + unknown_after
    frequent = high - low - unknown + 1
    return frequent * _OUTNUMBERED < frequent + unknown
