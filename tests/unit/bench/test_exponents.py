from collections.abc import Sequence
from pathlib import Path

import pytest

from bench.measuring.exponents import FEWEST, FLAT, LINEAR, STATED, Fit, fits, told
from bench.measuring.figures import Figure
from bench.measuring.record import LIBRARY, OK, OVER, Row

SPEC = Path(__file__).resolve().parents[3] / "spec" / "budget.md"
SIZES = (1_000, 3_000, 10_000, 30_000)


def rows(operation: str, values: Sequence[float], peak: float = 0) -> list[Row]:
    return [
        Row(
            operation,
            "flat",
            {"files": size, "changes": 5},
            {LIBRARY: Figure(value, value, value, value, peak, 1)},
        )
        for size, value in zip(SIZES, values, strict=False)
    ]


def test_what_is_in_proportion_has_the_exponent_one_and_is_over_where_it_should_be_flat() -> (
    None
):
    (found,) = fits(rows("commit of a file", SIZES, peak=20), "files")
    assert found.time == pytest.approx(1)
    assert found.memory == pytest.approx(0)
    assert (found.stated, found.verdict) == (FLAT, OVER)
    (allowed,) = fits(rows("status", SIZES), "files")
    assert (allowed.memory, allowed.stated, allowed.verdict) == (None, LINEAR, OK)


def test_memory_counts_as_time_does() -> None:
    assert Fit("x", "files", 0.0, 1.0, FLAT).verdict == OVER
    assert Fit("x", "files", 0.0, 0.1, FLAT).verdict == OK
    assert Fit("x", "files", 9.0, None, None).verdict == ""


def test_fewer_sizes_than_a_fit_needs_have_none() -> None:
    assert fits(rows("status", SIZES[: FEWEST - 1]), "files") == []
    assert fits(rows("status", SIZES), "lines") == []


def test_a_table_tells_time_memory_and_what_is_stated() -> None:
    table = told([Fit("status", "files", 0.5, None, LINEAR), Fit("x", "files", 1, 0.25, None)])
    assert table.splitlines()[2:] == [
        "| status | files | 0.50 | - | 1.15 | ok |",
        "| x | files | 1.00 | 0.25 |  |  |",
    ]


def test_the_table_of_the_spec_is_what_is_held() -> None:
    lines = SPEC.read_text().splitlines()
    begin = lines.index("| operation | files | changes | lines |")
    stated: dict[tuple[str, str], float] = {}
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        pairs = zip(("files", "changes", "lines"), cells, strict=True)
        stated |= {(name, over): float(cell) for over, cell in pairs if cell}
    assert stated == STATED
