from pathlib import Path

import pytest

from oxy.actions.split import NoPartError, split
from tests.builders.row import log, row
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return row(tmp_path)


def test_a_change_becomes_two(shop: Workshop) -> None:
    shop.commit("e", a="A\n", c="C\n")
    with shop.copy() as copy:
        split(copy, b"@", [b"c"], b"f")
    assert log(shop) == "abcdfe"
    assert shop.differs() == []


@pytest.mark.parametrize("path", [b"", b"b", b"nowhere"])
def test_a_change_does_not_become_one_and_nothing(shop: Workshop, path: bytes) -> None:
    with shop.copy() as copy, pytest.raises(NoPartError) as caught:
        split(copy, b"@", [path])
    assert caught.value.is_whole == (path != b"nowhere")
