"""From the lines that a text reads to those that it is to read, by identity (spec: S12). Pure.

No texts are compared here but for lines that were dropped and made anew with the same bytes:
these stay what they were.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from oxy.typed import NamedTuple

from oxy.graph.deed import Span


class Want(NamedTuple):
    """A line that is to be read: where it is now (-1: nowhere), and which it was before."""

    at: int
    old: int


class Hunk(NamedTuple):
    """Lines from a position on that go, and those that come in their place."""

    position: int
    dropped: int
    first: int
    inserted: int


def lines_of(spans: Iterable[Span]) -> list[int]:
    """Return each line of spans."""
    return [line for start, size in spans for line in range(start, start + size)]


def hunks(total: int, wants: Sequence[Want]) -> list[Hunk] | None:
    """Return how to come from lines 0 to `total` to those that are wanted.

    None where lines that are there are wanted in another order.
    """
    kept = [(place, want.at) for place, want in enumerate(wants) if want.at >= 0]
    if any(a[1] >= b[1] for a, b in pairwise(kept)):
        return None
    found: list[Hunk] = []
    old = new = 0
    for place, at in [*kept, (len(wants), total)]:
        if at > old or place > new:
            found.append(Hunk(old, at - old, new, place - new))
        old, new = at + 1, place + 1
    return found


def without_twins(
    found: Iterable[Hunk], now: Callable[[int], bytes], then: Callable[[int], bytes]
) -> tuple[list[Hunk], dict[int, int]]:
    """Return the hunks without lines at their ends that go and come again.

    Args:
        found: the hunks.
        now: the bytes of the line at a position.
        then: those of the wanted line at a place.

    Returns:
        What is left, and by the place of each wanted line that stays: its position.
    """
    left: list[Hunk] = []
    stay: dict[int, int] = {}
    for position, dropped, first, inserted in found:
        most = min(dropped, inserted)
        head = 0
        while head < most and now(position + head) == then(first + head):
            head += 1
        tail = 0
        while tail < most - head and now(position + dropped - 1 - tail) == then(
            first + inserted - 1 - tail
        ):
            tail += 1
        stay.update((first + i, position + i) for i in range(head))
        stay.update((first + inserted - 1 - i, position + dropped - 1 - i) for i in range(tail))
        hunk = Hunk(
            position + head, dropped - head - tail, first + head, inserted - head - tail
        )
        if hunk.dropped or hunk.inserted:
            left.append(hunk)
    return left, stay
