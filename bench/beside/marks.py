"""What stands out beside the peers: wins, ratios over 2, the ten worst, and what grows.

Ratios are of processor time, which a busy machine does not blur. What grows is told of one
material at two numbers of files: where nothing should (spec: budget, B3, B13), 1.25 times is
the most.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from bench.beside.operations import FLAT
from bench.measuring.record import OURS, Record, Row
from bench.measuring.table import table

WON: Final = 1.0
MARKED: Final = 2.0
"""Above it a ratio is marked."""
GROWN: Final = 1.25
"""The most that what need not grow may take in ten times the files."""
WORST: Final = 10
FILES: Final = "files"


class Growth(NamedTuple):
    """An operation at two numbers of files: how many times as long it takes in the larger."""

    operation: str
    fewer: int
    more: int
    times: float

    @property
    def is_over(self) -> bool:
        """Whether it grows though it need not."""
        return self.operation in FLAT and self.times > GROWN


def notes(rows: Sequence[Row]) -> list[str]:
    """Return what is told under the table of one run."""
    ratios = [(row.processor_ratio, row.operation) for row in rows]
    known = [(ratio, name) for ratio, name in ratios if ratio is not None]
    won = [name for ratio, name in known if ratio < WON]
    over = [
        f"{name} {ratio:.2f}" for ratio, name in sorted(known, reverse=True) if ratio > MARKED
    ]
    return [
        f"Won against git, by processor time: {', '.join(won) or 'nothing'}.",
        f"Over {MARKED:.2f} against git: {', '.join(over) or 'nothing'}.",
    ]


def worst(records: Iterable[Record]) -> list[Row]:
    """Return the rows with the highest ratios, each operation once."""
    rows: dict[str, Row] = {}
    for record in records:
        for row in record.rows:
            had = rows.get(row.operation)
            if (row.processor_ratio or 0) > ((had and had.processor_ratio) or 0):
                rows[row.operation] = row
    return sorted(rows.values(), key=_by_ratio, reverse=True)[:WORST]


def _by_ratio(row: Row) -> float:
    return row.processor_ratio or 0


def growths(records: Iterable[Record]) -> list[Growth]:
    """Return how each operation grows from each number of files to the next."""
    found: dict[tuple[str, str], dict[int, float]] = {}
    for record in records:
        for row in record.rows:
            ours = row.figures.get(OURS)
            if ours is not None and FILES in row.sizes:
                at = found.setdefault((row.material, row.operation), {})
                at[row.sizes[FILES]] = ours.processor
    told = []
    for (_, operation), by_files in found.items():
        counts = sorted(by_files)
        for fewer, more in pairwise(counts):
            told.append(Growth(operation, fewer, more, by_files[more] / by_files[fewer]))
    return told


def shown(records: Sequence[Record]) -> str:
    """Return the tables of some runs."""
    bad = [
        [row.operation, row.material, f"{row.sizes.get(FILES, 0):,}", f"{_by_ratio(row):.2f}"]
        for row in worst(records)
    ]
    grown = [
        [
            each.operation,
            f"{each.fewer:,} to {each.more:,}",
            f"{each.times:.2f}",
            "over" if each.is_over else "",
        ]
        for each in growths(records)
    ]
    parts = [table(["worst ratios", "material", FILES, "cpu ratio"], bad)]
    if grown:
        parts.append(table(["growth", FILES, "times", ""], grown))
    return "\n\n".join(parts)
