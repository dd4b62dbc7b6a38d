"""What recording an edited text comes to (spec: graph, G17). Pure."""

from oxy.typed import NamedTuple

from oxy.graph.deed import Deed, Span
from oxy.graph.reading import Reading


class Source(NamedTuple):
    """Where inserted lines come from: the new text from a line on, or lines that moved."""

    size: int
    new: int | None
    moved: Span | None


class Recorded(NamedTuple):
    """What a change does, the lines that it inserts, and what its state reads then."""

    deed: Deed
    sources: tuple[Source, ...]
    reading: Reading
