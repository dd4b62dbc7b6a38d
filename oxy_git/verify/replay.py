"""The tree of each commit from that of its first parent (spec: git-bridge, GB29, GB30).

Only what a commit's state has beyond its first parent's can differ. What one side alone
touched is as that side has it; what several touched, or the commit itself, is worked out from
its graph.
"""

from collections.abc import Iterable
from typing import NamedTuple

from pyroaring import BitMap

from oxy.model.operation import KIND_TEXT
from oxy.repo.repository import Repository
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.repo.tree import Directory, Entry, edited, get, subtree
from oxy_git.reader.trees import TreeMismatchError
from oxy_git.verify.rendering import Renderer


class Side(NamedTuple):
    """A parent: its state and its tree."""

    state: BitMap
    tree: Directory


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

    def tree(self, change: int, state: BitMap, sides: list[Side]) -> Replayed:
        """Return the tree of a change's state.

        Args:
            change: the change.
            state: its state.
            sides: its parents, the first of them first.

        Cost: the nodes that the other sides or the change touched.

        Raises:
            TreeMismatchError: a file is in conflict, or two are at one path.
        """
        own = set(self._nodes(change))
        self._renderer.advance(change, own)
        entries, several = self._others(sides, own)
        first = sides[0]
        gone: dict[bytes, int] = {}
        placed: list[tuple[bytes, Entry]] = []
        paths: list[bytes] = []
        for node in sorted(entries.keys() | several | own):
            old = self._renderer.view(node, first.state)
            if old.path is not None:
                gone[old.path] = node
            seen = self._renderer.view(node, state)
            entry = entries.get(node)
            if seen.path is None:
                continue
            if entry is None:
                is_proven = node in own and len(sides) == 1 and old.kind == KIND_TEXT
                entry = self._renderer.entry(node, state, seen, is_proven=is_proven)
                paths.append(seen.path)
            if entry is None:
                raise TreeMismatchError(seen.path)
            placed.append((seen.path, entry))
        return Replayed(_put(first.tree, gone, placed), paths)

    def pass_over(self, change: int) -> None:
        """Go on to a change whose tree nobody asks for."""
        self._renderer.advance(change, self._nodes(change))

    def _others(self, sides: list[Side], own: set[int]) -> tuple[dict[int, Entry], set[int]]:
        """Return what one other side alone touched, as it has it, and what several touched."""
        entries: dict[int, Entry] = {}
        several: set[int] = set()
        known = sides[0].state
        for side in sides[1:]:
            extra = side.state - known
            ours = self._touched(known - side.state)
            for node in self._touched(extra) - own:
                entry = None if node in ours else self._entry_in(side, node)
                if entry is None or node in entries:
                    several.add(node)
                else:
                    entries[node] = entry
            known = known | side.state
        for node in several:
            entries.pop(node, None)
        return entries, several

    def _entry_in(self, side: Side, node: int) -> Entry | None:
        path = self._renderer.view(node, side.state).path
        entry = get(side.tree, path) if path is not None else None
        return entry if entry is not None and entry.node == node else None

    def _touched(self, changes: Iterable[int]) -> set[int]:
        return {node for change in changes for node in self._nodes(change)}

    def _nodes(self, change: int) -> tuple[int, ...]:
        found = self._nodes_of.get(change)
        if found is None:
            row = self._repository.store.row(CHANGED, key(change)) or b""
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
