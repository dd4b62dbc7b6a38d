from pathlib import Path

import pytest

from oxy.actions.going import MovedError
from oxy.actions.merge import merge
from oxy.actions.naming import SeveralHeadsError
from oxy.actions.uncommit import NothingRecordedError, uncommit
from oxy.actions.unrecord import NeededError
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path)
    shop.commit("base", a="1\n")
    shop.commit("two", a="2\n", b="b\n")
    return shop


def test_what_it_did_shows_as_local_edits(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = uncommit(copy)
    assert (done.message, done.bookmark) == (b"two", b"main")
    assert shop.base() == Name((1,))
    assert shop.differs() == [(b"a", "modified"), (b"b", "added")]
    assert shop.read("a") == "2\n"
    assert shop.commit("again") != done.id
    assert shop.differs() == []


def test_a_change_that_nothing_depends_on_may_be_named(shop: Workshop) -> None:
    shop.commit("apart", c="c\n")
    shop.switch("@", create="other")
    with shop.copy() as copy:
        second = copy.repository.store.id_of(1, 2).hex().encode()
        uncommit(copy, second)
    assert shop.base() == Name((1, 3), (2,))
    assert shop.differs() == [(b"a", "modified"), (b"b", "added")]


def test_one_that_others_depend_on_stays(shop: Workshop) -> None:
    with shop.copy() as copy:
        first = copy.repository.store.id_of(1, 1).hex().encode()
        with pytest.raises(NeededError):
            uncommit(copy, first)
    assert shop.base() == Name((2,))


def test_of_several_newest_ones_none_is_taken_unnamed(shop: Workshop) -> None:
    shop.switch("@", create="topic")
    shop.commit("three", c="c\n")
    shop.switch("main")
    shop.commit("four", d="d\n")
    with shop.copy() as copy:
        merge(copy, [b"topic"])
    with shop.copy() as copy, pytest.raises(SeveralHeadsError):
        uncommit(copy)


def test_nothing_can_be_taken_from_nothing(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    with shop.copy() as copy, pytest.raises(NothingRecordedError):
        uncommit(copy)


def test_a_bookmark_that_moved_meanwhile_is_left_where_it_is(shop: Workshop) -> None:
    with shop.repository() as repository, writing(repository, Stamp(1, 0, b"", b"x")) as work:
        work.move(Ref(BOOKMARK, b"main"), Target(Name((1,))))
    with shop.copy() as copy, pytest.raises(MovedError):
        uncommit(copy)
