"""Where a node stands in a state, and what of it is in conflict (spec: names, N10, N19, N38).

A deletion and a change of kind decide what they saw. What they did not see, because it was
recorded beside them, is shown and is a conflict until a write that saw both.
"""

from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.graph.lineset import LineSet
from oxy.graph.render import survivors
from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND,
    KIND_TEXT,
    MODE,
    PIN,
    PLACE,
    TARGET,
)
from oxy.repo.directories import Ways, moved_ever
from oxy.repo.nodes import Nodes
from oxy.repo.origin import is_imported
from oxy.repo.registers import CONTENT, Registers, View, Written, view
from oxy.repo.tree import (
    DELETED_EDITED,
    DISPUTED_CONTENT,
    DISPUTED_FINAL_LF,
    DISPUTED_KIND,
    DISPUTED_MODE,
    DISPUTED_PLACE,
)

_FLAGS: Final = {
    PLACE: DISPUTED_PLACE,
    MODE: DISPUTED_MODE,
    FINAL_LF: DISPUTED_FINAL_LF,
    KIND: DISPUTED_KIND,
}
_CONTENTS: Final = (BYTES, TARGET, PIN)


class Standing(NamedTuple):
    """A node in a state: its path is where it shows if it keeps it; flags as in a tree.

    Whether the lines of a text or its path are in conflict is not among the flags.
    """

    seen: View
    flags: int


def standing(
    nodes: Nodes,
    node: int,
    state: BitMap,
    registers: Registers | None = None,
    ways: Ways | None = None,
) -> Standing:
    """Return where a node stands.

    Args:
        nodes: the nodes of the repository.
        node: the node.
        state: the state.
        registers: the node's, if they are at hand.
        ways: where directories show in the state, if that is at hand.

    Cost: as `placed` has; without `ways` the directories that were ever moved.
    """
    seen, flags = placed(nodes, node, state, registers)
    if seen.path is None:
        return Standing(seen, flags)
    ways = ways or ways_of(nodes, state)
    return Standing(seen._replace(path=ways.path(seen.path)), flags | ways.flags(seen.path))


def placed(
    nodes: Nodes, node: int, state: BitMap, registers: Registers | None = None
) -> Standing:
    """Return where a node stands, its place for a path.

    Cost: its register writes; where it is deleted or its kind was written, a row for each
    change that touches it; its graph only where one of them did not see the other.
    """
    registers = registers or nodes.registers(node)
    seen = view(registers, registers.created, state, nodes.rank)
    flags = 0
    for register in seen.disputed:
        flags |= _FLAGS.get(register, DISPUTED_CONTENT)
    looker = _Looker(nodes, node, state, registers, seen.kind)
    if seen.path is None:
        path = looker.other_place()
        if path is None and looker.is_edited_beside(PLACE):
            path, flags = looker.last_place(), flags | DELETED_EDITED
        seen = seen._replace(path=path)
    if any(write.register == KIND for write in registers.writes) and looker.is_of_two_kinds():
        flags |= DISPUTED_KIND
    return Standing(seen, flags)


def ways_of(nodes: Nodes, state: BitMap) -> Ways:
    """Return where directories show in a state. Cost: those that were ever moved."""
    return Ways(moved_ever(nodes.reader), state, nodes.rank)


class _Looker:
    """Looks at what the writes of one node in a state knew of each other."""

    __slots__ = ("_kind", "_node", "_nodes", "_registers", "_state", "_touching")

    def __init__(
        self, nodes: Nodes, node: int, state: BitMap, registers: Registers, kind: int
    ) -> None:
        self._nodes = nodes
        self._node = node
        self._state = state
        self._registers = registers
        self._kind = kind
        self._touching: BitMap | None = None

    def other_place(self) -> bytes | None:
        """Return the place that shows where the node is deleted and has another place too.

        Where Git commits alone disagree, a merge of them decided and says nothing of it.
        """
        values = self._registers.values(PLACE, self._state)
        placed = [value for value in values if value.value is not None]
        reader, writers = self._nodes.reader, [c for value in values for c in value.changes]
        if not placed or all(is_imported(reader, change) for change in writers):
            return None
        rank = self._nodes.rank
        held = min(placed, key=lambda value: min(map(rank, value.changes))).value
        return held if isinstance(held, bytes) else None

    def last_place(self) -> bytes | None:
        """Return the place that the deletions replaced, of several that of the smallest id."""
        writes = {
            write.change: write
            for write in self._registers.writes
            if write.register == PLACE and write.change in self._state
        }
        found: list[Written] = []
        work = list(self._registers.live_writes(PLACE, self._state))
        while work:
            write = writes.pop(work.pop(), None)
            if write is not None and write.value is None:
                work += write.replaces
            elif write is not None:
                found.append(write)
        if not found:
            return None
        held = min(found, key=lambda write: self._nodes.rank(write.change)).value
        return held if isinstance(held, bytes) else None

    def is_edited_beside(self, register: int) -> bool:
        """Return whether content lives that no live write of a register saw."""
        unseen = self._unseen(register)
        if not unseen:
            return False
        if self._kind == KIND_TEXT:
            return self._has_lines()
        return self._is_written(CONTENT[self._kind], unseen)

    def is_of_two_kinds(self) -> bool:
        """Return whether content of another kind lives that no live write of the kind saw."""
        unseen = self._unseen(KIND)
        if not unseen:
            return False
        own = CONTENT.get(self._kind)
        others = [register for register in _CONTENTS if register != own]
        if any(self._is_written(register, unseen) for register in others):
            return True
        return self._kind != KIND_TEXT and self._has_unseen_lines(KIND)

    def _unseen(self, register: int) -> BitMap:
        """Return the changes that touch the node and that no live write of a register knew."""
        deciding = self._registers.live_writes(register, self._state)
        if not deciding:
            return BitMap()
        if self._touching is None:
            touching = BitMap([change for change, _ in self._nodes.touching(self._node)])
            self._touching = touching & self._state
        unseen = self._touching
        for change in deciding:
            unseen = unseen - self._nodes.states.of_change(change)
        return unseen

    def _is_written(self, register: int, changes: BitMap) -> bool:
        live = self._registers.live_writes(register, self._state)
        return any(change in changes for change in live)

    def _has_lines(self) -> bool:
        graph = self._nodes.graph(self._node)
        return bool(survivors(graph, self._state).starts)

    def _has_unseen_lines(self, register: int) -> bool:
        """Return whether lines live that lived in no state of a live write of a register.

        A merge of Git commits may leave lines beneath another kind.
        """
        graph, states = self._nodes.graph(self._node), self._nodes.states
        left = tuple(survivors(graph, self._state).spans())
        for change in self._registers.live_writes(register, self._state):
            seen = survivors(graph, states.of_change(change))
            left = LineSet(seen.spans()).without(left)
        return bool(left)
