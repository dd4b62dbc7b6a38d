import msgpack
from pyroaring import BitMap

from oxy.model.digest import BlobId
from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND,
    KIND_BINARY,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PLACE,
    TARGET,
    BlobRef,
)
from oxy.repo.registers import Held, Registers, Value, view

BLOB = BlobRef(BlobId(b"b" * 32), 5000)


def _registers(*writes: tuple[int, int, Held, tuple[int, ...]], kind: int = 1) -> Registers:
    found = Registers(kind)
    for change, register, value, replaces in writes:
        found.add(change, msgpack.packb([(register, value, replaces)]))
    return found


def _rank(change: int) -> bytes:
    """Rank later changes first."""
    return bytes([255 - change])


def test_a_write_that_is_replaced_counts_no_more_where_its_successor_is() -> None:
    found = _registers((1, MODE, 0, ()), (2, MODE, 1, (1,)))
    assert found.values(MODE, BitMap([1])) == [Value(0, (1,))]
    assert found.values(MODE, BitMap([1, 2])) == [Value(1, (2,))]
    assert found.values(MODE, BitMap()) == []


def test_equal_values_are_one_and_different_ones_a_conflict() -> None:
    found = _registers((1, MODE, 1, ()), (2, MODE, 1, ()), (3, MODE, 0, ()))
    assert found.values(MODE, BitMap([1, 2])) == [Value(1, (1, 2))]
    assert found.values(MODE, BitMap([1, 2, 3])) == [Value(1, (1, 2)), Value(0, (3,))]
    assert found.live_writes(MODE, BitMap([1, 2, 3])) == (1, 2, 3)


def test_a_blob_is_read_as_a_reference() -> None:
    found = _registers((1, BYTES, BLOB, ()))
    assert found.values(BYTES, BitMap([1])) == [Value(BLOB, (1,))]


def test_a_node_that_nothing_wrote_is_nowhere_and_has_its_defaults() -> None:
    seen = view(Registers(KIND_TEXT), KIND_TEXT, BitMap(), _rank)
    assert seen == (KIND_TEXT, None, 0, 1, None, ())


def test_of_several_values_the_one_of_the_smallest_id_shows() -> None:
    found = _registers((1, PLACE, b"a", ()), (2, PLACE, b"b", ()), (3, PLACE, b"a", ()))
    seen = view(found, KIND_TEXT, BitMap([1, 2, 3]), _rank)
    assert (seen.path, seen.disputed) == (b"a", (PLACE,))
    assert view(found, KIND_TEXT, BitMap([1, 2]), _rank).path == b"b"


def test_a_node_whose_place_is_taken_away_is_nowhere() -> None:
    found = _registers((1, PLACE, b"a", ()), (2, PLACE, None, (1,)))
    assert view(found, KIND_TEXT, BitMap([1, 2]), _rank).path is None
    assert view(found, KIND_TEXT, BitMap([1]), _rank).path == b"a"


def test_the_content_that_shows_is_that_of_the_kind_that_shows() -> None:
    writes = ((1, BYTES, b"\0", ()), (2, TARGET, b"to", ()), (3, KIND, KIND_SYMLINK, ()))
    found = _registers(*writes, kind=KIND_BINARY)
    assert view(found, KIND_BINARY, BitMap([1, 2]), _rank).content == b"\0"
    seen = view(found, KIND_BINARY, BitMap([1, 2, 3]), _rank)
    assert (seen.kind, seen.content) == (KIND_SYMLINK, b"to")
    assert view(found, KIND_TEXT, BitMap([1]), _rank).content is None


def test_a_text_says_whether_its_last_line_ends() -> None:
    found = _registers((1, FINAL_LF, 0, ()))
    assert view(found, KIND_TEXT, BitMap([1]), _rank).final_lf == 0
