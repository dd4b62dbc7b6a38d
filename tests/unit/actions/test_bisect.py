from pathlib import Path

import pytest

from oxy.actions import bisect
from oxy.actions.bisect import (
    BAD,
    GOOD,
    SKIP,
    ContradictionError,
    NotSearchingError,
    Search,
    SearchingError,
)
from oxy.actions.bookmarks import delete
from oxy.actions.going import Went
from oxy.actions.merge import merge
from oxy.actions.undo import undo
from oxy.repo.refs import BOOKMARK, HERE, Ref
from oxy.repo.states import Name
from oxy.repo.writing import Stamp
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Return eight changes of one file; the fifth broke it."""
    shop = Workshop(tmp_path)
    for number in range(1, 9):
        shop.commit(f"{number}", a=f"{number}\n", broken="yes\n" if number >= 5 else "no\n")
    return shop


def name(shop: Workshop, change: int) -> bytes:
    with shop.repository() as repository:
        return repository.store.id_of(1, change).hex().encode()


def start(shop: Workshop, bad: int | None = 8, *good: int) -> Search:
    with shop.copy() as copy:
        called = None if bad is None else name(shop, bad)
        return bisect.start(copy, called, [name(shop, change) for change in good])


def answer(shop: Workshop, verdict: bytes, *changes: int) -> Search:
    with shop.copy() as copy:
        return bisect.answer(copy, verdict, [name(shop, change) for change in changes])


def test_the_change_is_found_by_halves(shop: Workshop) -> None:
    search = start(shop, 8, 1)
    tests = 0
    while search.testing is not None:
        tests += 1
        assert shop.read("a") == f"{search.testing.change}\n"
        search = answer(shop, BAD if shop.read("broken") == "yes\n" else GOOD)
    assert search.found is not None
    assert search.found.change == 5
    assert tests == 3
    with shop.copy() as copy:
        assert bisect.standing(copy) == search._replace(went=Went(0, 0))
        assert bisect.reset(copy)[0] == b"main"
    assert shop.base() == Name((8,))
    assert shop.differs() == []


def test_it_waits_until_both_sorts_are_known(shop: Workshop) -> None:
    assert start(shop, None).missing == BAD
    assert answer(shop, BAD).missing == GOOD
    assert shop.base() == Name((8,))
    assert answer(shop, GOOD, 2).left == 6


def test_a_skipped_change_is_not_tested_again(shop: Workshop) -> None:
    search = start(shop, 8, 4)
    seen = []
    while search.testing is not None:
        seen.append(search.testing.change)
        search = answer(shop, SKIP)
    assert sorted(seen) == [5, 6, 7]
    assert [entry.change for entry in search.undecided] == [5, 6, 7, 8]
    assert search.left == 4


def test_an_answer_that_leaves_nothing_is_not_taken(shop: Workshop) -> None:
    start(shop, 8, 4)
    with pytest.raises(ContradictionError):
        answer(shop, GOOD, 8)
    assert answer(shop, GOOD, 6).left == 2


def test_an_answer_is_undone_with_the_files(shop: Workshop) -> None:
    first = start(shop, 8, 1)
    before = shop.read("a")
    answer(shop, BAD)
    assert shop.read("a") != before
    with shop.copy() as copy:
        undo(copy)
    assert shop.read("a") == before
    with shop.copy() as copy:
        assert bisect.standing(copy).testing == first.testing
        undo(copy)
    assert shop.base() == Name((8,))
    with shop.copy() as copy, pytest.raises(NotSearchingError):
        bisect.standing(copy)


def test_one_search_goes_on_at_a_time(shop: Workshop) -> None:
    with shop.copy() as copy, pytest.raises(NotSearchingError):
        bisect.reset(copy)
    start(shop, 8, 1)
    with pytest.raises(SearchingError):
        start(shop, 8, 1)


def test_one_goes_back_to_where_a_bookmark_is_by_now_and_to_the_sides_of_a_merge(
    shop: Workshop,
) -> None:
    shop.switch(name(shop, 7).decode(), create="topic")
    shop.commit("topic", t="t\n")
    with shop.copy() as copy:
        merge(copy, [b"main"])
        here = copy.repository.refs.get(HERE)
    start(shop, 8, 1)
    with shop.copy() as copy:
        bisect.reset(copy)
        assert copy.repository.refs.get(HERE) == here
        assert here is not None
        assert here.bookmark == b"topic"
    start(shop, 8, 1)
    with shop.repository() as repository:
        delete(repository, Stamp(1, 0, b"", b"x"), b"topic")
        assert repository.refs.get(Ref(BOOKMARK, b"topic")) is None
    with shop.copy() as copy:
        assert bisect.reset(copy)[0] is None
        assert copy.base.state == here.state
