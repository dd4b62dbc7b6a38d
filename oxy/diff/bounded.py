"""A shortest edit where it can be afforded, anchors where it cannot (spec: diff). Pure."""

from collections.abc import Sequence

from oxy.diff.anchors import gaps_between_anchors
from oxy.diff.myers import Box, Marks, shortest_edit

BASE_BUDGET = 1 << 20
"""Steps that the search may take on any input."""
LINE_BUDGET = 8
"""Steps that it may take besides for each line."""
GAP_BUDGET = 256
"""Steps for any gap between two anchors, besides those for its lines."""


def changed_keys(old: Sequence[int], new: Sequence[int]) -> Marks:
    """Return what to drop and add: a shortest edit, or a good one within linear cost.

    What the budget of the search does not reach is divided at the lines that both sides have
    once; in the gaps the search goes on with a small budget; what is left then is replaced.
    """
    marks = Marks()
    whole = Box(0, len(old), 0, len(new))
    budget = BASE_BUDGET + LINE_BUDGET * (len(old) + len(new))
    for box in shortest_edit(old, new, whole, marks, budget):
        anchored = False
        for gap in gaps_between_anchors(old, new, box):
            anchored = True
            lines = gap.old_end - gap.old_start + gap.new_end - gap.new_start
            allowed = GAP_BUDGET + LINE_BUDGET * lines
            for rest in shortest_edit(old, new, gap, marks, allowed):
                marks.replace(rest)
        if not anchored:
            marks.replace(box)
    return marks
