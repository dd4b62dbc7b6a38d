from pathlib import Path

import pytest

from oxy.actions.pick import pick
from oxy.repo.states import Name
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Return a working copy on main (change 1); topic has 2, 3 that needs it, and 4."""
    shop = Workshop(tmp_path)
    shop.commit("base", a="1\n2\n3\n")
    shop.switch("@", create="topic")
    shop.commit("two", a="1\ntwo\n3\n")
    shop.commit("more", a="1\ntwo!\n3\n")
    shop.commit("apart", b="b\n")
    shop.switch("main")
    return shop


def name(shop: Workshop, change: int) -> bytes:
    with shop.repository() as repository:
        return repository.store.id_of(1, change).hex().encode()


def test_a_change_comes_with_what_it_depends_on_and_nothing_else(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = pick(copy, [name(shop, 3)])
    assert done.along == (2,)
    assert done.joined.outcome.came == 2
    assert shop.base() == Name((3,))
    assert shop.read("a") == "1\ntwo!\n3\n"
    assert not (shop.root / "b").exists()


def test_what_a_picked_change_knew_and_did_not_bring_is_absent(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = pick(copy, [b"topic"])
    assert done.along == ()
    assert shop.base() == Name((1, 4), (3,))
    assert shop.read("a") == "1\n2\n3\n"
    assert shop.read("b") == "b\n"


def test_several_are_picked_at_once(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = pick(copy, [b"topic", name(shop, 3)], dry_run=True)
        assert done.joined.went is None
        done = pick(copy, [b"topic", name(shop, 3)])
    assert done.along == (2,)
    assert shop.base() == Name((4,))
