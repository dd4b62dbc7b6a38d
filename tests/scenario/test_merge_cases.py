"""The merge cases through the real command line, in repositories that pull from each other."""

from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR
from tests.cases.desks import Clone, OnDesks
from tests.cases.lines import CASES, ENDINGS
from tests.cases.script import Case, fitting

LARGE = [case for case in CASES if case.is_large]
LINES = [(case, False) for case in ENDINGS] + [(case, True) for case in fitting(CASES)]


@pytest.fixture
def clones(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> dict[str, Clone]:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    return {letter: Clone(tmp_path / letter, capfdbinary) for letter in "ABCDE"}


@pytest.mark.parametrize(("case", "lines"), LINES, ids=[case.id for case, _ in LINES])
def test_a_line_case_reads_as_listed_both_ways(
    case: Case, clones: dict[str, Clone], *, lines: bool
) -> None:
    OnDesks(case, clones, lines=lines).play()


@pytest.mark.slow
@pytest.mark.parametrize("case", LARGE, ids=[case.id for case in LARGE])
def test_a_large_line_case_reads_as_listed_both_ways(
    case: Case, clones: dict[str, Clone]
) -> None:
    OnDesks(case, clones, lines=True).play()
