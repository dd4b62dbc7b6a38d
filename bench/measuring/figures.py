"""What one thing took on one system: samples, and the figure that is told of them."""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

COVERED: Final = 0.95
"""How often the interval of a figure has to hold the median of all rounds there could be."""


class Sample(NamedTuple):
    """Seconds from start to end, and seconds of processor time, of one round."""

    seconds: float
    processor: float


class Figure(NamedTuple):
    """What was measured, in the unit of its row: seconds, where that says no other.

    Attributes:
        median: of all rounds.
        low: the lower end of the 95% interval of the median, or the least of fewer than six
            rounds, which are too few for one.
        high: the upper end, likewise.
        processor: the median of the seconds of processor time, user and system, with those of
            the processes that it started.
        peak: the most resident memory, in MB of a million bytes, of the process and of those
            that it started; 0 where it ended too soon to be seen.
        rounds: how many samples there are.
    """

    median: float
    low: float
    high: float
    processor: float
    peak: float
    rounds: int


def figure(samples: Sequence[Sample], peak: float) -> Figure:
    """Return the figure of some samples, at least one."""
    seconds = sorted(sample.seconds for sample in samples)
    beyond = outside(len(seconds))
    low, high = seconds[beyond], seconds[-1 - beyond]
    processor = statistics.median(sample.processor for sample in samples)
    return Figure(statistics.median(seconds), low, high, processor, peak, len(seconds))


def outside(count: int) -> int:
    """Return how many samples lie on either side of the 95% interval of their median.

    Each sample is as likely below the true median as above it, whatever the distribution: that
    so many or fewer are below has the probability of as many heads in `count` throws.
    """
    chance, beyond = 0.0, 0
    while True:
        chance += math.comb(count, beyond) / 2**count
        if 2 * chance > 1 - COVERED:
            return max(beyond - 1, 0)
        beyond += 1


def alternating(
    arms: Mapping[str, Callable[[], Sample]],
    rounds: int,
    before: Callable[[], None] = lambda: None,
) -> dict[str, list[Sample]]:
    """Run arms in turn, so that a busy moment meets all of them.

    Every second round runs them backwards: none is always the one that runs after another.

    Args:
        arms: what does one round of an arm, by name.
        rounds: how often.
        before: is called before each round, outside the clock.
    """
    names = list(arms)
    taken: dict[str, list[Sample]] = {name: [] for name in names}
    for number in range(rounds):
        before()
        for name in reversed(names) if number % 2 else names:
            taken[name].append(arms[name]())
    return taken
