"""Entries of the log as bytes, and the states that they make (spec: sync, SY92)."""

import pytest
from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st

from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK, TAG
from oxy.sync.bucket.entry import (
    Base,
    Entry,
    State,
    after,
    decode_entry,
    decode_snapshot,
    encode_entry,
    encode_snapshot,
)
from oxy.sync.bucket.index import KEY_SIZE, Row, Stored
from oxy.sync.endpoint import Offered
from oxy.sync.errors import RefusedTransferError

CHANGE = ChangeId(b"c" * 32)
ROW = Row(0, b"k" * KEY_SIZE, 7, (CHANGE,), ())
MAIN = Offered(BOOKMARK, b"main", (CHANGE,))
V1 = Offered(TAG, b"v1", (CHANGE,), (), ((b"a", b"b"),))
ENTRY = Entry(
    9,
    b"w" * 16,
    2,
    Base(4, Stored(b"s" * KEY_SIZE, 99)),
    (ROW,),
    (MAIN, V1),
    ((BOOKMARK, b"old"),),
)


def test_an_entry_is_read_as_it_was_written() -> None:
    assert decode_entry(encode_entry(ENTRY), 9) == ENTRY
    first = Entry(1, b"w", 0, None, (), (), ())
    assert decode_entry(encode_entry(first), 1) == first


def test_a_snapshot_is_read_as_it_was_written() -> None:
    state = State((ROW,), (MAIN, V1))
    assert decode_snapshot(encode_snapshot(state)) == state
    with pytest.raises(RefusedTransferError, match="form of one"):
        decode_snapshot(b"\x91\x90")


def test_an_entry_goes_on_from_its_base() -> None:
    old = Offered(BOOKMARK, b"old", (CHANGE,))
    other = Offered(BOOKMARK, b"other", (CHANGE,))
    base = State((ROW._replace(size=1),), (old, other))
    assert after(base, ENTRY) == State((ROW._replace(size=1), ROW), (MAIN, other, V1))


def test_an_entry_of_another_number_is_refused() -> None:
    with pytest.raises(RefusedTransferError, match="entry 8 of the log has another number"):
        decode_entry(encode_entry(ENTRY), 8)
    own = ENTRY._replace(base=Base(9, Stored(b"s" * KEY_SIZE, 99)))
    with pytest.raises(RefusedTransferError, match="has another number"):
        decode_entry(encode_entry(own), 9)


def test_a_newer_entry_asks_for_an_upgrade() -> None:
    data = bytearray(encode_entry(ENTRY)[:-32])
    data[11] = 2
    with pytest.raises(RefusedTransferError, match="has format 2; this oxy reads 1: upgrade"):
        decode_entry(bytes(data) + blake3(data).digest(), 9)


@given(st.integers(0, 10**6), st.integers(1, 255))
def test_an_altered_byte_is_found(at: int, by: int) -> None:
    data = bytearray(encode_entry(ENTRY))
    data[at % len(data)] ^= by
    with pytest.raises(RefusedTransferError):
        decode_entry(bytes(data), 9)


@given(st.binary(max_size=80))
def test_what_is_no_entry_is_refused(data: bytes) -> None:
    with pytest.raises(RefusedTransferError):
        decode_entry(data, 1)
