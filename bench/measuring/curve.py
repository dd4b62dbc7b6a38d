"""How what is measured grows with a size."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

STEEP: Final = 1.3
"""The largest exponent of what may grow in proportion."""


class Curve(NamedTuple):
    """What was measured at some sizes, two of them different, all more than nothing."""

    sizes: Sequence[int]
    values: Sequence[float]

    @property
    def exponent(self) -> float:
        """The slope of the line that fits the logarithms best: 1 where cost is linear."""
        xs = [math.log(size) for size in self.sizes]
        ys = [math.log(value) for value in self.values]
        x, y = sum(xs) / len(xs), sum(ys) / len(ys)
        over = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
        return over / sum((a - x) ** 2 for a in xs)
