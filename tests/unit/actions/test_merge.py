from pathlib import Path

import pytest

from oxy.actions.going import MovedError
from oxy.actions.joining import join
from oxy.actions.merge import merge
from oxy.actions.outcome import Author, FileChange
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.sides import Sides, sides_of
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from tests.builders.workshop import ADA, Workshop

BOB = b"Bob <bob@example.org>"


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Return a working copy on main (changes 1 and 3); topic is 1 and 2."""
    shop = Workshop(tmp_path)
    shop.commit("base", a="1\n2\n3\n")
    shop.switch("@", create="topic")
    shop.commit("topic", BOB, a="1\n2\nthree\n", t="t\n")
    shop.switch("main")
    shop.commit("main", a="one\n2\n3\n")
    return shop


def test_merging_is_the_union_and_makes_no_change(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = merge(copy, [b"topic"])
        assert copy.base.state == Name((2, 3))
        assert copy.repository.refs.get(Ref(BOOKMARK, b"main")) == Target(Name((2, 3)))
        here = copy.repository.refs.get(HERE)
        assert here is not None
        assert sides_of(copy.repository.store, here) == Sides(Name((3,)), Name((2,)))
    assert done.outcome.came == 1
    assert done.outcome.authors == (Author(BOB, 1),)
    assert done.outcome.files == (FileChange(b"a", "modified"), FileChange(b"t", "added"))
    assert done.went == (2, 0)
    assert shop.read("a") == "one\n2\nthree\n"
    assert shop.differs() == []


def test_merges_commute(shop: Workshop) -> None:
    with shop.copy() as copy:
        merge(copy, [b"topic"])
    one = (shop.base(), shop.read("a"))
    shop.switch("topic")
    with shop.copy() as copy:
        merge(copy, [b"main"])
    assert (shop.base(), shop.read("a")) == one


def test_a_question_changes_nothing(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = merge(copy, [b"topic"], dry_run=True)
    assert done.went is None
    assert done.outcome.authors == (Author(BOB, 1),)
    assert shop.base() == Name((3,))
    assert shop.read("a") == "one\n2\n3\n"


def test_local_edits_elsewhere_stay(shop: Workshop) -> None:
    shop.write("mine", "mine\n")
    with shop.copy() as copy:
        merge(copy, [b"topic"])
    assert shop.differs() == [(b"mine", "added")]


def test_a_bookmark_that_moved_since_the_files_were_made_stops_a_merge(shop: Workshop) -> None:
    with shop.repository() as repository, writing(repository, Stamp(1, 0, b"", b"x")) as work:
        work.move(Ref(BOOKMARK, b"main"), Target(Name((1,))))
    with shop.copy() as copy, pytest.raises(MovedError):
        merge(copy, [b"topic"])
    assert shop.read("a") == "one\n2\n3\n"


def test_a_state_that_one_is_on_already_is_not_gone_to(shop: Workshop) -> None:
    with shop.copy() as copy:
        copy.look()
        done = join(copy, b"test", copy.base.state, None, dry_run=False)
    assert done.went is None
    assert (done.outcome.came, done.outcome.went) == (0, 0)
    assert ADA not in [author.name for author in done.outcome.authors]
