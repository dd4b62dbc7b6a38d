"""The common head and tail of two texts, cut at line boundaries (spec: diff). Pure."""

from oxy.typed import NamedTuple

_LF = 10
_FIRST_STEP = 4096
_FAR = 1024


class Middle(NamedTuple):
    """Where two texts differ, in bytes: from `head` to the ends, which whole lines bound.

    What lies between an end and its stop is common and near. What follows the stop is common
    and so far away that the diff does not look at it at all.
    """

    head: int
    old_end: int
    new_end: int
    old_stop: int
    new_stop: int


def middle_of(old: bytes, new: bytes) -> Middle:
    """Return where two texts differ, widened to whole lines.

    The far tail is taken in steps of 1,024 bytes before anything else, as Git does for blame:
    it bounds how far an edit can slide. Cost: comparisons of slices, about three times the
    bytes of the common parts.
    """
    far = _common_tail(old, new, len(old), len(new)) // _FAR * _FAR
    old_stop, new_stop = len(old) - far, len(new) - far
    if far:
        line_end = old.find(b"\n", old_stop)
        skipped = far if line_end < 0 else line_end + 1 - old_stop
        old_stop, new_stop = old_stop + skipped, new_stop + skipped
    least = min(old_stop, new_stop)
    head = old.rfind(b"\n", 0, _common_head(old, new, least)) + 1
    near = min(_common_tail(old, new, old_stop, new_stop), least - head)
    old_end, new_end = old_stop - near, new_stop - near
    if not (_starts_line(old, head, old_end) and _starts_line(new, head, new_end)):
        line_end = old.find(b"\n", old_end, old_stop)
        skipped = near if line_end < 0 else line_end + 1 - old_end
        old_end, new_end = old_end + skipped, new_end + skipped
    return Middle(head, old_end, new_end, old_stop, new_stop)


def _starts_line(text: bytes, head: int, at: int) -> bool:
    return at == head or text[at - 1] == _LF


def _common_head(old: bytes, new: bytes, limit: int) -> int:
    low, high, step = 0, limit, _FIRST_STEP
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


def _common_tail(old: bytes, new: bytes, old_end: int, new_end: int) -> int:
    low, high, step = 0, min(old_end, new_end), _FIRST_STEP
    while low < high:
        probe = min(low + step, high)
        if not _same_tail(old, new, old_end, new_end, low, probe):
            high = probe
            break
        low, step = probe, step * 2
    else:
        return low
    while high - low > 1:
        probe = (low + high) // 2
        if _same_tail(old, new, old_end, new_end, low, probe):
            low = probe
        else:
            high = probe
    return low


def _same_tail(old: bytes, new: bytes, old_end: int, new_end: int, low: int, high: int) -> bool:
    return old[old_end - high : old_end - low] == new[new_end - high : new_end - low]
