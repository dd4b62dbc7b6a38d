"""Which change each Git commit became: rows derived from the changes (spec: git-bridge, GB24).

A store that was rebuilt, or that lost its last index transaction, has the changes and not these
rows; so a count says how many changes the rows are of.
"""

from collections.abc import Iterator
from typing import Final

from oxy.actions.origin import git_commit
from oxy.repo.repository import Repository
from oxy.repo.tables import BRIDGE, key, number
from oxy.store.protocol import CHANGE, IndexWriter, Reader

COMMITS: Final = BRIDGE
"""commit id to change number."""

COVERED: Final = BRIDGE + 1
"""one row: how many changes the rows of commits are of."""


def became(reader: Reader, oid: bytes) -> int | None:
    """Return the change that a commit became, or None."""
    row = reader.row(COMMITS, oid)
    return None if row is None else number(row)


def every(reader: Reader) -> Iterator[tuple[bytes, int]]:
    """Yield (commit id, change number) of every commit."""
    for oid, row in reader.rows(COMMITS, b""):
        yield oid, number(row)


def enter(writer: IndexWriter, oid: bytes, change: int) -> None:
    """Write which change a commit became."""
    writer.put(COMMITS, oid, key(change))


def cover(writer: IndexWriter, changes: int) -> None:
    """Say that the rows are of so many changes."""
    writer.put(COVERED, b"", key(changes))


def uncovered(reader: Reader) -> range:
    """Return the changes that the rows do not cover."""
    row = reader.row(COVERED, b"")
    return range(1 + (number(row) if row else 0), 1 + reader.count(CHANGE))


def catch_up(repository: Repository, writer: IndexWriter) -> None:
    """Derive the rows that are missing. Cost: the header of each change not covered."""
    changes = list(uncovered(writer))
    for change, header in repository.headers(changes):
        oid = git_commit(header)
        if oid is not None:
            enter(writer, oid, change)
    cover(writer, repository.store.count(CHANGE))
