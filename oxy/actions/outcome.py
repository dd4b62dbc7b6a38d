"""What one state has that another has not: changes, authors, files, conflicts (spec: S8).

What merging, picking, unrecording and reverting tell, before or after they are done.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple, TypeAlias, overload

from pyroaring import BitMap

from oxy.actions.conflicts import kinds_of
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Directory, Entry, differences, disputed, files
from oxy.repo.trees import tree_of

_Slice: TypeAlias = "slice[int | None, int | None, int | None]"


class Author(NamedTuple):
    """Somebody, and how many of the changes are theirs."""

    name: bytes
    changes: int


class FileChange(NamedTuple):
    """A file that differs: where it is, how it differs, and where it was if it moved."""

    path: bytes
    kind: str
    source: bytes | None = None


class Conflict(NamedTuple):
    """A file in conflict, and what of it is, by name."""

    path: bytes
    kinds: tuple[str, ...]


class Outcome(NamedTuple):
    """What differs between two states: how many changes came and went, whose, and where.

    The conflicts are all of the second state's.
    """

    came: int
    went: int
    authors: tuple[Author, ...]
    files: Sequence[FileChange]
    conflicts: tuple[Conflict, ...]


class Additions(Sequence[FileChange]):
    """All files of a tree, where there were none: not held, for they may be many."""

    __slots__ = ("_tree",)

    def __init__(self, tree: Directory) -> None:
        self._tree = tree

    def __len__(self) -> int:
        """Return how many there are. Cost: counts them."""
        return sum(1 for _ in files(self._tree))

    @overload
    def __getitem__(self, at: int) -> FileChange: ...

    @overload
    def __getitem__(self, at: "_Slice") -> tuple[FileChange, ...]: ...

    def __getitem__(self, at: "int | _Slice") -> FileChange | tuple[FileChange, ...]:
        """Return some of them. Cost: goes through all."""
        return tuple(self)[at]

    def __iter__(self) -> Iterator[FileChange]:
        """Yield them by path."""
        return (FileChange(path, "added") for path, _ in files(self._tree))


def outcome(repository: Repository, before: Name, after: Name) -> Outcome:
    """Return what differs.

    Cost: a header for each change that only one of them has, and the files that differ or are
    in conflict.
    """
    members = repository.states.members
    old, new = members(before), members(after)
    with repository.store.snapshot():
        tree = tree_of(repository, after)
        root = tree_of(repository, before)
        return Outcome(
            len(new - old),
            len(old - new),
            _authors(repository, old ^ new),
            _files(list(differences(root, tree))) if root.entries else Additions(tree),
            conflicts_in(tree),
        )


def conflicts_in(tree: Directory) -> tuple[Conflict, ...]:
    """Return the files in conflict. Cost: the directories that hold some."""
    return tuple(Conflict(path, kinds_of(entry)) for path, entry in disputed(tree))


def _authors(repository: Repository, changes: BitMap) -> tuple[Author, ...]:
    counted = Counter(header.author for _, header in repository.headers(list(changes)))
    return tuple(
        Author(name, count)
        for name, count in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    )


_Difference = tuple[bytes, Entry | None, Entry | None]


def _files(found: list[_Difference]) -> tuple[FileChange, ...]:
    """Return how files differ; a node that is at another path has moved."""
    gone = {old.node: path for path, old, _ in found if old is not None}
    there = {new.node for _, _, new in found if new is not None}
    files = []
    for path, old, new in found:
        if new is None:
            if old is not None and old.node not in there:
                files.append(FileChange(path, "deleted"))
        elif old is not None and old.node == new.node:
            files.append(FileChange(path, "modified" if old.kind == new.kind else "kind"))
        elif new.node in gone:
            files.append(FileChange(path, "renamed", gone[new.node]))
        else:
            files.append(FileChange(path, "added" if old is None else "modified"))
    return tuple(files)
