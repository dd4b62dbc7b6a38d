from pathlib import Path

import pytest

from bench.beside.branches import MANY, can_branch, mark_of
from bench.beside.checks import Places, Told, wrong_in
from bench.beside.operations import (
    BOOKMARKS,
    CLEAN,
    COUNT,
    MERGE,
    MODIFIED,
    PICK,
    PULL,
    PUSH,
)
from bench.beside.trees import flat, heavy, long, write

TREE = flat(20)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = Places(*(str(tmp_path / name) for name in ("top", "other", "behind")))
    for place in made:
        write(place, TREE)
    return made


def test_a_status_shows_what_is_edited_and_nothing_else(places: Places) -> None:
    every = "\n".join(TREE.edited).encode()
    assert wrong_in(CLEAN, places, TREE, Told(b"", 0)) == ""
    assert wrong_in(CLEAN, places, TREE, Told(every, 0)) == "10 files shown as modified"
    assert wrong_in(MODIFIED, places, TREE, Told(every, 0)) == ""


def test_a_pull_leaves_what_was_pulled(places: Places) -> None:
    assert wrong_in(PULL, places, TREE, Told(b"", 0)) == ""
    (Path(places.top) / TREE.hot).write_text("edited\n")
    assert wrong_in(PULL, places, TREE, Told(b"", 0)) == f"{TREE.hot} differs"


def test_what_takes_from_a_branch_has_its_lines(places: Places) -> None:
    last = TREE.edited[-1]
    assert wrong_in(PICK, places, TREE, Told(b"", 0)) == f"{last} was not taken"
    (Path(places.top) / last).write_bytes(mark_of(TREE.edited, last) + b"\n")
    assert wrong_in(PICK, places, TREE, Told(b"", 0)) == ""
    assert wrong_in(MERGE, places, TREE, Told(b"", 0)) == f"{TREE.hot} was not taken"


def test_a_count_and_a_list_hold_all(places: Places) -> None:
    assert wrong_in(COUNT, places, TREE, Told(b"13\n", 12)) == ""
    assert wrong_in(COUNT, places, TREE, Told(b"12\n", 12)) == "12 changes"
    assert wrong_in(COUNT, places, TREE, Told(b"2\n1\n0\n", 2)) == ""
    some = b"bookmark\n" * 21
    assert wrong_in(BOOKMARKS, places, TREE, Told(some, 0)) == "21 bookmarks"
    more = b"bookmark x\n" * 20 + b"and %d more bookmarks\n" % (MANY - 20)
    assert wrong_in(BOOKMARKS, places, TREE, Told(more, 0)) == ""
    assert wrong_in(PUSH, places, TREE, Told(b"", 0)) == ""


def test_a_tree_of_few_or_large_files_has_no_branches() -> None:
    assert can_branch(TREE)
    assert not can_branch(flat(19))
    assert not can_branch(heavy(30, 1000))
    assert not can_branch(long(50))
