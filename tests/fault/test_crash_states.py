"""Every command that writes, and some of what a crash may leave of it (spec: T21).

`make crash` tries all of it.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.builders.crashcases import CASES, Case, Site, surroundings
from tests.builders.crashing import Judge, some_states
from tests.builders.disk import Cut, Disk, Named, Node, Synced, Written, after, pending

SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it
MOST = 5


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    where = SHARED if os.path.isdir(SHARED) else None
    with tempfile.TemporaryDirectory(dir=where) as directory, monkeypatch.context():
        surroundings(monkeypatch.setenv)
        yield Site(Path(directory))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_crash_leaves_what_was_or_what_is_to_be(site: Site, case: Case) -> None:
    random = Random(case.name)  # noqa: S311 - a case is chosen, no secret
    judge = Judge(site, case)
    chosen = list(some_states(judge.recording, random, MOST))
    assert len(chosen) > 1
    for state in chosen:
        judge.judge(state)
    for again in judge.recovered(random.choice(chosen), random, 1):
        judge.judge(again, is_again=True)


FILE, OTHER = 7, 8
EMPTY = Node(0o100000, 0o644, b"")


def test_what_is_synced_is_durable_and_its_name_is_not() -> None:
    deeds = (Named(0, "f", FILE, EMPTY), Written(FILE, 0, b"ab"), Synced(FILE))
    assert pending(deeds) == [0]
    assert pending((*deeds, Synced(0))) == []
    assert pending((*deeds, Synced(OTHER), Cut(FILE, 1))) == [0, 4]


def test_a_write_that_is_lost_leaves_zeros_before_a_later_one() -> None:
    deeds = (Named(0, "f", FILE, EMPTY), Written(FILE, 0, b"ab"), Written(FILE, 2, b"cd"))
    disk = after(Disk({}, {0: {}}), deeds, {1: lambda _: None})
    assert disk.flat()["f"].content == b"\0\0cd"
