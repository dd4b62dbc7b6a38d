from pathlib import Path

import pytest

from oxy.actions.membership import NotHereError, ReplacedError, member
from oxy.actions.reword import reword
from tests.builders.row import name, row
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return row(tmp_path)


def test_a_change_of_another_state_is_not_here(shop: Workshop) -> None:
    shop.switch(name(shop, 1).decode())
    with shop.copy() as copy, pytest.raises(NotHereError):
        member(copy, name(shop, 2))


def test_a_change_that_was_rewritten_is_told_with_what_stands_in_for_it(
    shop: Workshop,
) -> None:
    old = name(shop, 2)
    with shop.copy() as copy:
        reword(copy, old, lambda _: b"B")
    with shop.copy() as copy, pytest.raises(ReplacedError) as caught:
        member(copy, old)
    (successor,) = caught.value.successors
    assert successor.hex().encode() == name(shop, 5)
    assert str(caught.value).endswith(f"was rewritten: {successor[:6].hex()} stands in for it")
