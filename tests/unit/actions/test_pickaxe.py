import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.pickaxe import Pickaxe
from oxy.actions.show import show
from oxy.model.operation import KIND_BINARY
from oxy.repo.repository import Repository
from tests.builders.history import History, Made

WORD = b"x"


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def differs(old: bytes, new: bytes) -> bool:
    return old.count(WORD) != new.count(WORD)


def matches(old: bytes, new: bytes) -> bool:
    return any(re.search(rb"^x", line) for line in (old + new).split(b"\n"))


def found(history: History, *changes: int, whole: bool = False) -> list[int]:
    axe = Pickaxe(history.repository, differs, whole=whole)
    nodes = axe.nodes(changes, None)
    return [change for change, some in zip(changes, nodes, strict=True) if some]


def test_changes_are_found_that_make_a_text_occur_more_or_less_often(history: History) -> None:
    first = history.commit({b"f": b"a\nx\n"})
    other = history.commit({b"f": b"a\nx\nb\n"}, first)
    moved = history.commit({b"f": b"x\na\nb\n"}, other)
    twice = history.commit({b"f": b"xx\na\nb\n"}, moved)
    gone = history.commit({b"f": b"a\nb\n"}, twice)
    assert found(history, first, other, moved, twice, gone) == [first, twice, gone]


def test_a_file_that_goes_takes_its_lines_and_one_that_moves_does_not(history: History) -> None:
    first = history.commit({b"f": b"x\n"})
    moved = history.commit({b"g": Made(b"x\nb\n", moved_from=b"f")}, first)
    gone = history.commit({b"g": None}, moved)
    assert found(history, first, moved, gone) == [first, gone]


def test_bytes_and_targets_are_looked_at_and_modes_are_not(history: History) -> None:
    first = history.commit({b"f": Made(b"\0x", kind=KIND_BINARY)})
    edit = history.commit({b"f": Made(b"\0xx", kind=KIND_BINARY)}, first)
    mode = history.commit({b"f": Made(b"\0xx", kind=KIND_BINARY, mode=1)}, edit)
    assert found(history, first, edit, mode) == [first, edit]


def test_some_nodes_alone_are_looked_at(history: History) -> None:
    change = history.commit({b"f": b"x\n", b"g": b"x\n"})
    axe = Pickaxe(history.repository, differs)
    (both,) = axe.nodes([change], None)
    assert len(both) == 2
    one = both.copy()
    one.discard(both.max())
    assert list(axe.nodes([change], one)) == [one]


def test_lines_are_those_that_were_added_or_removed(history: History) -> None:
    first = history.commit({b"f": b"x\nb\n"})
    beside = history.commit({b"f": b"x\nbx\n"}, first)
    renamed = history.commit({b"g": Made(b"x\nb\n", moved_from=b"f")}, beside)
    gone = history.commit({b"g": None}, renamed)
    axe = Pickaxe(history.repository, matches)
    changes = (first, beside, renamed, gone)
    nodes = axe.nodes(changes, None)
    assert [c for c, some in zip(changes, nodes, strict=True) if some] == [first, gone]


@given(st.lists(st.lists(st.sampled_from([b"x", b"ax", b"b"]), max_size=5), max_size=5))
def test_what_is_found_by_operations_is_found_by_comparing(texts: list[list[bytes]]) -> None:
    history = History(Repository.in_memory())
    heads: tuple[int, ...] = ()
    held: list[bytes] | None = None
    for lines in texts:
        if lines == held:
            continue
        held, text = lines, b"".join(line + b"\n" for line in lines)
        heads = (history.commit({b"f": text}, *heads),)
        for change in heads:
            diffs = list(show(history.repository, change))
            counts = [((d.old or b"").count(WORD), (d.new or b"").count(WORD)) for d in diffs]
            is_found = any(one != other for one, other in counts)
            assert bool(found(history, change)) == is_found
            assert bool(found(history, change, whole=True)) == is_found
