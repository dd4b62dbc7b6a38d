from pathlib import Path

import pytest

from oxy.actions.fold import OneChangeError, fold
from oxy.actions.newest import Newest
from oxy.actions.rebase import rebase
from oxy.actions.reorder import SamePlaceError, reorder
from oxy.actions.split import NoPartError, split
from oxy.repo.rewriting.refusal import NeededError
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Return a working copy on main: four changes of a file each, the last on the second's."""
    shop = Workshop(tmp_path)
    shop.commit("a", a="a\n")
    shop.commit("b", b="b\n")
    shop.commit("c", c="c\n")
    shop.commit("d", b="b\nd\n")
    return shop


def name(shop: Workshop, change: int) -> bytes:
    with shop.repository() as repository:
        return repository.store.id_of(1, change).hex().encode()


def log(shop: Workshop) -> str:
    """Return the messages of the state, oldest first."""
    state = shop.base()
    with shop.repository() as repository:
        found = [step.header.message.decode() for step in Newest(repository, state)]
    return "".join(reversed(found))


@pytest.mark.parametrize(
    ("change", "other", "is_after", "order"),
    [
        (4, 3, False, "abdc"),
        (1, 2, True, "bacd"),
        (1, 4, True, "bcda"),
        (1, 3, False, "bacd"),
        (3, 1, False, "cabd"),
        (4, 2, True, "abdc"),
    ],
)
def test_a_change_stands_where_it_is_put(
    shop: Workshop, change: int, other: int, order: str, *, is_after: bool
) -> None:
    with shop.copy() as copy:
        done = reorder(copy, name(shop, change), name(shop, other), is_after=is_after)
    assert done is not None
    assert log(shop) == order
    assert len(shop.base().heads) == 1
    assert shop.differs() == []


def test_where_it_stands_there_already_nothing_is_done(shop: Workshop) -> None:
    with shop.copy() as copy:
        assert reorder(copy, name(shop, 4), name(shop, 3), is_after=True) is None
        assert reorder(copy, name(shop, 3), name(shop, 4), is_after=False) is None


def test_a_change_does_not_pass_what_it_depends_on(shop: Workshop) -> None:
    with shop.copy() as copy, pytest.raises(NeededError) as caught:
        reorder(copy, name(shop, 4), name(shop, 1), is_after=True)
    assert [need.hex().encode() for need in caught.value.needs] == [name(shop, 2)]
    with shop.copy() as copy, pytest.raises(NeededError):
        reorder(copy, name(shop, 2), name(shop, 4), is_after=True)
    with shop.copy() as copy, pytest.raises(SamePlaceError):
        reorder(copy, name(shop, 2), name(shop, 2), is_after=True)
    assert log(shop) == "abcd"


def test_changes_that_are_made_one_stand_where_the_first_stood(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = fold(copy, [name(shop, 4), name(shop, 2)])
    assert done.replacements[0].message == b"b\n\nd"
    assert log(shop) == "ab\n\ndc"
    assert shop.differs() == []


def test_or_where_one_of_them_stood(shop: Workshop) -> None:
    with shop.copy() as copy:
        fold(copy, [name(shop, 1)], into=name(shop, 3))
    assert log(shop) == "bcd"
    with shop.copy() as copy, pytest.raises(OneChangeError):
        fold(copy, [b"@"])


def test_a_change_becomes_two(shop: Workshop) -> None:
    shop.commit("e", a="A\n", c="C\n")
    with shop.copy() as copy:
        split(copy, b"@", [b"c"], b"f")
    assert log(shop) == "abcdfe"
    assert shop.differs() == []


@pytest.mark.parametrize("path", [b"", b"b", b"nowhere"])
def test_a_change_does_not_become_one_and_nothing(shop: Workshop, path: bytes) -> None:
    with shop.copy() as copy, pytest.raises(NoPartError) as caught:
        split(copy, b"@", [path])
    assert caught.value.is_whole == (path != b"nowhere")


def test_a_change_and_what_knows_it_go_onto_another_state(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = rebase(copy, name(shop, 3), name(shop, 2))
    assert done is None
    with shop.copy() as copy, pytest.raises(NeededError):
        rebase(copy, name(shop, 3), name(shop, 1))
    shop.switch(name(shop, 2).decode(), "topic")
    shop.commit("x", x="x\n")
    shop.switch("main")
    with shop.copy() as copy:
        done = rebase(copy, name(shop, 4), b"topic")
    assert done is not None
    assert [left.hex().encode() for left in done.left_out] == [name(shop, 3)]
    assert done.went == (1, 1)
    assert log(shop) == "abxd"
    assert shop.differs() == []
