from pathlib import Path

import pytest

from oxy.actions.pins import is_inside, is_repository, pin_of, state_of
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History


def test_a_pin_names_a_state_by_ids_and_is_read_back() -> None:
    history = History(Repository.in_memory())
    base = history.commit({b"f": b"1\n"})
    left, right = (history.commit({name: b"1\n"}, base) for name in (b"l", b"r"))
    for state in (Name((base,)), Name((left, right)), Name((right,), (base,))):
        pin = pin_of(history.repository, state)
        assert pin.startswith(b"oxy:")
        assert state_of(history.repository, pin) == state
    assert (
        pin_of(history.repository, Name((base,))) == b"oxy:" + history.id(base).hex().encode()
    )


@pytest.mark.parametrize(
    "pin", [b"", b"oxy:", b"oxy:zz", b"oxy:" + b"ab" * 32, b"git:" + b"ab" * 20, b"oxy:\xff"]
)
def test_a_pin_of_what_is_not_there_names_nothing(pin: bytes) -> None:
    assert state_of(Repository.in_memory(), pin) is None


def test_a_path_through_a_symlink_is_not_inside(tmp_path: Path) -> None:
    (tmp_path / "in/lib/.oxy").mkdir(parents=True)
    (tmp_path / "out/lib/.oxy").mkdir(parents=True)
    (tmp_path / "in/link").symlink_to(tmp_path / "out")
    root = bytes(tmp_path / "in")
    assert is_repository(root, b"lib")
    assert not is_repository(root, b"link/lib")
    assert is_inside(root, b"not/there")
    assert not is_inside(root, b"../out")
