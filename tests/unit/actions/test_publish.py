"""What of a repository is published where (spec: sync, SY60)."""

from pathlib import Path

import pytest

from oxy.actions.bookmarks import create
from oxy.actions.publish import NoBookmarkToPublishError, PublishInsideError, publish
from oxy.repo.states import Name
from oxy.repo.writing import Stamp
from oxy.sync.folder import Folder
from oxy.sync.shelf import Shelf, shelf
from tests.builders.exchange import Silent
from tests.builders.workshop import Workshop

STAMP = Stamp(1, 0, b"ada", b"test")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    root = tmp_path / "shop"
    root.mkdir()
    shop = Workshop(root)
    shop.commit("one", f="1\n")
    shop.commit("two", f="2\n")
    with shop.repository() as repository:
        create(repository, STAMP, b"first", Name((1,)))
    return shop


def published(shop: Workshop, place: Path, *bookmarks: bytes) -> Shelf:
    with shop.repository() as repository:
        publish(repository, bytes(place), bookmarks, Silent())
    found = shelf(Folder(bytes(place)).get)
    assert found is not None
    return found


def test_all_names_are_published_and_where_the_working_copy_is(
    shop: Workshop, tmp_path: Path
) -> None:
    found = published(shop, tmp_path / "www")
    assert [each.name for each in found.refs()] == [b"first", b"main"]
    assert found.current() == b"main"


def test_nobody_is_led_to_a_bookmark_that_is_not_published(
    shop: Workshop, tmp_path: Path
) -> None:
    found = published(shop, tmp_path / "www", b"first")
    assert [each.name for each in found.refs()] == [b"first"]
    assert found.current() is None


def test_what_cannot_be_published_is_refused_before_anything_is_written(
    shop: Workshop, tmp_path: Path
) -> None:
    with shop.repository() as repository:
        with pytest.raises(NoBookmarkToPublishError) as caught:
            publish(repository, bytes(tmp_path / "www"), [b"frist"], Silent())
        assert caught.value.near == ("first",)
        with pytest.raises(PublishInsideError):
            publish(repository, bytes(shop.root / ".oxy/www"), [], Silent())
    assert not (tmp_path / "www").exists()
    assert not (shop.root / ".oxy/www").exists()
