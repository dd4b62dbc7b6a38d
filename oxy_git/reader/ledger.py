"""Which change each Git commit became, as rows that follow from changes (spec: git-bridge)."""

from collections.abc import Iterator

from oxy.repo.tables import GIT, number
from oxy.store.protocol import Reader


def became(reader: Reader, oid: bytes) -> int | None:
    """Return the change that a commit became, or None."""
    row = reader.row(GIT, oid)
    return None if row is None else number(row)


def every(reader: Reader) -> Iterator[tuple[bytes, int]]:
    """Yield (commit id, change number) of every commit."""
    for oid, row in reader.rows(GIT, b""):
        yield oid, number(row)
