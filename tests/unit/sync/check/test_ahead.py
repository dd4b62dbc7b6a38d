from oxy.model.digest import BlobId
from oxy.sync.check.ahead import Ahead
from oxy.sync.check.facts import Facts

NAMES = [BlobId(bytes([at]) * 32) for at in range(5)]


def waiting() -> Ahead:
    ahead = Ahead()
    for at, name in enumerate(NAMES):
        ahead.add(name, Facts(at + 10, at, ends=at % 2 == 0))
    return ahead


def test_blobs_are_found_in_their_order_and_in_any_other() -> None:
    for order in (NAMES, NAMES[::-1], NAMES * 2):
        ahead = waiting()
        found = [ahead.take(name) for name in order]
        at = [NAMES.index(name) for name in order]
        assert found == [Facts(i + 10, i, ends=i % 2 == 0) for i in at]
        assert ahead.idle() is None


def test_what_does_not_wait_is_not_found() -> None:
    ahead = waiting()
    assert ahead.take(BlobId(b"x" * 32)) is None
    assert Ahead().take(NAMES[0]) is None
    assert Ahead().idle() is None


def test_the_smallest_that_nothing_named_is_idle() -> None:
    ahead = waiting()
    for name in (NAMES[0], NAMES[3]):
        ahead.take(name)
    assert ahead.idle() == NAMES[1]


def test_one_that_came_twice_is_named_once() -> None:
    ahead = waiting()
    ahead.add(NAMES[2], Facts(12, 2, ends=True))
    for name in NAMES:
        ahead.take(name)
    assert ahead.idle() is None
