"""The rows of what goes, and those of the cache that nothing needs (spec: ST30, CP4)."""

from collections.abc import Mapping

from oxy.repo.cache import GRAPH, ROOT, TREE
from oxy.repo.packs import SPAN, header_rows, pack
from oxy.repo.repository import Repository
from oxy.repo.tables import (
    CHANGED,
    GIT,
    HEADER,
    HEADERS,
    PARTIAL,
    SIGNED,
    TOUCH,
    WRITE,
    key,
    number,
    pair,
    unpack_numbers,
)
from oxy.repo.tree import children_of
from oxy.repo.trees import kept_trees, root_key
from oxy.store.protocol import CHANGE, IndexWriter, Reader


def remove_rows(writer: IndexWriter, gone: Mapping[int, frozenset[int]]) -> None:
    """Remove the rows by which changes that go would be read.

    Which nodes they touched, and which they created, stays: numbers of nodes are never reused.
    """
    changes = gone.get(CHANGE, frozenset())
    for change in changes:
        for node in unpack_numbers(writer.row(CHANGED, key(change)) or b""):
            writer.delete(TOUCH, pair(node, change))
            writer.delete(WRITE, pair(node, change))
        for row_key, _ in list(writer.rows(SIGNED, key(change))):
            writer.delete(SIGNED, row_key)
        writer.delete(HEADER, key(change))
        writer.delete(PARTIAL, key(change))
    for span in {change // SPAN for change in changes}:
        held = header_rows(writer, range(span * SPAN, (span + 1) * SPAN))
        left = [(at, row) for at, row in sorted(held.items()) if at not in changes]
        if writer.row(HEADERS, key(span)) is not None:
            writer.put(HEADERS, key(span), pack(left))
    if changes:
        commits = [commit for commit, row in writer.rows(GIT) if number(row) in changes]
        for commit in commits:
            writer.delete(GIT, commit)


def touched(reader: Reader, gone: Mapping[int, frozenset[int]]) -> set[int]:
    """Return the nodes that changes touch which go."""
    found: set[int] = set()
    for change in gone.get(CHANGE, ()):
        found.update(unpack_numbers(reader.row(CHANGED, key(change)) or b""))
    return found


def remove_cached(
    repository: Repository, gone: Mapping[int, frozenset[int]], nodes: set[int]
) -> int:
    """Remove what hangs on changes that go, and what no kept tree reaches.

    A state that holds a change that goes has such a head, for what names it goes too.

    Returns:
        How many rows are removed. Cost: the rows of kept trees.
    """
    cache = repository.cache
    changes = gone.get(CHANGE, frozenset())
    lost = [name for name, _ in kept_trees(repository) if not changes.isdisjoint(name.heads)]
    cache.remove(ROOT, [root_key(repository, name) for name in lost])
    kept = _reached_rows(repository)
    trees = [row_key for row_key in cache.keys(TREE) if row_key not in kept]
    graphs = [row_key for row_key in map(key, nodes) if cache.get(GRAPH, row_key) is not None]
    cache.remove(TREE, trees)
    cache.remove(GRAPH, graphs)
    return len(trees) + len(graphs)


def _reached_rows(repository: Repository) -> set[bytes]:
    found: set[bytes] = set()
    work = [row for _, row in kept_trees(repository)]
    while work:
        row_key = work.pop()
        if row_key not in found:
            found.add(row_key)
            row = repository.cache.get(TREE, row_key)
            work += [] if row is None else children_of(row)
    return found
