"""Forks and joins of a log, drawn beside it in text (spec: states, S16).

A column stands for a change that something above it was recorded on and that is still to come.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oxy.actions.log import Entry
    from oxy.cli.output import Output, Part

NOTHING: tuple[Part, ...] = ("",)


def write_beside(
    out: Output, drawing: Drawing | None, entry: Entry, lines: Iterable[tuple[Part, ...]]
) -> None:
    """Write the lines of a change, beside the drawing if there is one."""
    if drawing is None:
        for line in lines:
            out.line(*line)
        return
    beside = drawing.put(entry.change, entry.parents)
    rows = list(lines)
    beside += [drawing.beside()] * (len(rows) - len(beside))
    width = max(map(len, beside[: len(rows)])) + 1
    rows += [NOTHING] * (len(beside) - len(rows))
    for left, row in zip(beside, rows, strict=True):
        out.line(left if row == NOTHING else left.ljust(width), *row)


class Drawing:
    """Draws a log from the top, a change at a time, each after all that know it."""

    __slots__ = ("_columns",)

    def __init__(self) -> None:
        self._columns: list[int] = []

    def put(self, change: int, parents: Sequence[int]) -> list[str]:
        """Return what stands beside a change: its own line, then lines of forks and joins.

        Cost: the columns, which are the branches that are open here.
        """
        if change not in self._columns:
            self._columns.append(change)
        at = self._columns.index(change)
        lines = ["".join("* " if i == at else "| " for i in range(len(self._columns)))]
        first, *others = parents or (None,)
        lines += [self._join(at, parent or 0) for parent in reversed(others)]
        if first is None:
            lines += self._end(at)
        else:
            self._columns[at] = first
            lines += self._merge(first)
        return [line.rstrip() for line in lines]

    def beside(self) -> str:
        """Return what stands beside any other line of text of the same change."""
        return ("| " * len(self._columns)).rstrip()

    def _join(self, at: int, parent: int) -> str:
        """Draw the way from a column to another parent, to a new column where there is none."""
        if parent not in self._columns:
            self._columns.insert(at + 1, parent)
            return "| " * at + "|" + "\\ " * (len(self._columns) - at - 1)
        to = self._columns.index(parent)
        row = list("| " * len(self._columns))
        if to > at:
            row[2 * at + 1] = "\\"
            gaps = range(2 * at + 3, 2 * to, 2)
        else:
            row[2 * at - 1] = "/"
            gaps = range(2 * to + 1, 2 * at - 1, 2)
        for gap in gaps:
            row[gap] = "_"
        return "".join(row)

    def _merge(self, first: int) -> list[str]:
        """Draw two columns that wait for the same change as one, the left one."""
        left = self._columns.index(first)
        right = len(self._columns) - 1 - self._columns[::-1].index(first)
        if left == right:
            return []
        row = list("| " * right)
        for gap in range(2 * left + 1, 2 * right - 1, 2):
            row[gap] = "_"
        row[2 * right - 1] = "/"
        del self._columns[right]
        return ["".join(row) + " /" * (len(self._columns) - right)]

    def _end(self, at: int) -> list[str]:
        """Draw the end of a column: those to the right of it move up."""
        del self._columns[at]
        after = len(self._columns) - at
        return ["| " * at + " /" * after] if after else []
