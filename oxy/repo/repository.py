"""The repository: a store and what its objects mean (spec: states, store).

Nothing here knows the working copy; nothing is printed; the time is told by the caller.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from oxy.typed import TYPE_CHECKING

from oxy.codec.decode import identify as identify_change
from oxy.codec.decode import read
from oxy.errors import StateError
from oxy.model.digest import blob_id
from oxy.repo.cache import Cache
from oxy.repo.headers import headers_of
from oxy.repo.keys import Keys
from oxy.repo.place import CONTROL, POINTER, Home, find, find_own, home
from oxy.repo.refs import Refs
from oxy.repo.reindexing import Reindexer
from oxy.repo.states import States
from oxy.store.file import FileStore
from oxy.store.protocol import BLOB, CHANGE, OPERATION, SIGNATURE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from oxy.model.change import Change, Header
    from oxy.model.operation import BlobRef
    from oxy.repo.kept import Kept
    from oxy.repo.nodes import Nodes
    from oxy.repo.states import Name
    from oxy.repo.tree import Directory
    from oxy.store.protocol import Durability, Store


class RepositoryExistsError(StateError):
    """There is a repository already."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"there is a repository already at {os.fsdecode(path)}")
        self.path = path


def identify(kind: int, payload: bytes) -> bytes | None:
    """Return the id that an object has by its bytes."""
    if kind == CHANGE:
        return identify_change(payload)
    if kind == BLOB:
        return blob_id(payload)
    if kind == OPERATION:
        from oxy.repo.operations import operation_id

        return operation_id(payload)
    if kind != SIGNATURE:
        return None
    from oxy.model.signature import signature_id

    return signature_id(payload)


class Repository:
    """A store, its states, its names and its nodes, seen from one of its working copies.

    `root` is the directory of that working copy, `control` the store's own.
    What knows of graphs is loaded when it is first asked for: names and headers need none.
    """

    __slots__ = (
        "_is_lazy",
        "_kept",
        "_nodes",
        "cache",
        "control",
        "keys",
        "refs",
        "root",
        "states",
        "store",
        "trees",
        "waiting",
        "workspace",
    )

    def __init__(self, root: bytes, store: Store, place: Home | None = None) -> None:
        self.root = root
        self.control, self.workspace = place or Home(os.path.join(root, CONTROL))
        self.store = store
        self.states = States(store)
        self.refs = Refs(store, self.workspace)
        self.cache = Cache(os.path.join(self.control, b"cache", b"checkpoints.db"))
        self.keys = Keys(store, self.cache)
        self.trees: dict[Name, tuple[Directory, int]] = {}
        """Trees that were asked for lately, and how far they are from kept ones."""
        self.waiting: list[Callable[[], None]] = []
        """What is kept in the cache when this is closed."""
        self._is_lazy: bool | None = None
        self._kept: Kept | None = None
        self._nodes: Nodes | None = None

    @property
    def kept(self) -> Kept:
        """The graphs that the cache keeps."""
        if self._kept is None:
            from oxy.repo.kept import Kept

            self._kept = Kept(self.store, self.cache)
        return self._kept

    @property
    def nodes(self) -> Nodes:
        """The nodes of the store."""
        if self._nodes is None:
            from oxy.repo.nodes import Nodes

            self._nodes = Nodes(self.store, self.states, self.kept)
            self._nodes.stock.bring = self.bring if self.is_lazy else None
        return self._nodes

    @property
    def is_lazy(self) -> bool:
        """Whether a remote has promised blobs that are lacked here (SY87)."""
        if self._is_lazy is None:
            self._is_lazy = self.refs.lender() is not None
        return self._is_lazy

    def bring(self, refs: Iterable[BlobRef]) -> None:
        """Have blobs brought that are not stored, where the repository is lazy.

        Raises: as `lacking.bring`.
        """
        if self.is_lazy:
            from oxy.repo.lacking import bring

            # What is another's is only read (SY43).
            bring(self, list(refs), may_write=self.root != os.devnull.encode())

    @classmethod
    def create(cls, root: bytes, durability: Durability = "safe") -> Repository:
        """Make an empty repository in a directory.

        Raises:
            RepositoryExistsError: there is one.
        """
        control = os.path.join(root, CONTROL)
        from oxy.repo.durable import put

        taken = (os.path.join(control, name) for name in (b"index.db", POINTER))
        if any(map(os.path.lexists, taken)):
            raise RepositoryExistsError(root)
        os.makedirs(control, exist_ok=True)
        put(os.path.join(control, b".gitignore"), b"*\n")
        store = FileStore.create(control, identify, durability=durability, reindex=Reindexer())
        return cls(root, store)

    @classmethod
    def at(cls, start: bytes) -> Repository:
        """Open the repository at or above a directory.

        Raises:
            NoRepositoryError: there is none.
            PointerError: it is a workspace whose store is not where it was.
        """
        root = find(start)
        place = home(root)
        store = FileStore.open(place.control, identify, reindex=Reindexer())
        return cls(root, store, place)

    @classmethod
    def in_memory(cls) -> Repository:
        """Return an empty repository that is kept nowhere; its cache finds nothing."""
        from oxy.store.memory import MemoryStore

        return cls(os.devnull.encode(), MemoryStore())

    def forget(self) -> None:
        """Drop what is remembered of changes: a transaction that held some was rolled back."""
        self.waiting.clear()
        self._is_lazy = None
        self.states.forget()
        if self._nodes is not None:
            self._nodes.forget()
        self.keys.forget()
        self.trees.clear()

    def close(self) -> None:
        """Close the files; what is worth keeping goes to the cache first."""
        if self._kept is not None:
            self._kept.write()
        while self.waiting:
            self.waiting.pop()()
        self.cache.close()
        self.store.close()

    def header(self, change: int) -> Header:
        """Return the header of a change."""
        return next(self.headers([change]))[1]

    def headers(self, changes: list[int]) -> Iterator[tuple[int, Header]]:
        """Yield (number, header) of many changes. Cost: two queries for many."""
        return ((change, header) for change, _, header in headers_of(self.store, changes))

    def change(self, number: int) -> Change:
        """Return a change."""
        return read(self.store.read(CHANGE, number))


@contextmanager
def opened(start: bytes) -> Iterator[Repository]:
    """Open the repository at or above a directory for the length of a `with` block.

    Raises:
        ForeignOwnerError: it belongs to another user; or as `Repository.at`.
    """
    repository = Repository.at(find_own(start))
    try:
        yield repository
    finally:
        repository.close()
