"""Does what merging costs grow with what there is to merge, and not faster?

Bound: the exponents that fit are at most 1.3. Times are of the processor, and of the graph
alone: no store, no files. Each result is checked outside the clock.

Does not show: anything but the graph: no store, no files, no start-up.
"""

import gc
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bench.measuring.asked import Found, asked, conclude, parser, recorded, tell
from bench.measuring.figures import Figure
from bench.measuring.merging import (
    concurrent,
    in_rounds,
    lines,
    next_round,
    rivals,
    runs,
    sides,
)
from bench.measuring.record import LIBRARY, Row
from oxy.graph.pack import pack

REPEATS = 3
LINES = 100_000


class Scenario(NamedTuple):
    """What is measured at some sizes; a run returns seconds, or what else its unit says."""

    title: str
    counts: str
    sizes: Sequence[int]
    measure: Callable[[int], float]
    unit: str = "s"


def seconds(work: Callable[[], object]) -> float:
    """Return the least time that work takes."""
    taken: list[float] = []
    for _ in range(REPEATS):
        gc.collect()
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def one_round(count: int) -> float:
    """Time one round more after so many."""
    text, state = in_rounds(count)
    start = time.process_time()
    for _ in range(REPEATS):
        state = next_round(text, state)
    return (time.process_time() - start) / REPEATS


def size_of_rounds(count: int) -> float:
    """Return the bytes of the packed graph after so many rounds, in MB."""
    text, _ = in_rounds(count)
    return len(pack(text.graph)) / 1e6


def reading_sides(count: int) -> float:
    """Time reading a conflict of so many sides."""
    text, union = sides(count)
    (conflict,) = text.read(union).conflicts
    assert len(conflict.sides) == count
    return seconds(lambda: text.read(union))


def resolving_sides(count: int) -> float:
    """Time resolving a conflict of so many sides: the first is taken."""
    text, union = sides(count)
    reading = text.read(union)
    start = time.process_time()
    after = text.edit(union, [(2, count - 1, 0, 0)], [], reading)
    taken = time.process_time() - start
    assert text.of(text.read(after).spans()) == [b"a\n", b"side 0\n", b"z\n"]
    return taken


def reading_rivals(count: int) -> float:
    """Time reading a conflict of so many replacements of one line."""
    text, union = rivals(count)
    (conflict,) = text.read(union).conflicts
    assert len(conflict.sides) == count
    return seconds(lambda: text.read(union))


def reading_runs(count: int) -> float:
    """Time reading two sides that cut a long file into so many runs; some edits collide."""
    text, one, other = runs(LINES, count)
    assert len(text.read(one | other).conflicts) == count // 2 // 100
    return seconds(lambda: text.read(one | other))


def recording_runs(count: int) -> float:
    """Time resolving all that, by an edit of the first line."""
    text, one, other = runs(LINES, count)
    reading = text.read(one | other)
    start = time.process_time()
    after = text.edit(one | other, [(0, 1, 0, 1)], [b"new\n"], reading)
    taken = time.process_time() - start
    assert text.read(after).is_clean
    return taken


def reading_concurrent(count: int) -> float:
    """Time reading so many concurrent changes, each of a line of its own."""
    text, union = concurrent(count)
    shown = text.of(text.read(union).spans())
    assert shown[::4] == [b"by %d\n" % number for number in range(count)]
    assert shown[1::4] == lines(4 * count)[1::4]
    return seconds(lambda: text.read(union))


ROUNDS = (25, 50, 100, 200)
HUNDREDS = (125, 250, 500, 1000)
THOUSANDS = (1250, 2500, 5000, 10_000)
SCENARIOS = (
    Scenario("one round more of two sides that replace a line", "rounds", ROUNDS, one_round),
    Scenario("the graph after as many rounds", "rounds", ROUNDS, size_of_rounds, "MB"),
    Scenario("sides of one order conflict, read", "sides", THOUSANDS, reading_sides),
    Scenario("sides of one, resolved", "sides", THOUSANDS, resolving_sides),
    Scenario("runs of 100,000 lines, read", "runs", THOUSANDS, reading_runs),
    Scenario("runs of 100,000 lines, resolved", "runs", THOUSANDS, recording_runs),
    Scenario("concurrent changes, apart, read", "changes", HUNDREDS, reading_concurrent),
    Scenario("concurrent changes of one line, read", "changes", HUNDREDS, reading_rivals),
)


def rows_of(scenario: Scenario) -> list[Row]:
    """Measure a scenario at each of its sizes, smallest first."""
    rows: list[Row] = []
    for size in scenario.sizes:
        found = scenario.measure(size)
        spent = found if scenario.unit == "s" else 0
        figure = Figure(found, found, found, spent, 0, 1)
        sizes = {scenario.counts: size}
        rows.append(Row(scenario.title, "graph", sizes, {LIBRARY: figure}, unit=scenario.unit))
    return rows


def main() -> None:
    """Print a line for each curve."""
    names = tuple(scenario.title for scenario in SCENARIOS)
    reads = parser(__doc__, size=100, counts="percent of each size", iters=1, names=names)
    said = asked(reads.parse_args())

    def measure(_: str) -> Found:
        rows: list[Row] = []
        for scenario in SCENARIOS:
            if said.wants(scenario.title):
                tell([scenario.title])
                shares = [size * said.size // 100 for size in scenario.sizes]
                sizes = [max(4 << place, share) for place, share in enumerate(shares)]
                rows += rows_of(scenario._replace(sizes=sizes))
        return Found(rows)

    conclude(recorded("merge-curves", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
