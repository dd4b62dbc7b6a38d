import pytest
from pyroaring import BitMap

from oxy.actions.blame import NotTextError
from oxy.actions.lineage import Stretch, lineage, stretch, text_lines
from oxy.model.operation import KIND_BINARY
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History, Made


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def changes(history: History, head: int, first: int, last: int) -> list[int]:
    return list(lineage(history.repository, Name((head,)), b"f", first, last).changes)


def test_lines_come_from_those_whose_place_they_took(history: History) -> None:
    first = history.commit({b"f": b"a\nb\nc\nd\n"})
    second = history.commit({b"f": b"a\nB\nc\nd\n"}, first)
    other = history.commit({b"f": b"a\nB\nc\nD\n"}, second)
    third = history.commit({b"f": b"a\nBB\nc\nD\n"}, other)
    assert changes(history, third, 2, 2) == [first, second, third]
    assert changes(history, third, 4, 4) == [first, other]
    assert changes(history, third, 1, 1) == [first]


def test_what_died_between_lines_is_theirs(history: History) -> None:
    first = history.commit({b"f": b"a\nd\n"})
    second = history.commit({b"f": b"a\nx\nd\n"}, first)
    third = history.commit({b"f": b"a\nd\n"}, second)
    assert changes(history, third, 1, 2) == [first, second, third]
    assert changes(history, third, 1, 1) == [first]


def test_part_of_a_block_goes_back_to_what_goes_together_with_it(history: History) -> None:
    first = history.commit({b"f": b"a\nb\n"})
    second = history.commit({b"f": b"a\nbb\n"}, first)
    third = history.commit({b"f": b"A\nB\n"}, second)
    assert changes(history, third, 1, 1) == [first, third]
    assert changes(history, third, 1, 2) == [first, second, third]


def test_a_change_is_told_by_one_hunk_of_those_lines(history: History) -> None:
    first = history.commit({b"f": b"a\nb\nc\nd\n"})
    second = history.commit({b"f": b"A\nb\nx\nc\nD\n"}, first)
    repository = history.repository
    of = lineage(repository, Name((second,)), b"f", 2, 4)
    assert of.changes == BitMap([first, second])
    made, edit = (stretch(repository, change, of) for change in of.changes)
    assert isinstance(made, Stretch)
    assert isinstance(edit, Stretch)
    assert (made.hunk.header(), made.hunk.lines) == (b"@@ -0,0 +2,2 @@", [b"+b", b"+c"])
    assert made.hunk.new_start == 1
    assert edit.hunk.header() == b"@@ -2,2 +2,3 @@"
    assert edit.hunk.lines == [b" b", b"+x", b" c"]


def test_lines_that_go_have_their_place_in_what_is_left(history: History) -> None:
    first = history.commit({b"f": b"a\nb\nc\n"})
    gone = history.commit({b"f": b"a\nc\n"}, first)
    back = history.commit({b"f": b"a\nb\nc\n"}, gone)
    repository = history.repository
    of = lineage(repository, Name((first,)), b"f", 2, 2)
    found = stretch(repository, gone, of)
    assert found is not None
    assert (found.hunk.header(), found.hunk.lines) == (b"@@ -2 +1,0 @@", [b"-b"])
    # What comes back may be the same line or another one: either way it has a place.
    assert changes(history, back, 1, 3)[:1] == [first]


def test_a_file_is_followed_to_its_old_name(history: History) -> None:
    first = history.commit({b"g": b"a\nb\n"})
    moved = history.commit({b"f": Made(b"a\nB\n", moved_from=b"g")}, first)
    repository = history.repository
    of = lineage(repository, Name((moved,)), b"f", 2, 2)
    found = stretch(repository, moved, of)
    assert found is not None
    assert (found.file.old_path, found.file.new_path) == (b"g", b"f")
    made = stretch(repository, first, of)
    assert made is not None
    assert made.file.new_path == b"g"


def test_lines_of_a_state_are_numbered_as_in_blame(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    left = history.commit({b"f": b"a\nL\nc\n"}, base)
    right = history.commit({b"f": b"a\nR\nc"}, base)
    lines = text_lines(history.repository, Name((left, right)), b"f")
    assert sorted(lines) == [b"L", b"R", b"a", b"c"]


def test_what_is_no_text_has_no_lines(history: History) -> None:
    change = history.commit({b"f": Made(b"\0", kind=KIND_BINARY)})
    with pytest.raises(NotTextError):
        text_lines(history.repository, Name((change,)), b"f")
