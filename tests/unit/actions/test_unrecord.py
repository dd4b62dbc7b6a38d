from pathlib import Path

import pytest
from pyroaring import BitMap

from oxy.actions.membership import NotHereError
from oxy.actions.pick import pick
from oxy.actions.unrecord import NAMED, NeededError, needed, unrecord
from oxy.repo.states import Name
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Return a working copy on main: 1, 2 on its text, 3 that needs 2, and 4 apart."""
    shop = Workshop(tmp_path)
    shop.commit("base", a="1\n2\n3\n")
    shop.commit("two", a="1\ntwo\n3\n")
    shop.commit("more", a="1\ntwo!\n3\n")
    shop.commit("apart", b="b\n")
    return shop


def name(shop: Workshop, change: int) -> bytes:
    with shop.repository() as repository:
        return repository.store.id_of(1, change).hex().encode()


def test_the_newest_goes_and_the_state_is_as_before(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = unrecord(copy, [b"main"])
    assert done.joined.outcome.went == 1
    assert shop.base() == Name((3,))
    assert not (shop.root / "b").exists()
    assert shop.differs() == []


def test_one_from_the_midst_goes_and_is_absent_then(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = unrecord(copy, [name(shop, 3)])
    assert done.joined.outcome.went == 1
    assert shop.base() == Name((2, 4), (3,))
    assert shop.read("a") == "1\ntwo\n3\n"
    with shop.copy() as copy:
        pick(copy, [name(shop, 3)])
    assert shop.base() == Name((4,))
    assert shop.read("a") == "1\ntwo!\n3\n"


def test_those_that_depend_on_it_are_named_and_nothing_is_done(shop: Workshop) -> None:
    with shop.copy() as copy, pytest.raises(NeededError, match="more") as caught:
        unrecord(copy, [name(shop, 2)])
    assert [each.hex().encode() for each in caught.value.needed_by] == [name(shop, 3)]
    assert shop.base() == Name((4,))


def test_those_that_depend_on_it_go_along_if_asked_or_named(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = unrecord(copy, [name(shop, 2)], with_dependents=True, dry_run=True)
        assert done.along == (3,)
        assert done.joined.went is None
        done = unrecord(copy, [name(shop, 3), name(shop, 2)])
        assert done.along == ()
    assert shop.base() == Name((1, 4), (3,))
    assert shop.read("a") == "1\n2\n3\n"


def test_what_is_not_in_the_state_cannot_be_taken_from_it(shop: Workshop) -> None:
    with shop.copy() as copy:
        unrecord(copy, [b"main"])
    with shop.copy() as copy, pytest.raises(NotHereError):
        unrecord(copy, [name(shop, 4)])


def test_an_error_names_only_the_first_of_many(shop: Workshop) -> None:
    for number in range(NAMED):
        shop.commit(f"number {number}", b=f"{number}\n")
    with shop.repository() as repository:
        error = needed(repository, BitMap(range(1, NAMED + 4)))
    assert str(error).endswith("and 3 more")
    assert len(error.needed_by) == NAMED
