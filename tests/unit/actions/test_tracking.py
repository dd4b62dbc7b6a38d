from pathlib import Path

import pytest

from oxy.actions.status import NoSuchPathError
from oxy.actions.tracking import UntrackableError, track, untrack
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path)
    for name in ("a", "d/b", "d/c"):
        shop.write(name, f"{name}\n")
    shop.commit("base")
    return shop


def said(shop: Workshop) -> dict[bytes, bool]:
    with shop.copy() as copy:
        return dict(copy.noted.said)


def test_what_was_said_below_a_path_is_forgotten(shop: Workshop) -> None:
    with shop.copy() as copy:
        untrack(copy, [b"d/b", b"a"])
        assert [each.is_new for each in untrack(copy, [b"d", b"a"])] == [True, False]
    assert said(shop) == {b"d": False, b"a": False}
    assert shop.differs() == [(b"a", "deleted"), (b"d/b", "deleted"), (b"d/c", "deleted")]
    with shop.copy() as copy:
        track(copy, [b""])
    assert said(shop) == {b"": True}
    assert shop.differs() == []


def test_of_a_tracked_file_nothing_need_be_said(shop: Workshop) -> None:
    with shop.copy() as copy:
        untrack(copy, [b"a"])
        track(copy, [b"a"])
    assert said(shop) == {}
    with shop.copy() as copy:
        untrack(copy, [b"d"])
        track(copy, [b"d/b"])
    assert said(shop) == {b"d": False, b"d/b": True}
    assert shop.differs() == [(b"d/c", "deleted")]


def test_what_says_nothing_any_more_is_forgotten(shop: Workshop) -> None:
    shop.write("new", "new\n")
    with shop.copy() as copy:
        track(copy, [b"new"])
    assert said(shop) == {b"new": True}
    shop.commit("new")
    shop.write("gone", "gone\n")
    with shop.copy() as copy:
        untrack(copy, [b"gone"])
    assert said(shop) == {b"gone": False}
    shop.write("gone", None)
    with shop.copy() as copy:
        track(copy, [b"a"])
    assert said(shop) == {}


def test_nothing_is_said_where_one_path_is_wrong(shop: Workshop) -> None:
    with shop.copy() as copy:
        with pytest.raises(NoSuchPathError):
            untrack(copy, [b"a", b"no"])
        with pytest.raises(UntrackableError, match=r"\.oxy cannot be tracked: it "):
            track(copy, [b"a", b".oxy"])
    assert said(shop) == {}
