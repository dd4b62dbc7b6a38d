import pytest

from oxy.actions.blame import Line, Mark, blame
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History, Made


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def told(history: History, *heads: int) -> list[tuple[int, bytes, int]]:
    store = history.repository.store
    return [
        (line.number, line.text, store.number_of(1, line.change) or 0)
        for line in blame(history.repository, Name(heads), b"f")
    ]


def test_each_line_keeps_the_change_that_made_it(history: History) -> None:
    first = history.commit({b"f": b"a\nb\nc\n"})
    second = history.commit({b"f": b"a\nB\nc\nd\n"}, first)
    assert told(history, second) == [
        (1, b"a", first),
        (2, b"B", second),
        (3, b"c", first),
        (4, b"d", second),
    ]


def test_a_merge_that_needs_no_change_is_blamed_through(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    left = history.commit({b"f": b"A\nb\nc\n"}, base)
    right = history.commit({b"f": b"a\nb\nC\n"}, base)
    assert told(history, left, right) == [(1, b"A", left), (2, b"b", base), (3, b"C", right)]


def test_the_sides_of_a_conflict_stand_one_after_the_other(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    left = history.commit({b"f": b"a\nL\nc\n"}, base)
    right = history.commit({b"f": b"a\nR\nc\n"}, base)
    lines = blame(history.repository, Name((left, right)), b"f")
    first, second = sorted([(history.id(left), b"L"), (history.id(right), b"R")])
    assert [(line.change, line.text) for line in lines[1:3]] == [first, second]
    marks = [None, Mark(1, 1, 2), Mark(1, 2, 2), None]
    assert [line.mark for line in lines] == marks
    assert [line.number for line in lines] == [1, 2, 3, 4]


def test_a_line_that_several_sides_have_is_listed_for_each(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\nd\n"})
    left = history.commit({b"f": b"a\nb\nx\nc\nd\n"}, base)
    right = history.commit({b"f": b"a\nd\n"}, base)
    lines = blame(history.repository, Name((left, right)), b"f")
    assert sorted(line.text for line in lines if line.mark) == [b"b", b"c", b"x"]
    other = history.commit({b"f": b"a\nb\ny\nc\nd\n"}, base)
    lines = blame(history.repository, Name((left, right, other)), b"f")
    texts: dict[int, bytes] = {}
    for line in lines:
        if line.mark:
            texts[line.mark.side] = texts.get(line.mark.side, b"") + line.text
    assert sorted(texts.values()) == [b"bxc", b"byc"]
    assert {line.mark.sides for line in lines if line.mark} == {3}


def test_an_empty_file_has_no_lines(history: History) -> None:
    assert told(history, history.commit({b"f": b""})) == []


def test_a_last_line_without_lf_is_a_line(history: History) -> None:
    change = history.commit({b"f": b"a\nb"})
    assert told(history, change) == [(1, b"a", change), (2, b"b", change)]


def test_a_rename_keeps_the_blame(history: History) -> None:
    base = history.commit({b"g": b"a\nb\n"})
    moved = history.commit({b"f": Made(b"a\nB\n", moved_from=b"g")}, base)
    assert told(history, moved) == [(1, b"a", base), (2, b"B", moved)]


def test_a_line_that_a_resolution_brings_back_keeps_its_blame(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    emptied = history.commit({b"f": b""}, base)
    edited = history.commit({b"f": b"a\nb\nx\nc\n"}, base)
    resolved = history.commit({b"f": b"a\nx\nnew\n"}, emptied, edited)
    assert told(history, resolved) == [
        (1, b"a", base),
        (2, b"x", edited),
        (3, b"new", resolved),
    ]


def went(lines: list[Line]) -> list[tuple[bytes, int, list[bytes] | None]]:
    return [
        (
            line.text,
            line.number,
            None if line.deleted is None else [o.header.message for o in line.deleted],
        )
        for line in lines
    ]


def test_deleted_lines_stand_in_their_places_with_what_deleted_them(history: History) -> None:
    first = history.commit({b"f": b"z\na\nb\nc\n"}, message=b"first")
    second = history.commit({b"f": b"a\nB\nc\n"}, first, message=b"second")
    third = history.commit({b"f": b"a\nB\n"}, second, message=b"third")
    lines = blame(history.repository, Name((third,)), b"f", deleted=True)
    assert went(lines) == [
        (b"z", 0, [b"second"]),
        (b"a", 1, None),
        (b"b", 0, [b"second"]),
        (b"B", 2, None),
        (b"c", 0, [b"third"]),
    ]


def test_a_line_that_two_deleted_names_the_first_of_them_first(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    late = history.commit({b"f": b"a\nc\n"}, base, message=b"late", hours=9)
    early = history.commit({b"f": b"a\nc\n"}, base, message=b"early", hours=5)
    other = history.commit({b"f": b"a\nc\n"}, base, message=b"unseen", hours=4)
    lines = blame(history.repository, Name((late, early)), b"f", deleted=True)
    assert went(lines)[1] == (b"b", 0, [b"early", b"late"])
    assert other > early


def test_a_deletion_of_another_state_deletes_nothing_here(history: History) -> None:
    base = history.commit({b"f": b"a\nb\n"})
    history.commit({b"f": b"a\n"}, base)
    lines = blame(history.repository, Name((base,)), b"f", deleted=True)
    assert went(lines) == [(b"a", 1, None), (b"b", 2, None)]
