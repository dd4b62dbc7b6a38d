from pathlib import Path

import pytest

from oxy.actions.reorder import SamePlaceError, reorder
from oxy.repo.rewriting.refusal import NeededError
from tests.builders.row import log, name, row
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return row(tmp_path)


@pytest.mark.parametrize(
    ("change", "other", "is_after", "order"),
    [
        (4, 3, False, "abdc"),
        (1, 2, True, "bacd"),
        (1, 4, True, "bcda"),
        (1, 3, False, "bacd"),
        (3, 1, False, "cabd"),
        (4, 2, True, "abdc"),
    ],
)
def test_a_change_stands_where_it_is_put(
    shop: Workshop, change: int, other: int, order: str, *, is_after: bool
) -> None:
    with shop.copy() as copy:
        done = reorder(copy, name(shop, change), name(shop, other), is_after=is_after)
    assert done is not None
    assert log(shop) == order
    assert len(shop.base().heads) == 1
    assert shop.differs() == []


def test_where_it_stands_there_already_nothing_is_done(shop: Workshop) -> None:
    with shop.copy() as copy:
        assert reorder(copy, name(shop, 4), name(shop, 3), is_after=True) is None
        assert reorder(copy, name(shop, 3), name(shop, 4), is_after=False) is None


def test_a_change_does_not_pass_what_it_depends_on(shop: Workshop) -> None:
    with shop.copy() as copy, pytest.raises(NeededError) as caught:
        reorder(copy, name(shop, 4), name(shop, 1), is_after=True)
    assert [need.hex().encode() for need in caught.value.needs] == [name(shop, 2)]
    with shop.copy() as copy, pytest.raises(NeededError):
        reorder(copy, name(shop, 2), name(shop, 4), is_after=True)
    with shop.copy() as copy, pytest.raises(SamePlaceError):
        reorder(copy, name(shop, 2), name(shop, 2), is_after=True)
    assert log(shop) == "abcd"
