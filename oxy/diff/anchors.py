"""Lines that both sides have once, as anchors of long edits (spec: diff). Pure."""

from collections.abc import Iterator, Sequence

from oxy.diff.myers import Box


def gaps_between_anchors(old: Sequence[int], new: Sequence[int], box: Box) -> Iterator[Box]:
    """Yield what lies between the lines that both sides of a box have exactly once.

    Cost: n log n in the lines of the box, in the library's native kernel. Yields nothing when
    there is no such line.
    """
    from patiencediff import unique_lcs

    old_start, old_end, new_start, new_end = box
    matches = unique_lcs(old[old_start:old_end], new[new_start:new_end])
    if not matches:
        return
    x, y = old_start, new_start
    for old_at, new_at in matches:
        if x < old_start + old_at or y < new_start + new_at:
            yield Box(x, old_start + old_at, y, new_start + new_at)
        x, y = old_start + old_at + 1, new_start + new_at + 1
    if x < old_end or y < new_end:
        yield Box(x, old_end, y, new_end)
