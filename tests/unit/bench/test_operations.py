from importlib import import_module
from pathlib import Path

import pytest

from bench.measuring.operation import Case, Place, rows_of
from bench.operations.content import KINDS, contents, size_told
from bench.scenarios import AREAS

CASES = [
    pytest.param(case, id=f"{name}: {case.name}")
    for name in AREAS
    for case in import_module(f"bench.operations.{name}").CASES
]


@pytest.mark.parametrize("case", CASES)
def test_every_operation_is_measured_and_its_result_is_right(
    case: Case, tmp_path: Path
) -> None:
    rows = rows_of(case, Place(str(tmp_path / "case"), 1), 1)
    assert rows
    for row in rows:
        assert all(each.median > 0 for each in row.figures.values())
        assert row.ranking or len(row.figures) == 1
    names = [(row.operation, row.material, *row.sizes.items()) for row in rows]
    assert len({*names}) == len(names)


@pytest.mark.parametrize("kind", KINDS)
def test_contents_are_the_same_each_time_and_all_different(kind: str) -> None:
    made = contents(kind, 64, 20)
    assert made == contents(kind, 64, 20)
    assert len({*made}) == 20
    assert {*map(len, made)} == {64}


def test_lengths_are_told_in_the_largest_unit_that_fits() -> None:
    assert [size_told(length) for length in (64, 4096, 1 << 20, 1500)] == [
        "64 B",
        "4 KiB",
        "1 MiB",
        "1500 B",
    ]
