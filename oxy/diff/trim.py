"""The common head and tail of two texts, cut at line boundaries (spec: diff). Pure."""

from typing import NamedTuple

_LF = 10
_FIRST_STEP = 4096


class Middle(NamedTuple):
    """What is left of two texts between their common head and their common tail, in bytes."""

    head: int
    old_end: int
    new_end: int


def middle_of(old: bytes, new: bytes) -> Middle:
    """Return where two texts differ, widened to whole lines.

    Cost: comparisons of slices, about three times the bytes of the common parts.
    """
    head = old.rfind(b"\n", 0, _common_head(old, new)) + 1
    tail = _common_tail(old, new, min(len(old), len(new)) - head)
    old_end, new_end = len(old) - tail, len(new) - tail
    if _starts_line(old, head, old_end) and _starts_line(new, head, new_end):
        return Middle(head, old_end, new_end)
    line_end = old.find(b"\n", old_end)
    cut = len(old) - old_end if line_end < 0 else line_end + 1 - old_end
    return Middle(head, old_end + cut, new_end + cut)


def _starts_line(text: bytes, head: int, at: int) -> bool:
    return at == head or text[at - 1] == _LF


def _common_head(old: bytes, new: bytes) -> int:
    low, high, step = 0, min(len(old), len(new)), _FIRST_STEP
    while low < high:
        probe = min(low + step, high)
        if old[low:probe] != new[low:probe]:
            high = probe
            break
        low, step = probe, step * 2
    else:
        return low
    while high - low > 1:
        probe = (low + high) // 2
        if old[low:probe] == new[low:probe]:
            low = probe
        else:
            high = probe
    return low


def _common_tail(old: bytes, new: bytes, limit: int) -> int:
    old_end, new_end = len(old), len(new)
    low, high, step = 0, limit, _FIRST_STEP
    while low < high:
        probe = min(low + step, high)
        if (
            old[old_end - probe : old_end - low]
            != new[new_end - probe : new_end - low]
        ):
            high = probe
            break
        low, step = probe, step * 2
    else:
        return low
    while high - low > 1:
        probe = (low + high) // 2
        if (
            old[old_end - probe : old_end - low]
            == new[new_end - probe : new_end - low]
        ):
            low = probe
        else:
            high = probe
    return low
