"""The tree of each commit from that of its first parent (spec: git-bridge, GB29, GB30).

Only what a commit's state has beyond its first parent's can differ. What one side alone
touched is as that side has it; what several touched, or the commit itself, is worked out from
its graph.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from pyroaring import BitMap

from oxy.model.operation import KIND_TEXT
from oxy.repo.registers import View
from oxy.repo.repository import Repository
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.repo.tree import Directory, Entry, edited, get, subtree
from oxy_git.reader.trees import TreeMismatchError
from oxy_git.verify.rendering import Renderer
from oxy_git.verify.workers import Answers

NO_ANSWERS: Final[Answers] = {}
CHANGES: Final = 50_000
"""Changes of which it is remembered what they touch."""


class Plan(NamedTuple):
    """What may differ between a state and that of the tree it is worked out from.

    Attributes:
        state: the state whose tree is wanted.
        sides: the states of the trees that are known, the one to begin with first.
        own: nodes that are worked out.
        several: more of those, which more than one side touched.
        taken: for each side after the first, the nodes that it alone may have touched.
        is_recorded: whether the state is that of a change which was recorded on the only side.
    """

    state: BitMap
    sides: Sequence[BitMap]
    own: Collection[int]
    several: set[int]
    taken: Sequence[set[int]]
    is_recorded: bool


class Replayed(NamedTuple):
    """A tree, and the paths of the files in it that were worked out."""

    tree: Directory
    paths: list[bytes]


class Replayer:
    """Makes trees."""

    __slots__ = ("_nodes_of", "_renderer", "_repository")

    def __init__(self, repository: Repository, renderer: Renderer) -> None:
        self._repository = repository
        self._renderer = renderer
        self._nodes_of: dict[int, tuple[int, ...]] = {}

    def plan(self, change: int, state: BitMap, sides: Sequence[BitMap]) -> Plan:
        """Plan the tree of a change's state from those of its parents, the first of them first.

        Cost: the nodes that the other sides or the change touched.
        """
        sides = sides or [BitMap()]
        own = set(self._nodes(change))
        taken: list[set[int]] = []
        seen: set[int] = set()
        several: set[int] = set()
        known = sides[0]
        for side in sides[1:]:
            touched = self._touched(side - known) - own
            disputed = touched & (self._touched(known - side) | seen)
            several |= disputed
            seen |= touched
            taken.append(touched)
            known = known | side
        taken = [nodes - several for nodes in taken]
        return Plan(state, sides, own, several, taken, is_recorded=len(sides) == 1)

    def leap(self, state: BitMap, known: BitMap) -> Plan:
        """Plan the tree of a state from that of any other. Cost: the nodes that may differ."""
        own = self._touched(state ^ known)
        return Plan(state, [known], own, set(), (), is_recorded=False)

    def tree(
        self, plan: Plan, trees: Sequence[Directory], answers: Answers = NO_ANSWERS
    ) -> Replayed:
        """Return a tree.

        Args:
            plan: what it is worked out of.
            trees: the trees of its sides.
            answers: what is known already of its nodes.

        Raises:
            TreeMismatchError: a file is in conflict, or two are at one path.
        """
        entries, several = self._entries(plan, trees)
        gone: dict[bytes, int] = {}
        placed: list[tuple[bytes, Entry]] = []
        paths: list[bytes] = []
        for node in sorted({*entries, *several, *plan.own}):
            old = self._renderer.view(node, plan.sides[0])
            if old.path is not None:
                gone[old.path] = node
            seen = self._renderer.view(node, plan.state)
            if seen.path is None:
                continue
            entry = entries.get(node)
            if entry is None:
                entry = self._entry(plan, node, old, seen, answers)
                paths.append(seen.path)
            placed.append((seen.path, entry))
        return Replayed(_put(trees[0], gone, placed), paths)

    def _entries(
        self, plan: Plan, trees: Sequence[Directory]
    ) -> tuple[dict[int, Entry], set[int]]:
        """Return what one other side alone touched, as it has it, and what several touched."""
        entries: dict[int, Entry] = {}
        several = set(plan.several)
        for side, tree, nodes in zip(plan.sides[1:], trees[1:], plan.taken, strict=True):
            for node in nodes:
                entry = self._entry_in(side, tree, node)
                if entry is None:
                    several.add(node)
                else:
                    entries[node] = entry
        return entries, several

    def _entry(self, plan: Plan, node: int, old: View, seen: View, answers: Answers) -> Entry:
        if node in answers:
            oid = answers[node]
        else:
            is_proven = plan.is_recorded and node in plan.own and old.kind == KIND_TEXT
            oid = self._renderer.digest(node, plan.state, seen, is_proven=is_proven)
        if oid is None:
            raise TreeMismatchError(seen.path or b"")
        return Entry(node, seen.kind, seen.mode, b"", digest=oid)

    def _entry_in(self, side: BitMap, tree: Directory, node: int) -> Entry | None:
        path = self._renderer.view(node, side).path
        entry = get(tree, path) if path is not None else None
        return entry if entry is not None and entry.node == node else None

    def _touched(self, changes: Iterable[int]) -> set[int]:
        return {node for change in changes for node in self._nodes(change)}

    def _nodes(self, change: int) -> tuple[int, ...]:
        found = self._nodes_of.get(change)
        if found is None:
            row = self._repository.store.row(CHANGED, key(change)) or b""
            if len(self._nodes_of) >= CHANGES:
                self._nodes_of.clear()
            found = self._nodes_of[change] = unpack_numbers(row)
        return found


def _put(
    tree: Directory, gone: dict[bytes, int], placed: list[tuple[bytes, Entry]]
) -> Directory:
    """Return a tree with nodes taken from where they were and put where they are."""
    changes: dict[bytes, Entry | None] = dict.fromkeys(gone)
    for path, entry in placed:
        if changes.get(path) is not None:
            raise TreeMismatchError(path)
        changes[path] = entry
    # What stays as it was costs no new directories, and a directory kept raw stays known.
    changes = {p: e for p, e in changes.items() if e is None or get(tree, p) != e}
    put = edited(tree, changes) if changes else tree
    moved = set(gone.values()) | {entry.node for _, entry in placed}
    for path, wanted in changes.items():
        there = subtree(tree, path)
        is_lost = isinstance(there, Entry) and there.node not in moved
        if wanted is not None and (is_lost or get(put, path) is not wanted):
            raise TreeMismatchError(path)
    return put
