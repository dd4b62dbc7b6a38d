from pathlib import Path

import pytest

from oxy.actions.bookmarks import create
from oxy.actions.remotes import (
    ForeignRemoteError,
    Remote,
    add,
    follow,
    followers,
    rename,
    tracked,
)
from oxy.actions.upstreams import Standing, standings
from oxy.repo.refs import ADDRESS, BOOKMARK, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.sync.tracking import remote_ref
from tests.builders.workshop import Workshop

STAMP = Stamp(1, 0, b"ada", b"test")


def see(repository: Repository, remote: bytes, **bookmarks: Name) -> None:
    """Note what the bookmarks of a remote hold."""
    with writing(repository, STAMP) as work:
        for name, state in bookmarks.items():
            work.move(remote_ref(name.encode(), remote), Target(state))


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path)
    shop.commit("one", f="1\n")
    shop.commit("two", f="2\n")
    return shop


def test_a_bookmark_stands_to_what_was_seen(shop: Workshop) -> None:
    with shop.repository() as repository:
        add(repository, STAMP, b"her", b"/nowhere")
        create(repository, STAMP, b"mine", Name((1,)))
        follow(repository, STAMP, b"mine", b"her")
        see(repository, b"her", main=Name((1,)), other=Name((1,)))
        assert standings(repository, Remote(b"her", b"/nowhere")) == [
            Standing(b"main", is_there=True, ahead=1, behind=0, follows=False),
            Standing(b"mine", is_there=False, ahead=None, behind=None, follows=True),
            Standing(b"other", is_there=True, ahead=None, behind=None, follows=False),
        ]


def test_a_remote_takes_its_bookmarks_and_followers_along(shop: Workshop) -> None:
    with shop.repository() as repository:
        add(repository, STAMP, b"her", b"/nowhere")
        follow(repository, STAMP, b"main", b"her")
        see(repository, b"her", main=Name((1,)))
        rename(repository, STAMP, b"her", b"him")
        assert tracked(repository, b"her") == []
        assert tracked(repository, b"him") == [b"main"]
        assert [name for name, _ in followers(repository, b"him")] == [b"main"]
        assert followers(repository, b"her") == []
        held = repository.refs.get(Ref(BOOKMARK, b"main"))
        assert held is not None
        assert held.state == Name((2,))


def test_a_remote_of_another_system_is_not_renamed(shop: Workshop) -> None:
    with shop.repository() as repository:
        with writing(repository, STAMP) as work:
            work.move(Ref(ADDRESS, b"git"), Target(Name()))
        with pytest.raises(ForeignRemoteError):
            rename(repository, STAMP, b"git", b"x")
