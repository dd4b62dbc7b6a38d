import tracemalloc

import msgpack
import pytest

from oxy.codec.decode import (
    FormatError,
    MalformedError,
    decode,
    decode_header,
    decode_operations,
    identify,
    parts,
    read,
    read_header,
    read_node,
    read_operations,
)
from oxy.codec.encode import encode, node_sizes
from oxy.codec.limits import HEADER, OPERATIONS
from oxy.codec.wire import pack
from oxy.model.change import Header, Moment, Operations
from oxy.model.digest import change_id
from oxy.model.operation import NodeEdit, NodeRef, Place, Write
from tests.golden.changes import GOLDEN

HEAD = Header(b"Ann", Moment(5, 60), b"m")
RAW_HEAD: tuple[object, ...] = (1, b"Ann", 5, 60, b"m", (), ((), ()), ())
NODE = NodeEdit(NodeRef(0, 0), 1, (Write(1, Place(0, b"f")),))
EMPTY = pack(((), (), ()))


def _payload(head: object, body: bytes = EMPTY) -> bytes:
    data = pack(head)
    return len(data).to_bytes(4, "big") + data + body


def _rule(payload: bytes) -> str:
    with pytest.raises(MalformedError) as caught:
        decode(payload)
    return caught.value.rule


def test_a_change_without_operations_decodes() -> None:
    change = decode(_payload(RAW_HEAD))
    assert change == (change_id(pack(RAW_HEAD), EMPTY), HEAD, Operations())


def test_a_payload_splits_into_its_parts() -> None:
    assert parts(b"\0\0\0\2abc") == (b"ab", b"c")
    assert parts(b"\0\0\0\2ab") == (b"ab", b"")
    assert identify(b"\0\0\0\2abc") == change_id(b"ab", b"c")


@pytest.mark.parametrize(
    "payload", [b"", b"\0", b"\0\0\0", b"\0\0\0\3ab", b"\xff\xff\xff\xffa"]
)
def test_a_payload_shorter_than_it_says_is_refused(payload: bytes) -> None:
    assert _rule(payload) == "it is shorter than it says"
    with pytest.raises(MalformedError):
        identify(payload)


def test_a_newer_format_asks_for_an_upgrade() -> None:
    # Whatever else the newer format has in its header.
    for head in ((2, b"other"), (2, *RAW_HEAD[1:]), (1 << 40,)):
        with pytest.raises(FormatError, match="upgrade oxy") as caught:
            decode(_payload(head))
        assert caught.value.version == head[0]


@pytest.mark.parametrize("version", [0, -1])
def test_a_format_that_never_was_is_refused(version: int) -> None:
    assert _rule(_payload((version, *RAW_HEAD[1:]))) == "no format has its number"


def test_a_rule_of_the_shape_is_named() -> None:
    head = (1, b"a\nb", *RAW_HEAD[2:])
    assert _rule(_payload(head)) == "the author has a line break or NUL"
    body = pack(((), (), (((0, 0), 1, (), None, None),)))
    assert "has not its place" in _rule(_payload(RAW_HEAD, body))


LONGER = {
    "an integer in two bytes": (b"\x93\x90\x90\x90", 7, b"\xcc\x05"),
    "an integer in nine bytes": (b"\x93\x90\x90\x90", 7, b"\xcf" + bytes(7) + b"\x05"),
    "a signed integer": (b"\x93\x90\x90\x90", 7, b"\xd0\x05"),
}


@pytest.mark.parametrize("case", LONGER)
def test_an_integer_that_is_not_in_its_shortest_form_is_refused(case: str) -> None:
    body, at, longer = LONGER[case]
    head = pack(RAW_HEAD)
    assert head[at : at + 1] == b"\x05"
    head = head[:at] + longer + head[at + 1 :]
    payload = len(head).to_bytes(4, "big") + head + body
    assert _rule(payload) == "its encoding is not the canonical one"


@pytest.mark.parametrize(
    "body", [b"\xdc\0\3\x90\x90\x90", b"\xdd\0\0\0\3\x90\x90\x90", b"\x93\xdc\0\0\x90\x90"]
)
def test_a_length_that_is_not_in_its_shortest_form_is_refused(body: bytes) -> None:
    assert _rule(_payload(RAW_HEAD, body)) == "its encoding is not the canonical one"


def test_bytes_that_follow_are_refused() -> None:
    rule = _rule(_payload(RAW_HEAD, EMPTY + b"\0"))
    assert rule == "its bytes do not end with its last item"


@pytest.mark.parametrize("value", ["m", 1.5, True, {}, {1: 2}, msgpack.ExtType(1, b"x")])
def test_a_type_that_is_not_in_use_is_refused_in_both_parts(value: object) -> None:
    rule = "a type that is not in use"
    assert _rule(_payload((*RAW_HEAD[:4], value, *RAW_HEAD[5:]))) == rule
    assert _rule(_payload(RAW_HEAD, pack(((), (), (value,))))) == rule


