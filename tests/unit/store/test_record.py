import pytest

from oxy.store.errors import FrameDamagedError
from oxy.store.limits import OBJECT_LIMIT
from oxy.store.record import (
    Place,
    first_piece,
    next_piece,
    parse_first,
    parse_next,
    payload_at,
    record,
    records_in,
)

ID = bytes(range(32))
OTHER = bytes(32)


def test_records_lie_one_after_the_other() -> None:
    raw = record(1, ID, b"first") + record(2, OTHER, b"")
    assert records_in(raw, 3, 9) == [
        (1, ID, Place(3, 9, 0, 5)),
        (2, OTHER, Place(3, 9, 42, 0)),
    ]
    assert payload_at(raw, 0, 1, ID, 5) == b"first"
    assert payload_at(raw, 42, 2, OTHER, 0) == b""


@pytest.mark.parametrize(
    ("slot", "kind", "object_id", "size"),
    [(0, 2, ID, 5), (0, 1, OTHER, 5), (0, 1, ID, 4), (1, 1, ID, 5), (42, 1, ID, 5)],
)
def test_another_record_is_not_taken_for_the_one_meant(
    slot: int, kind: int, object_id: bytes, size: int
) -> None:
    assert payload_at(record(1, ID, b"first"), slot, kind, object_id, size) is None


@pytest.mark.parametrize("length", [1, 36, 37, 41])
def test_records_that_are_cut_short_are_refused(length: int) -> None:
    raw = record(1, ID, b"first")[:length]
    assert payload_at(raw, 0, 1, ID, 5) is None
    with pytest.raises(FrameDamagedError):
        records_in(raw, 1, 0)


def test_pieces_say_what_they_belong_to() -> None:
    assert parse_first(first_piece(2, ID, 9, b"abc"), 1, 0) == (2, ID, 9, b"abc")
    assert parse_next(next_piece(2, ID, 1, b"abc"), 1, 0) == (2, ID, 1, b"abc")


@pytest.mark.parametrize("size", [2, OBJECT_LIMIT + 1])
def test_a_piece_that_states_an_impossible_size_is_refused(size: int) -> None:
    with pytest.raises(FrameDamagedError, match="impossible size"):
        parse_first(first_piece(2, ID, size, b"abc"), 1, 0)


def test_an_empty_piece_is_refused() -> None:
    with pytest.raises(FrameDamagedError):
        parse_first(first_piece(2, ID, 9, b""), 1, 0)
    with pytest.raises(FrameDamagedError):
        parse_next(next_piece(2, ID, 1, b""), 1, 0)
