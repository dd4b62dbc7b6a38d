"""The tree and the manifest after a first commit, made as they are, not by edits (spec: CP4).

What was recorded may be many files: each is looked at once, and nothing is held beside what is
kept.
"""

from collections.abc import Iterable, Sequence

from oxy.repo.keys import NONE
from oxy.repo.planting import Bed
from oxy.repo.repository import Repository
from oxy.repo.tree import Directory, Entry
from oxy.worktree.item import Item
from oxy.worktree.row import Entry as Known
from oxy.worktree.row import Row
from oxy.worktree.snapshot import Changed


def is_first(tree: Directory, changes: Sequence[Changed]) -> bool:
    """Return whether all that is recorded is new, on a state that holds nothing."""
    return not tree.entries and all(
        change.item is None and change.record is not None for change in changes
    )


def first_tree(
    repository: Repository, number: int, held: Iterable[tuple[bytes, Item]]
) -> Directory:
    """Return the tree of a state with one change, from what that put at each path."""
    version = repository.keys.moved(NONE, number)
    bed = Bed()
    for path, item in held:
        bed.plant(path, Entry(item.node, item.kind, item.mode, version))
    return Directory(bed.root)


def first_rows(held: Iterable[tuple[bytes, Item]], changes: Iterable[Changed]) -> Iterable[Row]:
    """Yield the rows of the manifest, from what is at each path and its record, by path."""
    grouped: dict[bytes, list[Known]] = {}
    for (path, item), change in zip(held, changes, strict=True):
        directory, _, name = path.rpartition(b"/")
        grouped.setdefault(directory, []).append(item.entry(name, change.record or b""))
    while grouped:
        directory, known = grouped.popitem()
        yield Row.of(directory, known, 0)
