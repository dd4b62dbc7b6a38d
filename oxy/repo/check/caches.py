"""What the caches hold is what would be worked out without them (spec: checkpoints, CP6)."""

from collections.abc import Iterator
from oxy.typed import Final

from pyroaring import BitMap

from oxy.errors import CorruptionError
from oxy.progress import Progress
from oxy.repo.cache import TREE
from oxy.repo.check.finding import CACHE, Finding
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import EMPTY, Directory, Entry, files, load, row_key, sealed
from oxy.repo.trees import kept_trees, moved
from oxy.store.protocol import CHANGE

_TOGETHER: Final = 64
"""Trees that are worked out from one commit, which other processes wait for."""


def check_trees(repository: Repository, progress: Progress) -> Iterator[Finding]:
    """Yield which kept trees are wrong; what a cache has lost is not wrong.

    Cost: a digest of each directory that is kept, and what differs from one kept state to the
    next; the files of each state where a directory is not what its key says.
    """
    kept = list(kept_trees(repository))
    are_whole = all(row_key(row) == key for key, row in repository.cache.rows(TREE))
    check = _Check(repository, are_whole=are_whole)
    for start in range(0, len(kept), _TOGETHER):
        found: list[Finding] = []
        with repository.store.snapshot():
            for done, (name, saved) in enumerate(kept[start : start + _TOGETHER], start + 1):
                progress.update(done, len(kept), "kept trees")
                found += check.tree(name, saved)
        yield from found


class _Check:
    """Works out one tree after the other, each from the one before."""

    __slots__ = ("_are_whole", "_repository", "_root", "_state")

    def __init__(self, repository: Repository, *, are_whole: bool) -> None:
        self._repository = repository
        self._are_whole = are_whole
        self._root = EMPTY
        self._state = BitMap()

    def tree(self, name: Name, saved: bytes) -> Iterator[Finding]:
        """Yield what is wrong with the tree that is kept of a state."""
        repository = self._repository
        try:
            members = repository.states.members(name)
            self._root = moved(repository, self._root, self._state, members)
            self._state = members
        except CorruptionError as error:
            yield Finding(CACHE, f"{_called(repository, name)} cannot be checked: {error}")
            return
        if self._are_whole and sealed(self._root)[0] == saved:
            return
        if not _is_same(repository, saved, self._root):
            yield Finding(CACHE, f"{_called(repository, name)} is wrong")


def _is_same(repository: Repository, saved: bytes, root: Directory) -> bool:
    return _listed(load(saved, repository.cache, lambda: root)) == _listed(root)


def _listed(root: Directory) -> list[tuple[bytes, Entry]]:
    return [(path, entry._replace(digest=b"")) for path, entry in files(root)]


def _called(repository: Repository, name: Name) -> str:
    heads = sorted(head.hex() for head in repository.store.ids_of(CHANGE, name.heads))
    return f"the kept tree of state {' '.join(heads) or '(empty)'}"
