"""Does receiving changes take time that grows with their number, and not faster?

Bound: the exponents that fit are at most 1.2. Times are of the processor; the store is in
memory.

Does not show: files, wires, start-up; a peer.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from bench.measuring.arriving import one_on_the_other, received, side_by_side
from bench.measuring.asked import Found, asked, conclude, parser, recorded, tell
from bench.measuring.figures import Figure
from bench.measuring.record import LIBRARY, Row
from bench.merge_curves import seconds
from oxy.sync.part import Part

SIZES = (65, 1040, 8320)


class Scenario(NamedTuple):
    """A history that arrives, in some sizes."""

    title: str
    made: Callable[[int], Sequence[Part]]


SCENARIOS = (
    Scenario("changes that each edit the line of the one before", one_on_the_other),
    Scenario("changes of one place of a text, the last first", side_by_side),
)


def rows_of(scenario: Scenario, sizes: Sequence[int]) -> list[Row]:
    """Measure a history in each of some sizes, smallest first."""
    rows: list[Row] = []
    for size in sizes:
        coming = scenario.made(size)
        assert received(coming) == size
        spent = seconds(partial(received, coming))
        figure = Figure(spent, spent, spent, spent, 0, 1)
        rows.append(Row(scenario.title, "store", {"changes": size}, {LIBRARY: figure}))
    return rows


def main() -> None:
    """Print a line for each curve."""
    names = tuple(scenario.title for scenario in SCENARIOS)
    reads = parser(__doc__, size=100, counts="percent of each size", iters=1, names=names)
    said = asked(reads.parse_args())

    def measure(_: str) -> Found:
        rows: list[Row] = []
        sizes = [max(4 << place, size * said.size // 100) for place, size in enumerate(SIZES)]
        for scenario in SCENARIOS:
            if said.wants(scenario.title):
                tell([scenario.title])
                rows += rows_of(scenario, sizes)
        return Found(rows)

    conclude(recorded("receive-curves", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
