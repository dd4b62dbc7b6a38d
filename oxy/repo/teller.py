"""What the graph of one node asks of the world outside (spec: graph; conflicts, C10)."""

from __future__ import annotations

from oxy.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyroaring import BitMap

    from oxy.graph.text import Span
    from oxy.repo.states import States


class Teller:
    """Tells the graph of one node what it asks (oxy.graph.lore).

    Args:
        states: the states of changes.
        rank: returns the id of a change.
        text: returns the bytes of lines of the node.
    """

    __slots__ = ("_states", "rank", "text")

    def __init__(
        self,
        states: States,
        rank: Callable[[int], bytes],
        text: Callable[[tuple[Span, ...]], bytes],
    ) -> None:
        self._states = states
        self.rank = rank
        self.text = text

    def knows(self, change: int, state: BitMap) -> BitMap:
        """See Lore."""
        return self._states.knows(change, state)
