"""Which figures of some runs make a curve: one operation, several values of a size. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bench.measuring.record import Record
from bench.measuring.table import measure
from bench.report.chart import Points

AXES: Final = ("files", "changes", "rounds", "sides", "runs", "commits")
"""The sizes that are drawn over; others only tell materials apart."""
MS: Final = 1e3


class Plot(NamedTuple):
    """A chart: its title, what it is drawn over, in what unit, and the curves of its arms."""

    title: str
    over: str
    unit: str
    curves: Mapping[str, Points]


class _Key(NamedTuple):
    title: str
    unit: str
    fixed: str


def plots(records: Sequence[Record], over: str, field: str) -> list[Plot]:
    """Return what can be drawn over a size, all other sizes and the material being the same.

    Where something was measured twice, the later run counts.

    Args:
        records: the runs.
        over: the name of the size.
        field: `median` or `peak`.
    """
    found: dict[_Key, dict[str, dict[int, float]]] = {}
    for record in sorted(records, key=lambda record: record.date):
        for row in record.rows:
            if over not in row.sizes:
                continue
            others = {name: count for name, count in row.sizes.items() if name != over}
            unit, scale = ("ms", MS) if row.unit == "s" else (row.unit, 1)
            unit, scale = (unit, scale) if field == "median" else ("MB", 1)
            fixed = measure(row._replace(sizes=others))
            arms = found.setdefault(_Key(row.operation, unit, fixed), {})
            for name, each in row.figures.items():
                value = (each.median if field == "median" else each.peak) * scale
                if value > 0:
                    arms.setdefault(name, {})[row.sizes[over]] = value
    drawn = [(key, _drawable(arms)) for key, arms in found.items()]
    return [
        Plot(f"{key.title} ({key.fixed})" if key.fixed else key.title, over, key.unit, curves)
        for key, curves in drawn
        if curves
    ]


def _drawable(arms: Mapping[str, Mapping[int, float]]) -> dict[str, Points]:
    return {name: sorted(points.items()) for name, points in arms.items() if len(points) > 1}
