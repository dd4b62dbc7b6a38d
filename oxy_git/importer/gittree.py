"""Ids of Git trees from trees of oxy (spec: git-bridge, GB17, GB31).

A directory's id is noted on it, so only directories that changed are hashed. What our writing
does not reproduce, such as a mode with a leading zero, is found by its id and kept raw.
"""

from collections.abc import Callable, Collection, Mapping

from oxy.repo.tree import Directory, subtree
from oxy_git.importer.rawtrees import RawTrees
from oxy_git.reader.trees import (
    RawTree,
    TreeMismatchError,
    hidden,
    reopened,
    unmarked,
    unshown,
)


def mark(
    root: Directory,
    ids: Mapping[bytes, bytes],
    first: Directory,
    fetch: Callable[[bytes], bytes],
    lacking: Collection[bytes] = (),
    known: RawTrees | None = None,
) -> tuple[Directory, list[RawTree]]:
    """Mark every directory of a tree with its Git id.

    Args:
        root: the tree of a commit.
        ids: the ids of the directories, by path, that are not as the first parent has them.
        first: the tree of the first parent.
        fetch: reads a tree from Git.
        lacking: the ids of blobs that are missing.
        known: the trees that were written last, to be used again.

    Returns:
        The tree, in which directories may have been made anew, and the trees that have to be
        kept: those that are written in another way than oxy writes them, or than before.

    Cost: the directories that are not marked.

    Raises:
        TreeMismatchError: a directory does not hold what the Git tree holds.
    """
    kept: list[RawTree] = []
    known = known or RawTrees()

    def load(_: bytes, oid: bytes) -> bytes:
        return fetch(oid)

    anew = {path for path, oid in ids.items() if _mark_at(root, path) not in (None, oid)}
    root = reopened(root, anew)
    for path, directory in reversed(unmarked(root)):
        found = subtree(first, path)
        old = found if isinstance(found, Directory) else None
        expected = ids.get(path) or (None if old is None else old.mark)
        if expected is None:
            raise TreeMismatchError(path)
        if path in anew or not known.is_written_as(directory, old, expected):
            raw = fetch(expected)
            kept += [(path, raw), *hidden(path, directory, raw, load, lacking)]
        directory.mark = expected
    return root, sorted(kept)


def _mark_at(root: Directory, path: bytes) -> bytes | None:
    found = subtree(root, path)
    return found.mark if isinstance(found, Directory) else None


def withheld(
    root: Directory, kept: list[RawTree], first: Directory, fetch: Callable[[bytes], bytes]
) -> list[bytes]:
    """Return the ids of blobs that trees kept raw name and no tree of oxy shows, ascending.

    Those that the first parent has likewise there are left out: they were kept then.

    Args:
        root: the tree of a commit, marked.
        kept: its trees that are kept raw.
        first: the tree of the first parent.
        fetch: reads a tree from Git.
    """
    found: set[bytes] = set()
    for path, raw in kept:
        directory = subtree(root, path)
        if not isinstance(directory, Directory):
            continue  # it is found from the directory above that shows
        blobs = unshown(directory, raw, fetch)
        old = _nearest(first, path) if blobs else None
        if old is not None and old.mark is not None:
            blobs -= unshown(old, fetch(old.mark), fetch)
        found |= blobs
    return sorted(found)


def _nearest(root: Directory, path: bytes) -> Directory:
    """Return the directory at a path, or the next above it that there is."""
    while not isinstance(found := subtree(root, path), Directory):
        path = path.rpartition(b"/")[0]
    return found
