from pathlib import Path

import pytest

from oxy.actions.commit import NoMessageError
from oxy.actions.reword import reword
from tests.builders.row import log, name, row
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return row(tmp_path)


def test_the_message_that_it_has_is_shown(shop: Workshop) -> None:
    shown: list[bytes] = []

    def ask(message: bytes) -> bytes:
        shown.append(message)
        return b"B\n"

    with shop.copy() as copy:
        reword(copy, name(shop, 2), ask)
    assert shown == [b"b"]
    assert log(shop) == "aBcd"


def test_the_author_alone_may_be_another(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = reword(copy, name(shop, 4), lambda message: message, author=b"Bob <bob@x>")
    assert done is not None
    with shop.repository() as repository:
        assert repository.header(shop.base().heads[0]).author == b"Bob <bob@x>"


def test_the_same_words_are_nothing_new_and_none_are_refused(shop: Workshop) -> None:
    with shop.copy() as copy:
        assert reword(copy, name(shop, 2), lambda message: message + b"\n") is None
        with pytest.raises(NoMessageError):
            reword(copy, name(shop, 2), lambda _: b" \n")
    assert log(shop) == "abcd"
