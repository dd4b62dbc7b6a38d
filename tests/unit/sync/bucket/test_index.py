"""Leaves and branches as bytes, and what they are about (spec: sync, SY91)."""

import pytest

from oxy.codec.wire import pack
from oxy.model.digest import ChangeId
from oxy.sync import limits
from oxy.sync.bucket.index import (
    KEY_SIZE,
    Load,
    Row,
    bounds,
    decode_branch,
    decode_leaf,
    encode_branch,
    encode_leaf,
    stored,
)
from oxy.sync.errors import RefusedTransferError


def change(at: int) -> ChangeId:
    return ChangeId(at.to_bytes(32, "big"))


def key(at: int) -> bytes:
    return at.to_bytes(KEY_SIZE, "big")


LOADS = (
    Load(key(1), 7, (change(3), change(2)), (), (change(1),), (change(1), change(3)), ()),
    Load(key(2), 8, (change(4),), (), (), (change(4),), (change(1), change(3))),
)
ROWS = (
    Row(0, key(1), 7, (change(1),), ()),
    Row(3, key(2), 0, (), (change(1),)),
)


def test_a_leaf_and_a_branch_are_read_as_they_were_written() -> None:
    assert decode_leaf(encode_leaf(LOADS)) == LOADS
    assert decode_branch(encode_branch(ROWS)) == ROWS


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        (((1, key(1), 7, ()),), "does not have the form"),
        (((0, key(1)[1:], 7, (), ()),), "a key or a size is none"),
        (((0, key(1), -1, (), ()),), "a key or a size is none"),
        (((-1, key(1), 1, (), ()),), "a level is none"),
        (((limits.LEVELS + 1, key(1), 1, (), ()),), "a level is none"),
        (((0, key(1), 1, (b"x",), ()),), "an id is none"),
        (((0, key(1), 1, (change(2), change(1)), ()),), "do not ascend"),
    ],
)
def test_a_strangers_branch_is_proven(raw: tuple[tuple[object, ...], ...], rule: str) -> None:
    with pytest.raises(RefusedTransferError, match=rule):
        decode_branch(pack(raw))


@pytest.mark.parametrize(
    "raw", [(), ((key(1), 7, (), (), ()),), ((key(1)[1:], 7, (), (), (), (), ()),), b"x", 3]
)
def test_a_strangers_leaf_is_proven(raw: object) -> None:
    if raw == ():
        assert decode_leaf(pack(())) == ()
        return
    with pytest.raises(RefusedTransferError):
        decode_leaf(pack(raw))


def test_a_key_has_one_size() -> None:
    assert stored(key(1), 0) == (key(1), 0)
    with pytest.raises(RefusedTransferError):
        stored(key(1) + b"x", 0)


def test_tips_are_what_no_other_part_needs() -> None:
    assert bounds(LOADS) == ((change(4),), (change(1),))


def test_where_one_does_not_tell_its_tips_none_are_told() -> None:
    assert bounds(ROWS) == ((), ())


def test_tips_that_are_too_many_are_not_told() -> None:
    many = tuple(change(at) for at in range(limits.TIPS + 1))
    row = Row(0, key(1), 1, (change(1),), ())
    assert bounds([row._replace(tips=many[:-1])])[0] == many[:-1]
    assert bounds([row._replace(tips=many)]) == ((), ())
    assert bounds([row._replace(tips=(ChangeId(b"z" * 32),), needs=many)])[1] == many[:-1]
