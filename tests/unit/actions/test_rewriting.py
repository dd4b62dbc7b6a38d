from pathlib import Path

import pytest

from oxy.actions.arriving import arrive
from oxy.actions.going import MovedMeanwhileError
from oxy.actions.reword import reword
from oxy.actions.switch import switch
from oxy.actions.undo import undo
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import opened
from oxy.repo.sides import Sides, came
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import OPERATION
from oxy.worktree.row import UNKNOWN
from tests.builders.workshop import Workshop

STAMP = Stamp(1, 0, b"ann", b"x")
MAIN = Ref(BOOKMARK, b"main")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Return a working copy on main: 1 with two files, 2 on one of them."""
    shop = Workshop(tmp_path)
    shop.commit("base", a="1\n2\n", b="b\n")
    shop.commit("more", a="1\n2\n3\n")
    return shop


def name(shop: Workshop, change: int) -> bytes:
    with shop.repository() as repository:
        return repository.store.id_of(1, change).hex().encode()


def test_the_names_move_in_one_operation_and_undo_takes_it_back(shop: Workshop) -> None:
    before = shop.base()
    with shop.copy() as copy:
        reword(copy, name(shop, 1), lambda _: b"first")
    assert shop.base() == Name((4,))
    with shop.repository() as repository:
        assert repository.refs.get(MAIN) == Target(Name((4,)))
        count = repository.store.count(OPERATION)
    with shop.copy() as copy:
        assert undo(copy).command.startswith(b"reword")
    assert shop.base() == before
    with shop.repository() as repository:
        assert repository.refs.get(MAIN) == Target(before)
        assert repository.store.count(OPERATION) == count + 1


def test_a_trial_leaves_nothing_behind(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = reword(copy, name(shop, 1), lambda _: b"first", is_trial=True)
    assert done is not None
    assert [new.follows for new in done.replacements] == [False, True]
    with shop.repository() as repository:
        assert repository.store.count(1) == 2
    assert shop.base() == Name((2,))


def test_what_is_known_of_the_files_is_known_still(shop: Workshop) -> None:
    shop.differs()
    with shop.copy() as copy:
        row = copy.manifest.row(b"")
        assert row is not None
        records = [entry.record for entry in row.entries()]
        reword(copy, name(shop, 1), lambda _: b"first")
        row = copy.manifest.row(b"")
        assert row is not None
        assert [entry.record for entry in row.entries()] in (records, [UNKNOWN, UNKNOWN])
    assert shop.differs() == []


def test_edits_stay_edits(shop: Workshop) -> None:
    shop.write("a", "0\n1\n2\n3\n")
    shop.write("new", "x\n")
    with shop.copy() as copy:
        reword(copy, name(shop, 1), lambda _: b"first")
    assert shop.differs() == [(b"a", "modified"), (b"new", "added")]
    assert shop.read("a") == "0\n1\n2\n3\n"


def test_other_names_keep_the_old_changes_and_that_is_told(shop: Workshop) -> None:
    with shop.copy() as copy:
        switch(copy, name(shop, 1), b"early")
    shop.switch("main")
    with shop.copy() as copy:
        done = reword(copy, name(shop, 2), lambda _: b"other")
        assert done is not None
        assert done.kept_by == ()
        done = reword(copy, name(shop, 1), lambda _: b"first")
        assert done is not None
        assert done.kept_by == (b"early",)


def test_without_a_bookmark_only_the_files_go(shop: Workshop) -> None:
    shop.switch(name(shop, 2).decode())
    with shop.copy() as copy:
        done = reword(copy, name(shop, 1), lambda _: b"first")
    assert done is not None
    assert done.bookmark is None
    assert done.kept_by == (b"main",)
    with shop.repository() as repository:
        assert repository.refs.get(MAIN) == Target(Name((2,)))


def test_whose_side_a_change_is_on_stays_known(shop: Workshop) -> None:
    shop.switch(name(shop, 1).decode(), "topic")
    shop.commit("theirs", c="c\n")
    shop.switch("main")
    with shop.copy() as copy:
        copy.look()
        arrive(copy, STAMP, Name((2, 3)), b"main", Sides(Name((2,)), Name((3,))))
    with shop.copy() as copy:
        reword(copy, name(shop, 3), lambda _: b"said better")
    with shop.repository() as repository:
        here = repository.refs.get(HERE)
        assert here is not None
        assert list(came(repository, here)) == [4]


def test_what_another_process_moved_is_left_alone(shop: Workshop) -> None:
    with shop.copy() as copy:
        copy.look()
        with opened(bytes(shop.root)) as other, writing(other, STAMP) as work:
            work.move(HERE, Target(Name((1,))))
        with pytest.raises(MovedMeanwhileError):
            reword(copy, name(shop, 1), lambda _: b"first")
