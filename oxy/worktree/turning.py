"""The order of sides in which a resolution keeps most lines (spec: graph, G17). Pure.

Sides are shown by change id, which says nothing. Whoever puts the second side before the first
keeps both; compared with them as shown, one of them would be new lines.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from oxy.typed import Final, TypeAlias

from oxy.graph.draft import flat
from oxy.graph.reading import Conflict, Reading
from oxy.graph.text import Span
from oxy.worktree.marked import Marked
from oxy.worktree.unmarked import ReadBack, read_back

FEW: Final = 3
"""Of so many sides every order is tried; of more, theirs and the other way round."""

TextOf: TypeAlias = Callable[[Iterable[Span]], bytes]


def turned(
    reading: Reading, text: Marked, found: ReadBack, data: bytes, text_of: TextOf
) -> tuple[Reading, ReadBack]:
    """Return a reading with the sides of its resolved conflicts so that most lines stay.

    Args:
        reading: what the state reads.
        text: the pieces of that.
        found: what the bytes say of it, read back.
        data: the bytes.
        text_of: the bytes of lines.

    Cost: a diff for each order of each conflict that is resolved.
    """
    conflicts, blocks = list(reading.conflicts), list(text.blocks)
    for index in {*range(len(conflicts))}.difference(found.kept):
        for conflict in _orders(conflicts[index]):
            spans = flat(Reading([], [], (conflict._replace(position=0),)))
            block = blocks[index]._replace(flat=text_of(spans))
            shown = text._replace(blocks=(*blocks[:index], block, *blocks[index + 1 :]))
            other = read_back(shown, data)
            if _inserted(other) < _inserted(found):
                conflicts[index], blocks[index], found = conflict, block, other
    if conflicts == list(reading.conflicts):
        return reading, found
    return Reading(reading.starts, reading.sizes, tuple(conflicts), reading.twins), found


def _orders(conflict: Conflict) -> Iterator[Conflict]:
    """Yield a conflict with its sides in other orders."""
    sides = conflict.sides
    if len(sides) > FEW:
        yield conflict._replace(sides=sides[::-1])
        return
    for order in permutations(sides):
        if order != sides:
            yield conflict._replace(sides=order)


def _inserted(found: ReadBack) -> int:
    return sum(edit.new_count for edit in found.edits)
