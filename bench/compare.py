"""Tells what drifted between two runs: `python -m bench compare OLD NEW --tolerance 0.10`.

OLD and NEW are records that benches wrote with --json, or directories of such. Rows are those
of the same bench, operation, material and sizes. Compared are the times of every arm that is
oxy's, its peaks, and what it leaves on the disk; other systems are there to tell whether it is
the machine. Exits 0 where nothing drifted, 1 where something did (for the better too: then the
old run tells what is no longer so), and 2 where the runs cannot be compared.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, cast

from bench.measuring.figures import Figure
from bench.measuring.record import FormError, Record, Row, decode
from bench.measuring.table import measure

TOLERANCE: Final = 0.10
Clock = Literal["processor", "median"]
"""Which time counts: of the processor, which a busy machine does not blur, or of the clock."""
THEIRS: Final = ("git", "hg", "fossil", "bare python", "openssl", "sqlite", "python", "none")
"""What the names of arms begin with that are not oxy's."""
LEFT: Final = " left KB"


class Drift(NamedTuple):
    """Something that is no longer as it was.

    Attributes:
        where: the bench, the row and the arm.
        what: of which figure.
        old: what it was.
        new: what it is.
    """

    where: str
    what: str
    old: float
    new: float

    def __str__(self) -> str:
        """Tell it as people read it."""
        if not self.old:
            return f"{self.where}: {self.what}: none before, {self.new:.4g} now"
        if not self.new:
            return f"{self.where}: {self.what}: {self.old:.4g} before, none now"
        change = self.new / self.old - 1
        return f"{self.where}: {self.what}: {self.old:.4g} → {self.new:.4g} ({change:+.0%})"


class UnlikeError(Exception):
    """Two runs are not of the same machine: their times do not compare."""

    def __init__(self, old: Record, new: Record) -> None:
        said = [
            f"{key} {value} and {new.machine.get(key)}" for key, value in old.machine.items()
        ]
        unlike = [
            each for each, key in zip(said, old.machine, strict=True) if _differ(old, new, key)
        ]
        super().__init__(f"{old.bench}: the machines differ: {', '.join(unlike)}")


def _differ(old: Record, new: Record, key: str) -> bool:
    return old.machine.get(key) != new.machine.get(key)


def read(path: str) -> dict[str, Record]:
    """Return the record in a file, or those of a directory, by the names of their benches.

    Raises:
        FormError: one is none.
        OSError: one cannot be read.
    """
    files = [path]
    if os.path.isdir(path):
        files = [os.path.join(path, name) for name in sorted(os.listdir(path))]
    found: dict[str, Record] = {}
    for name in files:
        if os.path.isdir(path) and not name.endswith(".json"):
            continue
        with open(name, encoding="utf-8") as file:
            record = decode(file.read(), name)
        found[record.bench] = record
    return found


def is_ours(arm: str) -> bool:
    """Whether an arm is one of oxy's."""
    return not arm.startswith(THEIRS)


def drifts(old: Record, new: Record, tolerance: float, clock: Clock) -> Iterator[Drift]:
    """Yield what drifted between two runs of one bench: by row, arm and figure.

    A row that only one of them has is a drift too.
    """
    before, after = _rows(old), _rows(new)
    for name in dict.fromkeys([*before, *after]):
        where = f"{old.bench}: {name}"
        if name not in before or name not in after:
            yield Drift(where, "row", float(name in before), float(name in after))
            continue
        one, other = before[name], after[name]
        for arm in filter(is_ours, dict.fromkeys([*one.figures, *other.figures])):
            values = zip(_values(one, arm, clock), _values(other, arm, clock), strict=True)
            for (what, was), (_, now) in values:
                if abs(now - was) > tolerance * was:
                    yield Drift(f"{where}: {arm}", what, was, now)


def _rows(record: Record) -> dict[str, Row]:
    return {f"{row.operation} ({measure(row)})": row for row in record.rows}


def _values(row: Row, arm: str, clock: Clock) -> list[tuple[str, float]]:
    """Return what is compared of an arm, with its unit."""
    each = row.figures.get(arm) or Figure(0, 0, 0, 0, 0, 0)
    scale, unit = (1e3, "ms") if row.unit == "s" else (1.0, row.unit)
    spent = each.processor if clock == "processor" and row.unit == "s" else each.median
    return [
        (unit, spent * scale),
        ("MB at the peak", each.peak),
        ("KB left", row.facts.get(arm + LEFT, 0)),
    ]


def compared(
    old: Mapping[str, Record],
    new: Mapping[str, Record],
    tolerance: float,
    clock: Clock = "processor",
) -> list[Drift]:
    """Return all drifts of those benches that both have.

    Raises:
        UnlikeError: the machines differ.
    """
    found: list[Drift] = []
    for name in old.keys() & new.keys():
        if old[name].machine != new[name].machine:
            raise UnlikeError(old[name], new[name])
        found += drifts(old[name], new[name], tolerance, clock)
    return sorted(found)


def main(words: Sequence[str]) -> int:
    """Compare and tell; return the exit code."""
    reads = ArgumentParser(prog="bench compare", description=__doc__)
    reads.add_argument("old", metavar="OLD")
    reads.add_argument("new", metavar="NEW")
    reads.add_argument("--tolerance", type=float, default=TOLERANCE, metavar="SHARE")
    reads.add_argument("--by", choices=("processor", "median"), default="processor")
    args = reads.parse_args(words)
    try:
        old, new = read(args.old), read(args.new)
        if not old.keys() & new.keys():
            print("no bench is in both", file=sys.stderr)
            return 2
        found = compared(old, new, args.tolerance, cast("Clock", args.by))
    except (OSError, FormError, UnlikeError) as error:
        print(error, file=sys.stderr)
        return 2
    for drift in found:
        print(drift)
    return 1 if found else 0
