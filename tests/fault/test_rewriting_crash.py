"""A rewrite that dies at any of its steps has happened or not (spec: states, S12)."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from oxy.actions.amend import Wish, amend
from oxy.actions.newest import Newest
from oxy.cli.watching import Silent
from oxy.repo.fsck import fsck
from tests.builders import dying
from tests.builders.tree import held
from tests.builders.workshop import Workshop

CALLS = ("fsync", "makedirs", "open", "pwrite", "rename", "replace", "unlink", "write")
SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it


@pytest.fixture
def place() -> Iterator[Path]:
    where = SHARED if os.path.isdir(SHARED) else None
    with tempfile.TemporaryDirectory(dir=where) as directory:
        yield Path(directory)


class _There(Workshop):
    """A workshop in a directory that is one already."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def amend(self) -> None:
        """Take what changed into the first change."""
        with self.copy() as copy:
            state = copy.base.state
            *_, first = Newest(copy.repository, state)
            amend(copy, Wish(into=first.id.hex().encode()))


def test_an_amendment_that_died_has_happened_or_not(place: Path) -> None:
    template = place / "template"
    template.mkdir()
    shop = Workshop(template)
    shop.commit("base", a="1\n2\n3\n", b="b\n")
    shop.commit("more", a="1\n2\nthree\n")
    shop.write("a", "one\n2\nthree\n")
    shop.write("b", "B\n")
    files = held(template)
    work = _There(place / "work")
    happened = set()
    for step in count(1):
        shutil.rmtree(work.root, ignore_errors=True)
        shutil.copytree(template, work.root)
        if not dying.dies_at(step, work.amend, CALLS):
            break
        left = work.differs()
        happened.add(not left)
        assert left in ([], [(b"a", "modified"), (b"b", "modified")])
        assert held(work.root) == files
        if left:
            work.amend()
        assert work.differs() == []
    assert happened == {False, True}
    with work.repository() as repository:
        assert not list(fsck(repository, Silent()))
