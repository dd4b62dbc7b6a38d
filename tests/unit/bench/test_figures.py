import pytest

from bench.measuring.curve import Curve
from bench.measuring.figures import Sample, alternating, figure, outside


def test_a_figure_has_the_median_and_its_interval() -> None:
    samples = [Sample(float(seconds), seconds / 10) for seconds in (5, 1, 4, 2, 3, 9, 7, 8, 6)]
    found = figure(samples, 12.5)
    assert (found.median, found.low, found.high) == (5, 2, 8)
    assert found.processor == pytest.approx(0.5)
    assert (found.peak, found.rounds) == (12.5, 9)


@pytest.mark.parametrize(
    ("count", "beyond"), [(1, 0), (5, 0), (6, 0), (9, 1), (15, 3), (100, 39)]
)
def test_the_interval_of_a_median_is_that_of_the_tables(count: int, beyond: int) -> None:
    assert outside(count) == beyond


def test_a_few_rounds_have_no_interval_but_ends() -> None:
    found = figure([Sample(3, 1), Sample(1, 1), Sample(2, 1)], 0)
    assert (found.median, found.low, found.high) == (2, 1, 3)


def test_arms_run_in_turn_and_every_second_round_backwards() -> None:
    order: list[str] = []

    def arm(name: str) -> Sample:
        order.append(name)
        return Sample(len(order), 0)

    arms = {name: lambda name=name: arm(name) for name in ("a", "b")}
    taken = alternating(arms, 3, lambda: order.append("|"))
    assert "".join(order) == "|ab|ba|ab"
    assert [len(samples) for samples in taken.values()] == [3, 3]


def test_the_exponent_is_the_slope_of_the_logarithms() -> None:
    assert Curve((1, 2, 4, 8), (3.0, 6.0, 12.0, 24.0)).exponent == pytest.approx(1)
    assert Curve((1, 2, 4, 8), (3.0, 12.0, 48.0, 192.0)).exponent == pytest.approx(2)
