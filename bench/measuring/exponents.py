"""How what operations cost grows with a size, against what is stated (spec: budget, B12).

An exponent is the slope that fits the logarithms best, of four sizes or more: 0 is flat, 1 is
in proportion. What is over is marked.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from bench.measuring.curve import Curve
from bench.measuring.figures import Figure
from bench.measuring.record import LIBRARY, OK, OVER, Row
from bench.measuring.table import table

FLAT: Final = 0.2
"""The most of what does not grow: a fifth is what lookups in longer tables and noise make."""
LINEAR: Final = 1.15
"""The most of what grows in proportion."""
FEWEST: Final = 4
"""Sizes that a fit needs."""

FILES: Final = "files"
CHANGES: Final = "changes"
LINES: Final = "lines"

_TOUCHING: Final = (
    "commit of a file",
    "checkpoint after it",
    "diff of ten changes",
    "show of the newest",
    "blame of a file",
    "switch back and forth",
)
_READING: Final = ("log of everything", "fsck")
_LONG: Final = ("commit of a long file", "diff of a long file", "blame of a long file")

STATED: Final[Mapping[tuple[str, str], float]] = MappingProxyType(
    {(name, over): FLAT for name in _TOUCHING for over in (FILES, CHANGES)}
    | {
        ("status", FILES): LINEAR,
        ("status", CHANGES): FLAT,
        ("log of everything", FILES): FLAT,
        ("log of everything", CHANGES): LINEAR,
        ("fsck", FILES): LINEAR,
        ("fsck", CHANGES): LINEAR,
    }
    | {(name, LINES): LINEAR for name in _LONG}
)
"""The most that the exponent of an operation may be, by what grows; for time and memory."""


class Fit(NamedTuple):
    """The exponents of one operation over one size, and the most that they may be."""

    operation: str
    over: str
    time: float
    memory: float | None
    stated: float | None

    @property
    def verdict(self) -> str:
        """`ok` or `over`; nothing where nothing is stated."""
        if self.stated is None:
            return ""
        return OVER if max(self.time, self.memory or 0) > self.stated else OK


def fits(rows: Sequence[Row], over: str) -> list[Fit]:
    """Return the fits of what was measured at enough values of a size, all else being equal."""
    found: dict[str, dict[int, Figure]] = {}
    for row in rows:
        if LIBRARY in row.figures and over in row.sizes:
            found.setdefault(row.operation, {})[row.sizes[over]] = row.figures[LIBRARY]
    return [
        _fit(operation, over, by_size)
        for operation, by_size in found.items()
        if len(by_size) >= FEWEST
    ]


def _fit(operation: str, over: str, by_size: Mapping[int, Figure]) -> Fit:
    sizes = sorted(by_size)
    figures = [by_size[size] for size in sizes]
    seen = all(each.peak for each in figures)
    memory = Curve(sizes, [each.peak for each in figures]).exponent if seen else None
    time = Curve(sizes, [each.processor for each in figures]).exponent
    return Fit(operation, over, time, memory, STATED.get((operation, over)))


def told(fitted: Sequence[Fit]) -> str:
    """Return a table of exponents."""
    rows = [
        [
            each.operation,
            each.over,
            f"{each.time:.2f}",
            "-" if each.memory is None else f"{each.memory:.2f}",
            "" if each.stated is None else f"{each.stated:g}",
            each.verdict,
        ]
        for each in fitted
    ]
    return table(["exponents", "over", "time", "memory", "stated", ""], rows)
