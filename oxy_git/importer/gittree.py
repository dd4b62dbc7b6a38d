"""Ids of Git trees from trees of oxy (spec: git-bridge, GB25 to GB29).

A directory's id is noted on it, so only directories that changed are hashed. What our writing does
not reproduce, such as a mode with a leading zero, is found by its id and kept raw.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from oxy.errors import CorruptionError
from oxy.repo.tree import Child, Directory, Entry
from oxy_git.importer.content import git_mode
from oxy_git.reader.objects import OID, object_id

TREE_MODE = b"40000"


class TreeMismatchError(CorruptionError):
    """What oxy has at a path is not what the Git tree has."""

    def __init__(self, path: bytes, expected: bytes) -> None:
        super().__init__(
            f"the tree at '{path.decode('utf-8', 'backslashreplace')}' is not {expected.hex()}"
        )
        self.path = path
        self.expected = expected


class RawEntry(NamedTuple):
    """One entry of a Git tree as it is written."""

    mode: bytes
    name: bytes
    oid: bytes


def entries_of(raw: bytes) -> Iterator[RawEntry]:
    """Yield the entries of a raw tree."""
    at = 0
    while at < len(raw):
        space = raw.index(b" ", at)
        end = raw.index(b"\0", space) + 1
        yield RawEntry(raw[at:space], raw[space + 1 : end - 1], raw[end : end + OID])
        at = end + OID


def _sort_key(item: tuple[bytes, Child]) -> bytes:
    name, child = item
    return name + b"/" if isinstance(child, Directory) else name


def written(directory: Directory) -> bytes:
    """Return the Git tree of a directory whose subdirectories are marked with their ids."""
    parts = []
    for name, child in sorted(directory.entries.items(), key=_sort_key):
        if isinstance(child, Directory):
            parts.append(TREE_MODE + b" " + name + b"\0" + (child.mark or b""))
        else:
            parts.append(git_mode(child) + b" " + name + b"\0" + child.digest)
    return b"".join(parts)


class TreeIds:
    """Marks the changed directories of trees with their Git ids."""

    __slots__ = ("_fetch", "raw_trees")

    def __init__(self, fetch: Callable[[bytes], bytes]) -> None:
        self._fetch = fetch
        self.raw_trees = 0

    def mark(
        self, root: Directory, wanted: Mapping[bytes, bytes], root_id: bytes
    ) -> list[tuple[bytes, bytes]]:
        """Mark every directory; return (path, raw tree) of those that have to be kept.

        Args:
            root: the tree of a commit.
            wanted: the ids of the changed directories by path, as git tells them.
            root_id: the id of the commit's tree.

        Cost: the directories that are not marked.

        Raises:
            TreeMismatchError: a directory does not hold what the Git tree holds.
        """
        kept: list[tuple[bytes, bytes]] = []
        for path, directory in reversed(_unmarked(root)):
            data = written(directory)
            found = object_id(b"tree", data)
            expected = wanted.get(path) if path else root_id
            if expected is not None and found != expected:
                raw = self._fetch(expected)
                _compare(path, directory, raw, expected)
                self.raw_trees += 1
                kept.append((path, raw))
                found = expected
            directory.mark = found
        if root.mark != root_id:
            raise TreeMismatchError(b"", root_id)
        return sorted(kept)


def _unmarked(root: Directory) -> list[tuple[bytes, Directory]]:
    found = [(b"", root)] if root.mark is None else []
    for path, directory in found:
        for name, child in directory.entries.items():
            if isinstance(child, Directory) and child.mark is None:
                found.append((path + b"/" + name if path else name, child))
    return found


def _compare(path: bytes, directory: Directory, raw: bytes, expected: bytes) -> None:
    """Prove that a raw tree that is written oddly holds what a directory holds."""
    theirs = {entry.name: entry for entry in entries_of(raw)}
    ours = directory.entries
    if theirs.keys() != ours.keys():
        raise TreeMismatchError(path, expected)
    for name, child in ours.items():
        if not _alike(child, theirs[name]):
            raise TreeMismatchError(path + b"/" + name if path else name, expected)


def _alike(child: Child, entry: RawEntry) -> bool:
    mode = int(entry.mode, 8)
    if isinstance(child, Directory):
        return mode == int(TREE_MODE, 8) and child.mark == entry.oid
    kind = int(git_mode(child), 8)
    same_mode = mode >> 12 == kind >> 12 and (mode & 0o100 == kind & 0o100 or mode >> 12 != 8)  # noqa: PLR2004 - S_IFREG
    return same_mode and child.digest == entry.oid


def marked_entry(entry: Entry, oid: bytes) -> Entry:
    """Return a file of a tree with its Git id in place of a digest."""
    return entry._replace(digest=oid)
