"""Which lines take part in the search for a shortest edit (spec: diff). Pure.

A line that the other side does not have can only be dropped or added, so it is set aside before
the search, which then costs what really competes. A frequent line amid such lines (a blank line
in a block that was rewritten) is set aside too: keeping it would tie together lines that have
nothing to do with each other. Git does the same, and blame is compared with Git's.
"""

from collections.abc import Callable, Sequence
from itertools import compress

from oxy.diff.window import Window

_UNKNOWN, _SHARED, _FREQUENT = 0, 1, 2
_SPAN = 100
_MOST_FREQUENT = 1024
_OUTNUMBERED = 4


class Sifted:
    """The lines of one side that take part, as numbers, with their positions."""

    __slots__ = ("keys", "positions", "set_aside")

    def __init__(self, keys: Sequence[int], kept: bytearray) -> None:
        self.set_aside = kept.translate(_INVERTED)
        if 0 in kept:
            self.keys = list(compress(keys, kept))
            self.positions: Sequence[int] = list(compress(range(len(keys)), kept))
        else:
            self.keys = list(keys)
            self.positions = range(len(keys))


_INVERTED = bytes([1]) + bytes(255)


def sift(old: Window, new: Window) -> tuple[Sifted, Sifted]:
    """Number the lines of two middles alike and set aside what cannot or should not match.

    Cost: linear in the lines of the middles; equal lines get equal numbers.
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
    if 0 in old_kept:
        _set_frequent_aside(old_kept, old_keys, _Frequency(old, new, new_keys))
    if 0 in new_kept:
        _set_frequent_aside(new_kept, new_keys, _Frequency(new, old, old_keys))
    return Sifted(old_keys, old_kept), Sifted(new_keys, new_kept)


class _Frequency:
    """Whether a line of one side is frequent in the other side."""

    __slots__ = ("_keys", "_known", "_lines", "_other", "_threshold")

    def __init__(self, side: Window, other: Window, other_keys: Sequence[int]) -> None:
        lines = side.start + len(side.lines)
        root = 1 << ((lines.bit_length() + 1) // 2)
        self._threshold = min(root, _MOST_FREQUENT)
        self._lines = side.lines
        self._other = other
        self._keys = other_keys
        self._known: dict[int, bool] = {}

    def __call__(self, key: int, at: int) -> bool:
        known = self._known.get(key)
        if known is None:
            count = self._keys.count(key)
            if count < self._threshold:
                count += self._other.count_before(self._lines[at])
            known = self._known[key] = count >= self._threshold
        return known


def _set_frequent_aside(
    kept: bytearray, keys: Sequence[int], frequent: Callable[[int, int], bool]
) -> None:
    """Clear the frequent lines that stand amid many lines the other side does not have."""
    doubtful: list[int] = []
    run_start = kept.find(_SHARED, max(kept.find(_UNKNOWN), 0))
    while run_start >= 0:
        run_end = kept.find(_UNKNOWN, run_start)
        if run_end < 0:
            break
        if all(frequent(keys[at], at) for at in range(run_start, run_end)):
            doubtful += range(run_start, run_end)
        run_start = kept.find(_SHARED, run_end)
    for at in doubtful:
        kept[at] = _FREQUENT
    marks = bytes(kept)
    for at in doubtful:
        if _outnumbered(marks, at):
            kept[at] = _UNKNOWN


def _outnumbered(marks: bytes, at: int) -> bool:
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
