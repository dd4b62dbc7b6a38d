from pathlib import Path

import pytest

from oxy.actions import shelve as module
from oxy.actions.merge import merge
from oxy.actions.shelve import drop, shelve, unshelve
from oxy.actions.shelves import ShelfConflictError, shelves
from oxy.repo.refs import SHELF, Ref
from oxy.repo.states import Name
from oxy.worktree.unmarked import MarkersLeftError
from tests.builders.workshop import ADA, Workshop


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    monkeypatch.setenv("OXY_AUTHOR", ADA.decode())
    shop = Workshop(tmp_path)
    shop.commit("base", a="1\n2\n3\n", b="b\n")
    return shop


def test_a_shelf_is_a_change_that_only_it_holds(shop: Workshop) -> None:
    shop.write("a", "one\n2\n3\n")
    with shop.copy() as copy:
        done = shelve(copy, b"x", None)
        assert done.shelf is not None
        assert done.shelf.header.message == b"Put aside on main"
        target = copy.repository.refs.get(Ref(SHELF, b"x"))
        assert target is not None
        assert target.state == Name((2,))
        assert copy.base.state == Name((1,))
    assert shop.read("a") == "1\n2\n3\n"
    assert shop.differs() == []


def test_what_is_stored_is_not_lost_where_the_files_cannot_be_written(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("a", "one\n2\n3\n")

    def failing(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "take", failing)
    with shop.copy() as copy, pytest.raises(OSError, match="No space"):
        shelve(copy, b"x", None)
    assert shop.read("a") == "one\n2\n3\n"
    with shop.repository() as repository:
        assert [shelf.name for shelf in shelves(repository)] == [b"x"]


def test_nothing_is_put_aside_where_nothing_differs(shop: Workshop) -> None:
    with shop.copy() as copy:
        assert shelve(copy, None, None).shelf is None
        assert copy.repository.store.count(1) == 1


def test_the_newest_is_taken_up_if_none_is_named(shop: Workshop) -> None:
    for name, text in ((b"z", "z\n"), (b"y", "y\n")):
        shop.write("new", text)
        with shop.copy() as copy:
            shelve(copy, name, b"why")
    with shop.copy() as copy:
        assert unshelve(copy, None).shelf.name == b"y"
    assert shop.read("new") == "y\n"
    with shop.copy() as copy:
        assert [shelf.name for shelf in shelves(copy.repository)] == [b"z"]


def test_an_edit_of_a_file_that_is_gone_is_in_conflict(shop: Workshop) -> None:
    shop.write("b", "B\n")
    with shop.copy() as copy:
        shelve(copy, b"x", None)
    shop.commit("gone", b=None)
    with shop.copy() as copy, pytest.raises(ShelfConflictError, match="here: b"):
        unshelve(copy, b"x")


def test_a_dropped_shelf_leaves_its_change(shop: Workshop) -> None:
    shop.write("b", "B\n")
    with shop.copy() as copy:
        shelve(copy, b"x", None)
        drop(copy.repository, b"x")
        assert copy.repository.store.count(1) == 2
        assert not list(shelves(copy.repository))


def test_markers_are_not_put_aside(shop: Workshop) -> None:
    shop.switch("@", create="topic")
    shop.commit("two", a="1\ntwo\n3\n")
    shop.switch("main")
    shop.commit("zwei", a="1\nzwei\n3\n")
    with shop.copy() as copy:
        merge(copy, [b"topic"])
    shop.write("a", shop.read("a").replace("zwei\n", ""))
    with shop.copy() as copy, pytest.raises(MarkersLeftError):
        shelve(copy, None, None)
