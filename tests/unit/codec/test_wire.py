import tracemalloc

import msgpack
import pytest

from oxy.codec.limits import ITEMS
from oxy.codec.wire import MalformedError, count, pack, unpack

PROMISE = "it promises more than it holds"
TYPE = "a type that is not in use"
END = "its bytes do not end with its last item"

REFUSED = {
    "nothing": (b"", PROMISE),
    "an array of 2^32-1": (b"\xdd\xff\xff\xff\xff", PROMISE),
    "an array of one too many": (b"\x92\x01", PROMISE),
    "arrays that each promise what one could hold": (b"\xdc\x00\x09" * 5, PROMISE),
    "bytes of 2^32-1": (b"\xc6\xff\xff\xff\xff", END),
    "bytes cut short": (b"\xc4\x02\x00", END),
    "an integer cut short": (b"\xcd\x01", END),
    "a length cut short": (b"\xdc\x00", END),
    "two items": (b"\x01\x02", END),
    "a short map": (b"\x80", TYPE),
    "a map": (msgpack.packb({n: n for n in range(20)}), TYPE),
    "a map of 2^32-1": (b"\xdf\xff\xff\xff\xff", TYPE),
    "a short string": (msgpack.packb("a"), TYPE),
    "a string": (msgpack.packb("a" * 40), TYPE),
    "a long string": (msgpack.packb("a" * 70000), TYPE),
    "true": (b"\xc3", TYPE),
    "false": (b"\xc2", TYPE),
    "a float": (msgpack.packb(1.5), TYPE),
    "a single float": (msgpack.packb(1.5, use_single_float=True), TYPE),
    "an extension": (msgpack.packb(msgpack.ExtType(5, b"abcd")), TYPE),
    "a long extension": (msgpack.packb(msgpack.ExtType(5, b"abc" * 100)), TYPE),
    "a timestamp": (msgpack.packb(msgpack.Timestamp(1)), TYPE),
    "the byte that is never used": (b"\xc1", TYPE),
    "a string within arrays": (msgpack.packb([[1, ["a"]]]), TYPE),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_of_the_subset_is_refused(case: str) -> None:
    data, rule = REFUSED[case]
    with pytest.raises(MalformedError) as caught:
        count(data)
    assert caught.value.rule == rule


COUNTED: dict[str, tuple[object, int]] = {
    "nil": (None, 1),
    "integers of every width": ((0, 127, 128, 1 << 8, 1 << 16, 1 << 32, (1 << 64) - 1), 8),
    "negative integers of every width": ((-1, -32, -33, -129, -(1 << 15) - 1, -(1 << 63)), 7),
    "bytes of every width": ((b"", b"a" * 255, b"a" * 256, b"a" * 65536), 5),
    "arrays of every width": (((), (0,) * 15, (0,) * 16, (0,) * 65536), 5 + 15 + 16 + 65536),
}


@pytest.mark.parametrize("case", COUNTED)
def test_items_of_the_subset_are_counted(case: str) -> None:
    value, items = COUNTED[case]
    data = pack(value)
    assert count(data) == items
    assert unpack(data) == value


def test_more_items_than_the_limit_are_refused() -> None:
    many = b"\xdd" + ITEMS.to_bytes(4, "big") + b"\x90" * ITEMS
    with pytest.raises(MalformedError) as caught:
        count(many)
    assert caught.value.rule == f"it holds over {ITEMS} items"
    assert count(b"\x92\x01\x02", 3) == 3
    with pytest.raises(MalformedError, match="over 2 items"):
        count(b"\x92\x01\x02", 2)


def test_a_flood_is_counted_without_memory() -> None:
    flood = b"\xdd" + (1 << 16).to_bytes(4, "big") + b"\x91\xc0" * (1 << 16)
    tracemalloc.start()
    try:
        assert count(flood) == 1 + (2 << 16)
        assert tracemalloc.get_traced_memory()[1] < 1 << 16
    finally:
        tracemalloc.stop()


def test_nesting_beyond_what_msgpack_reads_is_refused() -> None:
    deep = b"\x91" * 100_000 + b"\xc0"
    assert count(deep) == 100_001
    with pytest.raises(MalformedError, match="it is not msgpack"):
        unpack(deep)


def test_what_is_not_msgpack_is_refused_by_unpacking() -> None:
    for data in (b"", b"\xc1", b"\x92\x01", b"\x01\x02", b"\xdd\xff\xff\xff\xff"):
        with pytest.raises(MalformedError, match="it is not msgpack"):
            unpack(data)