def test_a_number_beyond_every_range_is_refused() -> None:
    for number in ((1 << 64) - 1, -(1 << 63)):
        assert _rule(_payload((1, b"Ann", 0, number, *RAW_HEAD[4:]))).startswith("the time")
        body = pack(((), (), (((number, 0), None, ((2, 1, ()),), None, None),)))
        assert "names no dependency" in _rule(_payload(RAW_HEAD, body))


def test_parts_over_their_limits_are_refused_before_they_are_looked_at() -> None:
    with pytest.raises(MalformedError, match="header are over"):
        decode_header(bytes(HEADER + 1))
    with pytest.raises(MalformedError, match="operations are over"):
        decode_operations(HEAD, bytes(OPERATIONS + 1))


FORM = "its operations do not have the form of any"
FLOODS = {
    "empty arrays": (b"\x90" * (1 << 16), FORM),
    "arrays of one": (b"\x91\xc0" * (1 << 16), FORM),
    "arrays in arrays": ((b"\x91" * 9 + b"\xc0") * (1 << 16), FORM),
    "numbers": (b"\xcd\x01\x01" * (1 << 16), FORM),
    "bytes": (b"\xc4\x01a" * (1 << 16), FORM),
    "depth": (b"\xc0" * ((1 << 16) - 1) + b"\x91" * 100_000 + b"\xc0", FORM),
    "maps": (b"\x80" * (1 << 16), "a type that is not in use"),
}


@pytest.mark.parametrize("case", FLOODS)
def test_a_flood_is_refused_within_a_hundred_bytes_an_item(case: str) -> None:
    flood, rule = FLOODS[case]
    payload = _payload(RAW_HEAD, b"\x93\x90\x90\xdd" + (1 << 16).to_bytes(4, "big") + flood)
    tracemalloc.start()
    try:
        assert _rule(payload) == rule
        assert tracemalloc.get_traced_memory()[1] < 100 * len(payload)
    finally:
        tracemalloc.stop()


def test_a_flood_that_has_the_form_costs_little_more() -> None:
    keeps = tuple((1, 2 * n, 1) for n in range(20_000))
    edit = (0, (), (), (), (), (), (), (*keeps, (1, 0, 1)))
    body = pack(((), (), (((1, 0), None, (), edit, None),)))
    payload = _payload((*RAW_HEAD[:5], (bytes(32),), *RAW_HEAD[6:]), body)
    items = 4 * len(keeps)
    tracemalloc.start()
    try:
        assert _rule(payload) == "kept lines are not ascending ranges of what is listed"
        assert tracemalloc.get_traced_memory()[1] < 100 * items
    finally:
        tracemalloc.stop()


def test_a_promise_costs_no_memory() -> None:
    payload = _payload(RAW_HEAD, b"\x93\x90\x90" + b"\xdd\x00\x0f\xff\xff" * 100_000)
    tracemalloc.start()
    try:
        assert _rule(payload) == "it promises more than it holds"
        assert tracemalloc.get_traced_memory()[1] < 4 * len(payload)
    finally:
        tracemalloc.stop()


def test_trusted_parts_are_read_alone() -> None:
    change, payload = encode(HEAD, Operations(nodes=(NODE,)))
    assert read(payload) == change
    assert read_header(payload) == HEAD
    assert read_operations(payload) == Operations(nodes=(NODE,))
    # A header is read though the operations are not there, and the other way round.
    cut = parts(payload)
    assert read_header(len(cut[0]).to_bytes(4, "big") + cut[0]) == HEAD
    assert read_operations(bytes(4) + cut[1]).nodes == (NODE,)


@pytest.mark.parametrize("value", [5, (), (1, 2, 3), ((), (), 5), ((), (), ((),)), (0, 0, 0)])
def test_a_trusted_payload_of_another_form_is_refused(value: object) -> None:
    rule = "it does not have the form that it was taken in with"
    payload = _payload(value, pack(value))
    for reading in (read, read_header, read_operations):
        with pytest.raises(MalformedError) as caught:
            reading(payload)
        assert caught.value.rule == rule


def test_a_refusal_says_what_was_refused_and_why() -> None:
    assert str(MalformedError("a rule", "a detail")) == "not a change: a rule (a detail)"
    assert str(MalformedError("a rule")) == "not a change: a rule"


@pytest.mark.parametrize("name", GOLDEN)
def test_each_node_is_read_from_its_own_end_of_the_payload(name: str) -> None:
    header, operations = GOLDEN[name]
    _, payload = encode(header, operations)
    sizes = node_sizes(operations)
    at = len(payload) - sum(sizes)
    for edit, size in zip(operations.nodes, sizes, strict=True):
        assert read_node(payload[at : at + size]) == edit
        at += size


def test_what_is_not_a_node_is_refused() -> None:
    for value in (5, (), (1, 2, 3), ((0,), None, 5, None, None)):
        with pytest.raises(MalformedError, match="the form that it was taken in with"):
            read_node(pack(value))
