"""What a state holds at a path: bytes and their digest (spec: working-copy)."""

from collections.abc import Iterable, Iterator, Sequence
from oxy.typed import Final

from blake3 import blake3
from pyroaring import BitMap

from oxy.model.operation import KIND_BINARY, BlobRef
from oxy.repo.alone import read_together, sole, soles
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.worktree.conflicted import content
from oxy.worktree.item import UNHASHED, Item

SMALL: Final = 1 << 20
"""Bytes of a file above which it is never held."""

ROOM: Final = 32 << 20
"""Bytes that are held where files are to be written."""


class Content:
    """Reads what one state holds.

    Args:
        repository: where it is.
        name: the state.
        room: how many bytes that were read for a digest are held until they are read: of a file
            that is to be written, first the digest is asked for.
    """

    __slots__ = ("_held", "_members", "_name", "_room", "repository")

    def __init__(self, repository: Repository, name: Name, room: int = 0) -> None:
        self.repository = repository
        self._name = name
        self._members: BitMap | None = None
        self._held: dict[int, bytes] = {}
        self._room = room

    @property
    def state(self) -> BitMap:
        """The changes of the state; not to be modified."""
        if self._members is None:
            self._members = self.repository.states.members(self._name)
        return self._members

    def opened_anew(self) -> "Content":
        """Return the same, read from a repository that another process may open."""
        return Content(Repository.at(self.repository.root), self._name, self._room)

    def foresee(self, items: Iterable[Item]) -> None:
        """Have the blobs of files brought together, where the repository is lazy.

        Raises: as `lacking.bring`.
        """
        if self.repository.is_lazy:
            from oxy.repo.foreseen import foreseen

            nodes = [item.node for item in items]
            self.repository.bring(foreseen(self.repository.nodes, nodes, self.state))

    def chunks(self, item: Item) -> Iterator[bytes]:
        """Yield the bytes of a file in pieces; of a symlink, where it points.

        The conflicts of a text have their markers.
        """
        held = self._held.pop(item.node, None)
        if held is None:
            return content(self.repository, item.node, self.state)
        self._room += len(held)
        return iter((held,))

    def each(self, items: Sequence[Item]) -> Iterator[tuple[Item, Iterator[bytes]]]:
        """Yield files, with digests where these are known, and the bytes of each in pieces.

        The pieces of one are taken before the next. Cost: a few queries for hundreds.
        """
        nodes = self.repository.nodes
        held = soles(nodes, [item.node for item in items], self.state)
        nodes.look_ahead(BitMap(nodes.gathered.changes()))
        alone = [held[item.node] for item in items if item.node in held]
        together = read_together(nodes, alone)
        for item in items:
            found = held.get(item.node)
            if found is None:
                yield item, self.chunks(item)
            else:
                yield item._replace(digest=found.digest or item.digest), next(together)

    def read(self, item: Item) -> bytes:
        """Return the bytes of a file; of a symlink, where it points."""
        return b"".join(self.chunks(item))

    def size(self, item: Item) -> int:
        """Return how many bytes there are. Cost: those of a text; else nothing."""
        if item.kind == KIND_BINARY:
            held = self.repository.nodes.view(item.node, self.state).content
            return held.length if isinstance(held, BlobRef) else len(self.read(item))
        return sum(map(len, self.chunks(item)))

    def digest(self, item: Item) -> bytes:
        """Return the digest of the bytes. Cost: reading them, where it is not known."""
        if item.digest != UNHASHED:
            return item.digest
        nodes = self.repository.nodes
        found = sole(nodes, item.node, self.state)
        if found is not None and found.digest is not None:
            return found.digest
        if found is None and item.kind == KIND_BINARY:
            held = nodes.view(item.node, self.state).content
            if isinstance(held, BlobRef):
                return held.id
        return self._hashed(item)

    def _hashed(self, item: Item) -> bytes:
        hasher, size = blake3(), 0
        pieces: list[bytes] = []
        for chunk in self.chunks(item):
            hasher.update(chunk)
            size += len(chunk)
            if size <= min(SMALL, self._room):
                pieces.append(chunk)
        if size <= min(SMALL, self._room):
            self._held[item.node] = b"".join(pieces)
            self._room -= size
        return hasher.digest()
