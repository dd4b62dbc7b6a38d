import os
from collections.abc import Iterator

from oxy.repo.aside import Aside
from oxy.worktree.listing import RECORD
from oxy.worktree.row import Entry, Row
from tests.unit.worktree.test_parallel import has_children

ROWS = [
    Row.of(b"a/b", [Entry(b"x", bytes(RECORD.size), bytes(16), bytes(32))], 0),
    Row.of(b"c", [], 7),
]


def test_a_child_answers_with_its_rows() -> None:
    aside = Aside(lambda: ROWS, Row._make)
    try:
        assert aside.answers() == ROWS
    finally:
        aside.end()
    assert not has_children()


def test_a_child_that_fails_answers_with_nothing() -> None:
    def work() -> Iterator[Row]:
        yield ROWS[0]
        os._exit(1)

    aside = Aside(work, Row._make)
    try:
        assert aside.answers() is None
    finally:
        aside.end()
