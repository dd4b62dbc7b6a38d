"""Ids of the directories of a tree, with trees that were kept raw (spec: GB17, GB30)."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import TypeAlias

from oxy.repo.tree import Directory, subtree
from oxy_git.reader.trees import (
    RawTree,
    TreeMismatchError,
    hidden,
    reopened,
    tree_id,
    unmarked,
    written,
)

Keep: TypeAlias = Callable[[bytes, bytes, bytes], None]
"""Takes a path, and the id and bytes of the tree that is there just now."""


class Hasher:
    """Marks directories with their ids, and counts them.

    Args:
        keep: is given every tree that is worked out.
        lacking: the ids of blobs that were missing when they were to be imported.
    """

    __slots__ = ("_keep", "_lacking", "raw_trees", "trees")

    def __init__(self, keep: Keep | None = None, lacking: Collection[bytes] = ()) -> None:
        self._keep = keep
        self._lacking = lacking
        self.trees = 0
        self.raw_trees = 0

    def mark(self, root: Directory, kept: Iterable[RawTree]) -> Directory:
        """Return a tree with every directory in it marked; some may have been made anew.

        A kept tree says how a directory is written; what it holds is compared with what the
        directory has, every id included.

        Cost: the directories that are not marked.

        Raises:
            TreeMismatchError: a kept tree does not hold what the directory at its path does.
        """
        raws: dict[bytes, list[bytes]] = {}
        for path, raw in kept:
            raws.setdefault(path, []).append(raw)

        def load(path: bytes, oid: bytes) -> bytes:
            for raw in raws.get(path, ()):
                if tree_id(raw) == oid:
                    return raw
            raise TreeMismatchError(path)

        root = reopened(root, _anew(root, raws))
        directories = unmarked(root)
        for path, directory in reversed(directories):
            data = raws[path][0] if path in raws else written(directory)
            if path in raws:
                self.raw_trees += 1
                hidden(path, directory, data, load, self._lacking)
            directory.mark = tree_id(data)
            if self._keep is not None:
                self._keep(path, directory.mark, data)
        self.trees += len(directories)
        return root

    def mark_as(
        self, root: Directory, written_as: Mapping[bytes, bytes], known: Mapping[bytes, bytes]
    ) -> None:
        """Mark every directory of a tree, those at some paths as they may have been written.

        Args:
            root: the tree.
            written_as: raw trees by path; one counts where it holds what is there.
            known: raw trees by their ids, of what shows nothing.

        Cost: the directories that are not marked.
        """

        def load(path: bytes, oid: bytes) -> bytes:
            if oid not in known:
                raise TreeMismatchError(path)
            return known[oid]

        for path, directory in reversed(unmarked(root)):
            data = written(directory)
            raw = written_as.get(path)
            if raw is not None:
                with suppress(TreeMismatchError):
                    hidden(path, directory, raw, load, self._lacking)
                    data = raw
                    self.raw_trees += 1
            directory.mark = tree_id(data)
            self.trees += 1


def _anew(root: Directory, raws: Mapping[bytes, list[bytes]]) -> set[bytes]:
    """Return the directories whose mark is of before, since they are written in another way."""
    found: set[bytes] = set()
    for path, (raw, *_) in raws.items():
        at, directory = path, subtree(root, path)
        if isinstance(directory, Directory) and directory.mark not in (None, tree_id(raw)):
            found |= {b"", path}
            while at := at.rpartition(b"/")[0]:
                found.add(at)
    return found
