"""Ids of Git trees from trees of oxy (spec: git-bridge, GB17, GB31).

A directory's id is noted on it, so only directories that changed are hashed. What our writing
does not reproduce, such as a mode with a leading zero, is found by its id and kept raw.
"""

from collections.abc import Callable

from oxy.repo.tree import Directory
from oxy_git.reader.trees import (
    RawTree,
    TreeMismatchError,
    hidden,
    tree_id,
    unmarked,
    written,
)


def mark(
    root: Directory,
    wanted: Callable[[bytes], bytes | None],
    fetch: Callable[[bytes], bytes],
) -> list[RawTree]:
    """Mark every directory of a tree with its Git id; return the trees that have to be kept.

    Args:
        root: the tree of a commit.
        wanted: tells the id that Git has for a directory, by its path.
        fetch: reads a tree from Git.

    Cost: the directories that are not marked.

    Raises:
        TreeMismatchError: a directory does not hold what the Git tree holds.
    """
    kept: list[RawTree] = []

    def load(_: bytes, oid: bytes) -> bytes:
        return fetch(oid)

    for path, directory in reversed(unmarked(root)):
        data = written(directory)
        found = tree_id(data)
        expected = wanted(path)
        if expected is None:
            raise TreeMismatchError(path)
        if found != expected:
            raw = fetch(expected)
            kept += [(path, raw), *hidden(path, directory, raw, load)]
        directory.mark = expected
    return sorted(kept)
