"""Keep the index of a bucket short: 16 rows of a level become one branch (spec: sync, SY91).

A row counts as of the level of the highest behind it, if that is higher: so levels never
ascend, and of each level there are less than 16.
"""

from collections.abc import Iterable, Sequence

from oxy.sync import limits
from oxy.sync.bucket.index import Row, bounds, encode_branch
from oxy.sync.bucket.kept import Kept


def grown(kept: Kept, rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return rows for a snapshot: few, and of branches only where they are.

    Cost: of 16 rows one request; of 16 branches, which are opened, 17.
    """
    left = list(rows)
    while (run := _run(left)) is not None:
        left[run : run + limits.FAN] = [branch(kept, left[run : run + limits.FAN])]
    # What a branch is about is in it; a snapshot that told it too would be long.
    return tuple(
        [each if not each.level else each._replace(tips=(), needs=()) for each in left]
    )


def branch(kept: Kept, rows: Sequence[Row]) -> Row:
    """Write a branch with some rows below it, and return its row."""
    told = [_told(kept, each) for each in rows]
    where = kept.keep_list(encode_branch(told))
    level = max(each.level for each in rows) + 1
    return Row(level, *where, *bounds(told))


def _told(kept: Kept, row: Row) -> Row:
    """Return a row that tells what it is about, if a snapshot did not."""
    if row.tips or not row.level:
        return row
    tips, needs = bounds(kept.branch(row))
    return row._replace(tips=tips, needs=needs)


def _run(rows: Sequence[Row]) -> int | None:
    """Return where 16 rows of one level begin; None where there are not so many."""
    counts: dict[int, int] = {}
    highest = 0
    for at in reversed(range(len(rows))):
        highest = max(highest, rows[at].level)
        counts[highest] = counts.get(highest, 0) + 1
    at = 0
    for level in sorted(counts, reverse=True):
        if counts[level] >= limits.FAN and level < limits.LEVELS:
            return at
        at += counts[level]
    return None
