"""A small chart as SVG: some curves over one size, both axes logarithmic. Pure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

WIDTH: Final = 320
HEIGHT: Final = 190
LEFT: Final = 46
RIGHT: Final = 12
TOP: Final = 10
BOTTOM: Final = 24
COLOURS: Final = {"oxy": 0, "library": 0, "git": 1, "hg": 2, "fossil": 3}
"""The class of each arm's colour; all others are grey."""
OTHER: Final = 4
_STEPS: Final = ((1.2, (1, 2, 5)), (2.6, (1, 3)), (math.inf, (1,)))
"""The ticks in a decade of an axis of at most so many."""

Points = Sequence[tuple[float, float]]
"""A size and what was measured there, sizes ascending; all are more than nothing."""


class Axis(NamedTuple):
    """A logarithmic axis: the values at its ends, and where these are drawn."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return where a value is drawn."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> Iterator[float]:
        """Yield round values on the axis, few enough to be read."""
        decades = math.log10(self.high / self.low)
        steps = next(steps for most, steps in _STEPS if decades <= most)
        for power in range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))):
            yield from (
                step * 10.0**power
                for step in steps
                if self.low <= step * 10.0**power <= self.high
            )


def axis(values: Sequence[float], start: float, end: float) -> Axis:
    """Return an axis that holds all values, with some room at either end."""
    low, high = min(values), max(values)
    room = max((high / low) ** 0.06, 1.12)
    return Axis(low / room, high * room, start, end)


def colour(arm: str) -> str:
    """Return the class that gives an arm its colour."""
    return f"a{COLOURS.get(arm, OTHER)}"


def short(value: float) -> str:
    """Return a number in few letters: 1.5, 20, 3k."""
    for limit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g}{letter}"
    return f"{value:.3g}"


def chart(curves: Mapping[str, Points], unit: str) -> str:
    """Return the curves of some arms as SVG.

    Args:
        curves: the points of each arm, at least one.
        unit: of what was measured.
    """
    every = [point for points in curves.values() for point in points]
    across = axis([x for x, _ in every], LEFT, WIDTH - RIGHT)
    up = axis([y for _, y in every], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">', *_frame(across, up, unit)]
    sizes = dict.fromkeys(x for x, _ in sorted(every))
    parts += [_text(across.at(x), HEIGHT - 9, "middle", short(x)) for x in sizes]
    for name, points in curves.items():
        parts += _curve(name, points, across, up, unit)
    return "".join([*parts, "</svg>"])


def _frame(across: Axis, up: Axis, unit: str) -> Iterator[str]:
    for value in up.ticks():
        y = up.at(value)
        yield f'<path class="grid" d="M{across.start} {y:.1f}H{across.end}"/>'
        yield _text(across.start - 5, y + 3, "end", f"{short(value)} {unit}")


def _text(x: float, y: float, anchor: str, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _curve(name: str, points: Points, across: Axis, up: Axis, unit: str) -> Iterator[str]:
    places = [(across.at(x), up.at(y)) for x, y in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield f'<g class="{colour(name)}"><polyline class="curve" points="{line}"/>'
    for (x, y), (size, value) in zip(places, points, strict=True):
        told = escape(f"{name}: {value:,.3g} {unit} at {size:,.0f}")
        dot = f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3">'
        yield f"{dot}<title>{told}</title></circle>"
    yield "</g>"
