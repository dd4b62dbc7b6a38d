"""Edits of what a state reads to what a change does (spec: graph, G17 to G26). Pure.

Where nobody ever disputed a line of the text the edits say it all: a replaced stretch is
deleted and its block lies inside its last line, a new block lies between its neighbours. Where
lines were disputed but the state reads clean, what else has to be said is found beside the
edits, for nearly every edit. Otherwise `oxy.graph.settle` works it out from the whole text.
"""

from pyroaring import BitMap

from oxy.graph.draft import Edits
from oxy.graph.local import local_deed
from oxy.graph.plain import plain_deed
from oxy.graph.reading import Reading
from oxy.graph.recorded import Recorded, Source
from oxy.graph.settle import record_disputed
from oxy.graph.text import TextGraph
from oxy.graph.weave import SHIFT


def record(
    graph: TextGraph,
    state: BitMap,
    reading: Reading,
    edits: Edits,
    change: int,
    kept: frozenset[int] = frozenset(),
) -> Recorded:
    """Return what a change does that makes edits on what a state reads.

    The graph is left as it was; apply the deed to make it hold the change.

    Args:
        graph: the text.
        state: the state that is read.
        reading: what it reads.
        edits: (old line, lines dropped, new line, lines inserted), ascending and apart; lines
            of a conflict are numbered side after side, as `flat` lists them.
        change: the number that the new change will have.
        kept: the places among `reading.conflicts` of those that are left alone: they stay
            conflicts, with the sides that they have. No edit may touch their lines, and
            between two of them a line has to stay.

    Cost: the edits and a copy of the spans; in a conflicted text, the runs.

    Raises:
        KeptConflictError: the edits do not leave a conflict alone that is kept.
    """
    made = _recorded(graph, state, reading, edits, change, kept)
    present = state & graph.touched
    # What a union of clean states reads is not found from all of it (C31), and twins live on
    # beneath a text where no edit comes near them (C17).
    is_sure = graph.grounds.has(present) if reading.is_clean else reading.fresh is None
    if is_sure and not reading.twins and made.reading.is_clean:
        graph.grounds.expect(change, made.deed, present | BitMap([change]))
    return made


def _recorded(
    graph: TextGraph,
    state: BitMap,
    reading: Reading,
    edits: Edits,
    change: int,
    kept: frozenset[int],
) -> Recorded:
    if not reading.is_clean:
        return record_disputed(graph, state, reading, edits, change, kept)
    if graph.is_disputed:
        deed = local_deed(graph, state, reading, edits, change)
        if deed is None:
            return record_disputed(graph, state, reading, edits, change)
    else:
        deed = plain_deed(reading, edits, change)
    sources = tuple(Source(edit[3], edit[2], None) for edit in edits if edit[3])
    after = reading.replaced([(e[0], e[1], e[3]) for e in edits], change << SHIFT)
    return Recorded(deed, sources, after)
