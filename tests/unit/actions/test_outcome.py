import pytest

from oxy.actions.outcome import Author, Conflict, FileChange, outcome
from oxy.model.operation import KIND_SYMLINK
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import AUTHOR, History, Made

BOB = b"Bob <bob@example.org>"


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def test_changes_are_counted_by_author_the_busiest_first(history: History) -> None:
    one = history.commit({b"f": b"1\n"}, author=AUTHOR)
    two = history.commit({b"f": b"2\n"}, one, author=BOB)
    three = history.commit({b"f": b"3\n"}, two, author=BOB)
    found = outcome(history.repository, Name(), Name((three,)))
    assert (found.came, found.went) == (3, 0)
    assert found.authors == (Author(BOB, 2), Author(AUTHOR, 1))
    back = outcome(history.repository, Name((three,)), Name((one,)))
    assert (back.came, back.went) == (0, 2)
    assert back.authors == (Author(BOB, 2),)


def test_files_are_told_by_how_they_differ(history: History) -> None:
    one = history.commit(
        {b"gone": b"1\n", b"old": b"2\n", b"run": b"3\n", b"edit": b"4\n", b"kind": b"5\n"}
    )
    two = history.commit(
        {
            b"gone": None,
            b"new": Made(b"2\n", moved_from=b"old"),
            b"run": Made(b"3\n", mode=1),
            b"edit": b"4!\n",
            b"link": Made(b"edit", kind=KIND_SYMLINK),
        },
        one,
    )
    assert outcome(history.repository, Name((one,)), Name((two,))).files == (
        FileChange(b"edit", "modified"),
        FileChange(b"gone", "deleted"),
        FileChange(b"link", "added"),
        FileChange(b"new", "renamed", b"old"),
        FileChange(b"run", "modified"),
    )


def test_another_file_at_a_path_is_a_modification(history: History) -> None:
    one = history.commit({b"f": b"1\n", b"g": b"2\n"})
    two = history.commit({b"f": None}, one)
    three = history.commit({b"f": b"1\n"}, two)
    swapped = history.commit(
        {b"f": Made(b"2\n", moved_from=b"g"), b"h": Made(b"1\n", moved_from=b"f")}, one
    )
    found = outcome(history.repository, Name((one,)), Name((three,)))
    assert found.files == (FileChange(b"f", "modified"),)
    found = outcome(history.repository, Name((one,)), Name((swapped,)))
    assert found.files == (
        FileChange(b"f", "renamed", b"g"),
        FileChange(b"h", "renamed", b"f"),
    )


def test_conflicts_are_those_of_the_later_state(history: History) -> None:
    base = history.commit({b"f": b"a\nb\n"})
    one = history.commit({b"f": b"a\nx\nb\n"}, base)
    other = history.commit({b"f": b"a\ny\nb\n", b"g": b"g\n"}, base, author=BOB)
    both = Name((one, other))
    assert outcome(history.repository, Name((one,)), both).conflicts == (
        Conflict(b"f", ("text",)),
    )
    assert outcome(history.repository, both, Name((one,))).conflicts == ()
