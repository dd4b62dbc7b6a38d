from pathlib import Path

import pytest

from oxy.actions.fold import OneChangeError, fold
from tests.builders.row import log, name, row
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return row(tmp_path)


def test_changes_that_are_made_one_stand_where_the_first_stood(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = fold(copy, [name(shop, 4), name(shop, 2)])
    assert done.replacements[0].message == b"b\n\nd"
    assert log(shop) == "ab\n\ndc"
    assert shop.differs() == []


def test_or_where_one_of_them_stood(shop: Workshop) -> None:
    with shop.copy() as copy:
        fold(copy, [name(shop, 1)], into=name(shop, 3))
    assert log(shop) == "bcd"
    with shop.copy() as copy, pytest.raises(OneChangeError):
        fold(copy, [b"@"])
