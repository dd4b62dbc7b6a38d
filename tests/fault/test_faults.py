"""Every command that writes, with calls that fail: a code that is told, nothing lost (T22).

`make crash` tries every call.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.builders.crashcases import CASES, Case, Site, surroundings
from tests.builders.crashing import Judge
from tests.builders.faults import Breaker, chosen

SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
MOST = 3


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    where = SHARED if os.path.isdir(SHARED) else None
    with tempfile.TemporaryDirectory(dir=where) as directory:
        surroundings(monkeypatch.setenv)
        yield Site(Path(directory))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_fault_ends_in_a_code_that_is_told_and_loses_nothing(site: Site, case: Case) -> None:
    breaker = Breaker(Judge(site, case))
    random = Random(case.name)  # noqa: S311 - a case is chosen, no secret
    for fault in chosen(breaker, random, MOST):
        breaker.breaks(fault)
