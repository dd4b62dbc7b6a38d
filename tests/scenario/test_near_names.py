"""What is mistyped is answered with what may have been meant."""

import pytest

from tests.builders.desk import Desk


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Return a desk with a file, and a name of each kind."""
    desk.write("d/readme", "1\n")
    desk.commit("First")
    desk.says("tag", "v1.0")
    desk.says("remote", "add", "origin", str(desk.root / "other"))
    desk.write("d/readme", "2\n")
    desk.says("shelve", "half-done")
    return desk


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("stauts", "status"),
        ("remote ad x y", "add"),
        ("help tutorail", "tutorial"),
        ("log --grpah", "--graph"),
        ("--jsno log", "--json"),
        ("log mian", "main"),
        ("diff --from mian", "main"),
        ("diff d/readne", "d/readme"),
        ("rm d/readne", "d/readme"),
        ("mv d/readne x", "d/readme"),
        ("restore --from @ d/readne", "d/readme"),
        ("cat d/readne", "d/readme"),
        ("blame d/readne", "d/readme"),
        ("bookmark -d mian", "main"),
        ("tag -d v10", "v1.0"),
        ("unshelve haf-done", "half-done"),
        ("push orgin", "origin"),
        ("pull orgin", "origin"),
        ("push origin mian", "main"),
        ("remote remove orgin", "origin"),
        ("config get user.nam", "user.name or user.email"),
        ("-c usr.name=x status", "user.name?"),
    ],
)
def test_a_mistyped_name_is_answered_with_near_ones(desk: Desk, line: str, meant: str) -> None:
    assert f"hint: did you mean {meant}" in desk.refuses(*line.split(), code=2)


def test_an_operation_that_is_not_there_is_named(desk: Desk) -> None:
    assert desk.refuses("op", "show", "99", code=2) == (
        "oxy: there is no operation 99: the newest is 5\n"
    )
