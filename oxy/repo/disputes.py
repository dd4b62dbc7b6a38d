"""Whether the lines of a text are in conflict in a state (spec: checkpoints, CP26).

That takes a look at its graph, but only where changes to it were made that did not know each
other.
"""

from collections.abc import Sequence
from oxy.typed import Final

from pyroaring import BitMap

from oxy.model.operation import KIND_TEXT
from oxy.repo.nodes import Nodes
from oxy.repo.tree import DISPUTED_TEXT, Entry

CHAIN: Final = 64
"""Changes to a text above which its graph is looked at rather than their contexts."""


class Moves:
    """What happens to one node between two states.

    Args:
        nodes: the nodes of the repository.
        node: the node.
        old: a state.
        new: another.
        changes: those that touch the node and that only one of them has; those that only `old`
            has by their negative numbers.
        is_clean: whether no text of the new state is in conflict, which is not proven.
    """

    __slots__ = ("_is_clean", "_nodes", "_touching", "changes", "new", "node", "old")

    def __init__(
        self,
        nodes: Nodes,
        node: int,
        old: BitMap,
        new: BitMap,
        changes: Sequence[int],
        *,
        is_clean: bool = False,
    ) -> None:
        self._is_clean = is_clean
        self._nodes = nodes
        self.node = node
        self.old = old
        self.new = new
        self.changes = changes
        self._touching: BitMap | None = None

    @property
    def touching(self) -> BitMap:
        """Every change that touches the node. Cost: a row for each, once."""
        if self._touching is None:
            self._touching = BitMap([change for change, _ in self._nodes.touching(self.node)])
        return self._touching

    @property
    def every(self) -> list[int]:
        """The changes in the new state that touch the node. Cost: a row for each, once."""
        if not self.old:
            return sorted(self.changes)
        return list(self.touching & self.new)

    def is_text_disputed(self, held: Entry | None) -> bool:
        """Return whether the new state reads the lines of the text in more than one way.

        Where every change was recorded on exactly what there was of the text before it, the
        text reads as it was recorded, and on a clean one only a clean one is recorded. One that
        stands in for another was recorded on another state than it says.

        Args:
            held: the text in the tree of the old state, if it shows there at its path.

        Cost: the states of the changes; else the graph.
        """
        if self._is_clean:
            return False
        was_text = held is not None and held.kind == KIND_TEXT
        was_clean = held is not None and was_text and not held.disputed & DISPUTED_TEXT
        if was_clean and min(self.changes, default=1) > 0:
            is_chain = self._is_chain(self.old, sorted(self.changes))
        else:
            changes = self.every
            is_chain = len(changes) <= CHAIN and self._is_chain(BitMap(), changes)
        return not is_chain and bool(self._nodes.reading(self.node, self.new).conflicts)

    def _is_chain(self, before: BitMap, changes: Sequence[int]) -> bool:
        """Return whether each change was recorded on what was there of the text before it."""
        for at, change in enumerate(changes):
            if self._nodes.replacements.has(change):
                return False
            own = self._nodes.states.of_change(change)
            if not all(earlier in own for earlier in changes[:at]):
                return False
            if not before <= own <= self.new:
                there = (before & self.touching) | BitMap(changes[: at + 1])
                if own & self.touching != there:
                    return False
        return True
