"""What the caches hold is what would be worked out without them (spec: checkpoints, CP6)."""

from collections.abc import Iterator
from functools import partial

from pyroaring import BitMap

from oxy.errors import CorruptionError
from oxy.progress import Progress
from oxy.repo.cache import ROOT
from oxy.repo.check.finding import CACHE, Finding
from oxy.repo.refs import unpack_target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import EMPTY, Directory, files, load
from oxy.repo.trees import moved
from oxy.store.protocol import CHANGE


def check_trees(repository: Repository, progress: Progress) -> Iterator[Finding]:
    """Yield which kept trees are wrong; what a cache has lost is not wrong.

    Cost: the tree of each kept state, and what differs from one to the next.
    """
    kept = sorted(
        (unpack_target(key).state, saved) for key, saved in repository.cache.rows(ROOT)
    )
    root, state = EMPTY, BitMap()
    for done, (name, saved) in enumerate(kept, 1):
        progress.update(done, len(kept), "kept trees")
        try:
            members = repository.states.members(name)
            root, state = moved(repository, root, state, members), members
            kept_tree = load(saved, repository.cache, partial(_same, root))
            is_right = _listed(kept_tree) == _listed(root)
        except CorruptionError as error:
            yield Finding(CACHE, f"{_called(repository, name)} cannot be checked: {error}")
            continue
        if not is_right:
            yield Finding(CACHE, f"{_called(repository, name)} is wrong")


def _same(root: Directory) -> Directory:
    """Return the tree: what the cache has lost is as it would be worked out."""
    return root


def _listed(root: Directory) -> list[tuple[bytes, int, int, int, bytes]]:
    return [(path, *entry[:4]) for path, entry in files(root)]


def _called(repository: Repository, name: Name) -> str:
    heads = sorted(head.hex() for head in repository.store.ids_of(CHANGE, name.heads))
    return f"the kept tree of state {' '.join(heads) or '(empty)'}"
