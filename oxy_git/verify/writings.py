"""Ids of the directories of a tree that does not come from its parents' (spec: GB58).

How a directory is written is kept with the change that wrote it so, and with one that went back
to how oxy writes. Which of them counts is told by the trees of the parents, and where these are
not worked out, by the id that the commit has: the ways are tried, the newest first.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations, islice
from typing import Final, NamedTuple

from oxy.repo.tree import Directory, subtree
from oxy_git.reader.trees import RawTree, reopened, tree_id
from oxy_git.verify.hashing import Hasher

TRIES: Final = 1000
"""Ways of writing a tree that are tried."""


class Writings(NamedTuple):
    """The trees that changes keep: the newest of each path, and all by their ids."""

    newest: dict[bytes, bytes]
    by_id: dict[bytes, bytes]


def writings_of(kept: Iterable[Iterable[RawTree]]) -> Writings:
    """Return what changes keep, the oldest first."""
    found = Writings({}, {})
    for trees in kept:
        first: dict[bytes, bytes] = {}
        for path, raw in trees:
            first.setdefault(path, raw)
            found.by_id[tree_id(raw)] = raw
        found.newest.update(first)
    return found


def marked(hasher: Hasher, root: Directory, wanted: bytes, kept: Writings) -> Directory:
    """Return a tree with every directory in it marked, and with the wanted id if that can be.

    Args:
        hasher: hashes directories.
        root: the tree; marks in it count where nothing is kept.
        wanted: the id that it should have.
        kept: what the changes beneath it keep.

    Cost: the directories that are not marked, those that something is kept of, and all above.
    """
    paths = [path for path in kept.newest if isinstance(subtree(root, path), Directory)]
    if not paths:
        return hasher.mark(root, ())
    opened = _with_those_above(paths)
    tree = root
    for plain in islice(_choices(paths), TRIES):
        tree = reopened(root, opened)
        newest = {path: kept.newest[path] for path in paths if path not in plain}
        hasher.mark_as(tree, newest, kept.by_id)
        if tree.mark == wanted:
            break
    return tree


def _choices(paths: Collection[bytes]) -> Iterator[frozenset[bytes]]:
    """Yield which paths may be written as oxy writes: none, all, then the fewest first."""
    yield frozenset()
    yield frozenset(paths)
    for count in range(1, len(paths)):
        yield from map(frozenset, combinations(sorted(paths), count))


def _with_those_above(paths: Iterable[bytes]) -> set[bytes]:
    found = {b""}
    for path in paths:
        at = path
        while at and at not in found:
            found.add(at)
            at = at.rpartition(b"/")[0]
    return found
