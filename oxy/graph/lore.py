"""What rendering a conflict asks of the world outside the graph (spec: conflicts). Pure."""

from oxy.typed import Protocol

from pyroaring import BitMap

from oxy.graph.deed import Span


class Lore(Protocol):
    """What rendering a conflict asks of the world outside the graph."""

    def knows(self, change: int, state: BitMap) -> BitMap:
        """Return the changes that one reaches through contexts and dependencies in a state."""

    def rank(self, change: int) -> bytes:
        """Return the id of a change; ids decide where nothing else does."""

    def text(self, spans: tuple[Span, ...]) -> bytes:
        """Return the bytes of lines."""
