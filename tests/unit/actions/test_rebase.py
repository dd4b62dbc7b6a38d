from pathlib import Path

import pytest

from oxy.actions.rebase import rebase
from oxy.repo.rewriting.refusal import NeededError
from tests.builders.row import log, name, row
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return row(tmp_path)


def test_a_change_and_what_knows_it_go_onto_another_state(shop: Workshop) -> None:
    with shop.copy() as copy:
        done = rebase(copy, name(shop, 3), name(shop, 2))
    assert done is None
    with shop.copy() as copy, pytest.raises(NeededError):
        rebase(copy, name(shop, 3), name(shop, 1))
    shop.switch(name(shop, 2).decode(), "topic")
    shop.commit("x", x="x\n")
    shop.switch("main")
    with shop.copy() as copy:
        done = rebase(copy, name(shop, 4), b"topic")
    assert done is not None
    assert [left.hex().encode() for left in done.left_out] == [name(shop, 3)]
    assert done.went == (1, 1)
    assert log(shop) == "abxd"
    assert shop.differs() == []
