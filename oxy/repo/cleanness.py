"""Whether a state reads a text cleanly, without looking at all of it (spec: conflicts, C34).

Where nobody ever disputed a line, a change that was recorded on a clean text leaves a clean
one. One that was recorded on a union may have left a conflict alone, and one that stands in for
another says the same words on another state, so these are looked at.
"""

from oxy.typed import Final

from pyroaring import BitMap

from oxy.graph.render import is_sole
from oxy.graph.text import TextGraph
from oxy.repo.replaced import Replacements
from oxy.repo.states import States

STEPS: Final = 32
"""How many changes back it is looked for one that is known to be clean."""


HEADS: Final = 8
"""Heads of a state whose common ground is looked for."""


def stand(states: States, graph: TextGraph, state: BitMap) -> None:
    """Find out whether what all heads of a state know reads in one way: a ground (G54).

    Args:
        states: the states of changes.
        graph: the text.
        state: the changes of the state that touch it.

    Cost: of the first call, the runs; above another ground, what came since.
    """
    common, left, heads = state, BitMap(state), 0
    while left and heads < HEADS:
        own = states.of_change(left.max())
        common = common & own
        left -= own
        heads += 1
    if not left and heads > 1 and common:
        is_sole(graph, common)


class Cleanness:
    """The changes that are known to leave a text clean, by its node."""

    __slots__ = ("_known", "_replacements", "_states")

    def __init__(self, replacements: Replacements, states: States) -> None:
        self._replacements = replacements
        self._states = states
        self._known: dict[int, set[int]] = {}

    def forget(self, node: int | None = None) -> None:
        """Forget what is known of one text, or of all."""
        if node is None:
            self._known.clear()
        else:
            self._known.pop(node, None)

    def is_clean(self, node: int, graph: TextGraph, state: BitMap) -> bool:
        """Tell whether a state surely reads a text cleanly.

        Args:
            node: the text.
            graph: its graph, in which nothing was ever disputed.
            state: the changes of the state that touch it.

        Cost: a few states of changes; where they do not tell, once for each change the runs.
        """
        known = self._known.setdefault(node, set())
        chain: list[int] = []
        left = BitMap(state)
        while left and len(chain) < STEPS:
            if graph.grounds.has(left):
                left = BitMap()
                break
            newest = left.max()
            if self._states.of_change(newest) & graph.touched != left:
                break
            if newest in known:
                left = BitMap()
                break
            chain.append(newest)
            if self._replacements.has(newest):
                break
            left.discard(newest)
        if not left:
            known.update(chain)
            return True
        if not chain or not is_sole(graph, state):
            return False
        known.add(chain[0])
        return True
