import pytest

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.worktree.conflicted import content, marked_in
from oxy.worktree.unmarked import read_back
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def union(history: History, *changes: int) -> Name:
    return history.repository.states.join(tuple(Name((change,)) for change in changes))


def shown(history: History, *changes: int) -> bytes:
    """Return f as the working copy has it in the union of the states of changes."""
    repository = history.repository
    name = union(history, *changes)
    entry = get(tree_of(repository, name), b"f")
    assert entry is not None
    return b"".join(content(repository, entry.node, repository.states.members(name)))


def in_order(history: History, *changes: int) -> list[bytes]:
    """Return the labels' beginnings in the order in which the sides are written."""
    return [name[:6].hex().encode() for name in sorted(map(history.id, changes))]


def test_a_conflict_names_its_sides_in_the_order_of_their_ids(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    one = history.commit({b"f": b"a\nX\nc\n"}, base, message=b"One", author=b"Ada <a@x>")
    other = history.commit({b"f": b"a\nY\nc\n"}, base, message=b"One", author=b"Ada <a@x>")
    first, last = in_order(history, one, other)
    text = {first: b"X\n", last: b"Y\n"}
    if history.id(one) > history.id(other):
        text = {first: b"Y\n", last: b"X\n"}
    assert shown(history, one, other) == (
        b"a\n<<<<<<< %b Ada: One\n%b||||||| base\nb\n=======\n%b>>>>>>> %b Ada: One\nc\n"
        % (first, text[first], text[last], last)
    )


def test_three_sides_are_all_named_between_one_pair_of_markers(history: History) -> None:
    base = history.commit({b"f": b"b\n"})
    sides = [history.commit({b"f": b"%d\n" % n}, base) for n in range(3)]
    lines = shown(history, *sides).split(b"\n")
    markers = [line for line in lines if line[:1] in b"<|=>" and line]
    names = in_order(history, *sides)
    assert [line[:7] for line in markers] == [b"<" * 7, b"|" * 7, b"=" * 7, b"=" * 7, b">" * 7]
    assert [line[8:20] for line in markers] == [names[0], b"base", names[1], b"", names[2]]


def test_a_hostile_message_cannot_end_the_line_or_reach_the_terminal(history: History) -> None:
    base = history.commit({b"f": b"b\n"})
    bad = b"\x1b]0;x\x07\r>>>>>>> \xe2\x80\xae\n=======\n"
    one = history.commit({b"f": b"X\n"}, base, message=bad, author=b"A\x1b[2JB <x@y>")
    other = history.commit({b"f": b"Y\n"}, base, message=b"x" * 5000)
    text = shown(history, one, other)
    assert len(text.split(b"\n")) == 8
    assert b"\x1b" not in text
    assert b"\r" not in text
    assert max(map(len, text.split(b"\n"))) < 150


def test_the_lines_of_markers_end_as_those_of_the_text(history: History) -> None:
    base = history.commit({b"f": b"a\r\nb\r\n"})
    one = history.commit({b"f": b"a\r\nX\r\n"}, base)
    other = history.commit({b"f": b"a\r\nY\r\n"}, base)
    text = shown(history, one, other)
    assert text.count(b"\n") == text.count(b"\r\n") == 8


def test_markers_are_longer_than_any_like_line_of_the_base_too(history: History) -> None:
    base = history.commit({b"f": b"a\n=========\n"})
    one = history.commit({b"f": b"a\nX\n"}, base)
    other = history.commit({b"f": b"a\nY\n"}, base)
    assert b"\n==========\n" in shown(history, one, other)


def test_without_final_lf_the_last_marker_has_none(history: History) -> None:
    base = history.commit({b"f": b"a\nb"})
    one = history.commit({b"f": b"X"}, base)
    other = history.commit({b"f": b"a\nY"}, base)
    text = shown(history, one, other)
    assert not text.endswith(b"\n")
    assert text.split(b"\n")[-1].startswith(b">>>>>>> ")
    state = history.repository.states.members(union(history, one, other))
    assert read_back(marked_in(history.repository, 1, state), text).kept == (0,)


def test_the_same_conflict_twice_is_two_blocks(history: History) -> None:
    base = history.commit({b"f": b"b\nm\nb\n"})
    one = history.commit({b"f": b"X\nm\nX\n"}, base)
    other = history.commit({b"f": b"Y\nm\nY\n"}, base)
    state = history.repository.states.members(union(history, one, other))
    text = marked_in(history.repository, 1, state)
    first, last = text.blocks
    assert first == last
    assert read_back(text, text.with_blocks([b"X\n", last.marked])).kept == (1,)


def test_a_clean_text_is_as_it_is(history: History) -> None:
    base = history.commit({b"f": b"a\nb"})
    assert shown(history, base) == b"a\nb"
