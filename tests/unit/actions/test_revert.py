from pathlib import Path

import pytest

from oxy.actions.membership import NotHereError
from oxy.actions.revert import revert
from oxy.repo.states import Name
from oxy.worktree.checkout import WouldOverwriteError
from tests.builders.workshop import ADA, Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path)
    shop.commit("base", a="1\n2\n3\n")
    shop.commit("two", a="1\ntwo\n3\n")
    shop.commit("three", a="1\ntwo\nthree\n")
    return shop


def name(shop: Workshop, change: int) -> bytes:
    with shop.repository() as repository:
        return repository.store.id_of(1, change).hex().encode()


def test_what_takes_a_change_back_is_recorded_on_the_state(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = revert(copy, [name(shop, 2)], author=ADA)
    assert [message.split(b"\n")[0] for _, message in done.recorded] == [b'Revert "two"']
    assert shop.base() == Name((4,))
    assert shop.read("a") == "1\n2\nthree\n"
    assert shop.differs() == []


def test_several_are_taken_back_from_the_newest_on(shop: Workshop) -> None:
    shop.commit("four", a="1\ntwo\nfour\n")
    with shop.copy() as copy:
        done = revert(copy, [name(shop, 3), name(shop, 4)], b"both", ADA)
    assert [message for _, message in done.recorded] == [b"both", b"both"]
    assert shop.base() == Name((6,))
    assert shop.read("a") == "1\ntwo\n3\n"


def test_against_what_came_since_it_stands_as_a_side_of_its_own(shop: Workshop) -> None:
    shop.commit("since", a="1\nTWO\nthree\n")
    with shop.copy() as copy:
        done = revert(copy, [name(shop, 2)], author=ADA)
        assert copy.repository.states.link(5).context == Name((2,))
    assert [conflict.path for conflict in done.joined.outcome.conflicts] == [b"a"]
    assert shop.base() == Name((4, 5))


def test_a_question_leaves_nothing_behind(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = revert(copy, [name(shop, 2)], author=ADA, dry_run=True)
        assert [file.path for file in done.joined.outcome.files] == [b"a"]
        assert copy.repository.store.count(1) == 3
        assert copy.base.state == Name((3,))
    assert shop.read("a") == "1\ntwo\nthree\n"


def test_what_is_not_there_cannot_be_taken_back(shop: Workshop) -> None:
    gone = name(shop, 3)
    shop.switch(name(shop, 2).decode())
    with shop.copy() as copy, pytest.raises(NotHereError):
        revert(copy, [gone], author=ADA)


def test_files_in_the_way_keep_the_bookmark_where_it_is(shop: Workshop) -> None:
    shop.write("a", "mine\n")
    with shop.copy() as copy, pytest.raises(WouldOverwriteError):
        revert(copy, [name(shop, 2)], author=ADA)
    assert shop.base() == Name((3,))
    assert shop.read("a") == "mine\n"
