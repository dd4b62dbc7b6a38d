"""The tree of the nodes that only one change ever touched (spec: checkpoints, CP27).

After a first commit that is the whole tree. Nothing is asked of a node but its rows, which are
read in order, and nothing is held but the tree.
"""

from __future__ import annotations

from oxy.typed import TYPE_CHECKING, NamedTuple

from pyroaring import BitMap

from oxy.repo.alone import made_alone
from oxy.repo.directories import MARK
from oxy.repo.keys import NONE
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.repo.tree import Directory, Entry

if TYPE_CHECKING:
    from oxy.repo.repository import Repository
    from oxy.repo.tree import Child


class Planted(NamedTuple):
    """A tree of some nodes of a state, and which other nodes its changes touch."""

    root: Directory
    rest: BitMap


def planted(repository: Repository, state: BitMap) -> Planted | None:
    """Return the tree of those nodes of a state that one change alone touches.

    No directory was ever moved. None where two things are at one path, or a name looks like
    that of one that lost its path: then who shows where is for `oxy.repo.claims` to say.
    Cost: the rows of all nodes; memory for the tree, and a bit a node.
    """
    touched = BitMap()
    for change in state:
        touched |= BitMap(unpack_numbers(repository.store.row(CHANGED, key(change)) or b""))
    if not touched:
        return None
    bed = Bed()
    versions: dict[int, bytes] = {}
    alone = BitMap()
    for node, made in made_alone(repository.store, touched.min(), touched.max()):
        change = made.change
        if change not in state:
            continue
        version = versions.get(change)
        if version is None:
            version = versions[change] = repository.keys.moved(NONE, change)
        if not bed.plant(made.place, Entry(node, made.kind, made.mode, version)):
            return None
        alone.add(node)
    return Planted(Directory(bed.root), touched - alone)


class Bed:
    """A tree that grows."""

    __slots__ = ("_directories", "root")

    def __init__(self) -> None:
        self.root: dict[bytes, Child] = {}
        self._directories = {b"": self.root}

    def plant(self, path: bytes, entry: Entry) -> bool:
        """Put a file at a path, or say that something is in its way."""
        above, _, name = path.rpartition(b"/")
        at = self._directories.get(above)
        if at is None:
            at = self._made(above)
        if at is None or name in at or MARK in name:
            return False
        at[name] = entry
        return True

    def _made(self, path: bytes) -> dict[bytes, Child] | None:
        """Return the directory at a path, or None if a file is there or above."""
        missing = []
        while path not in self._directories:
            missing.append(path)
            path = path.rpartition(b"/")[0]
        at = self._directories[path]
        for below in reversed(missing):
            name = below.rpartition(b"/")[2]
            if name in at:
                return None
            held: dict[bytes, Child] = {}
            at[name] = Directory(held)
            at = self._directories[below] = held
        return at
