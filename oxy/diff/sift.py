"""Which lines take part in the search for a shortest edit (spec: diff). Pure.

A line that the other side does not have can only be dropped or added, so it is set aside before
the search, which then costs what really competes. A frequent line amid such lines (a blank line
in a block that was rewritten) is set aside too: keeping it would tie together lines that have
nothing to do with each other. Git does the same, and blame is compared with Git's.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import compress

from oxy.diff.window import Window

_UNKNOWN, _SHARED, _FREQUENT = 0, 1, 2
_SPAN = 100
_MOST_FREQUENT = 1024
_OUTNUMBERED = 3
_HANDICAP = 2
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
    old_lines, new_lines = old.middle, new.middle
    old_count, new_count = len(old_lines), len(new_lines)
    old_keys = list(map(numbers.setdefault, old_lines, range(old_count)))
    new_keys = list(map(numbers.setdefault, new_lines, range(old_count, old_count + new_count)))
    new_set = set(new_keys)
    old_kept = bytearray(map(new_set.__contains__, old_keys))
    new_kept = bytearray([key < old_count for key in new_keys])
    census = _Census(old)
    if _encloses(old_kept):
        _Sieve(old_lines, old_keys, new_keys, census).clear(old_kept)
    if _encloses(new_kept):
        _Sieve(new_lines, new_keys, old_keys, census).clear(new_kept)
    return Sifted(old_keys, old_kept), Sifted(new_keys, new_kept)


def _encloses(kept: bytearray) -> bool:
    """Tell whether a shared line stands between two unknown ones."""
    start = kept.find(_SHARED, max(kept.find(_UNKNOWN), 0))
    return start > 0 and _UNKNOWN in kept[:start] and kept.find(_UNKNOWN, start) >= 0


class _Census:
    """How often lines stand outside the middles, which is alike on both sides; counted once."""

    __slots__ = ("_counts", "_window", "lines")

    def __init__(self, window: Window) -> None:
        self._window = window
        self._counts: Counter[bytes] | None = None
        self.lines = 0

    def count(self, line: bytes) -> int:
        """Return how often a line stands outside the middles."""
        if self._counts is None:
            outside = self._window.outside()
            self.lines = len(outside)
            self._counts = Counter(outside)
        return self._counts[line]


class _Sieve:
    """Finds the frequent lines of one side that stand amid lines the other does not have."""

    __slots__ = ("_census", "_counts", "_keys", "_known", "_lines")

    def __init__(
        self,
        lines: Sequence[bytes],
        keys: Sequence[int],
        other_keys: Sequence[int],
        census: _Census,
    ) -> None:
        self._lines = lines
        self._keys = keys
        self._counts = Counter(other_keys)
        self._census = census
        self._known: dict[int, int] = {}

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
            census = self._census
            count = self._counts[key] + census.count(self._lines[at])
            total = census.lines + len(self._lines)
            threshold = min(1 << ((total.bit_length() + 1) // 2), _MOST_FREQUENT)
            rank = _FREQUENT if count >= threshold else min(count, _SHARED)
            self._known[key] = rank
        return rank


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
    frequent = high - low - unknown
    return (frequent + _HANDICAP) * _OUTNUMBERED < unknown
