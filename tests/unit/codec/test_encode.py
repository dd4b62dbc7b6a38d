import pytest

from oxy.codec import encode as encoding
from oxy.codec.encode import (
    ShapeError,
    TooLargeError,
    encode,
    encode_header,
    encode_operations,
    node_sizes,
)
from oxy.codec.limits import HEADER, OPERATIONS
from oxy.codec.wire import count
from oxy.model.change import Header, Moment, Operations
from oxy.model.digest import change_id, digest
from oxy.model.operation import Insert, NodeEdit, NodeRef, Place, TextEdit, Write

HEAD = Header(b"Ann", Moment(5, 60), b"m")


def _texts(number: int, content: bytes) -> Operations:
    text = TextEdit(1, (Insert(1, None, None),))
    return Operations(
        nodes=tuple(
            NodeEdit(NodeRef(0, n), 1, (Write(1, Place(0, b"%d" % n)),), text, content)
            for n in range(number)
        )
    )


def test_a_payload_is_a_length_a_header_and_operations() -> None:
    operations = _texts(2, b"x\n")
    change, payload = encode(HEAD, operations)
    head, body = encode_header(HEAD), encode_operations(HEAD, operations)
    assert payload == len(head).to_bytes(4, "big") + head + body
    assert sum(node_sizes(operations)) < len(body)
    assert change == (change_id(head, body), HEAD, operations)


def test_the_id_needs_only_the_digests_of_both_parts() -> None:
    head, body = encode_header(HEAD), encode_operations(HEAD, _texts(1, b"x\n"))
    assert change_id(head, body) == digest(b"oxy change v1" + digest(head) + digest(body))


def test_a_change_out_of_shape_is_not_encoded() -> None:
    with pytest.raises(ShapeError, match="cannot be recorded: the author has a line break"):
        encode(HEAD._replace(author=b"a\nb"), Operations())
    with pytest.raises(ShapeError) as caught:
        encode(HEAD, _texts(1, b"x"))
    assert caught.value.rule == "the content does not have the lines that the edit says"


def test_a_header_over_its_limit_is_named_with_its_size() -> None:
    extra = ((b"a:a", bytes(HEADER)),)
    with pytest.raises(TooLargeError, match="the header of the change takes") as caught:
        encode(HEAD._replace(extra=extra), Operations())
    assert (caught.value.part, caught.value.limit) == ("header", HEADER)
    assert caught.value.size > HEADER


def test_operations_over_their_limit_are_named_with_their_size() -> None:
    target = bytes(OPERATIONS // 2)
    operations = Operations(
        nodes=tuple(
            NodeEdit(NodeRef(0, n), 3, (Write(1, Place(0, b"%d" % n)), Write(5, target)))
            for n in range(2)
        )
    )
    with pytest.raises(TooLargeError, match="bytes; the limit is") as caught:
        encode_operations(HEAD, operations)
    assert (caught.value.part, caught.value.unit) == ("operations", "bytes")


def test_more_items_than_a_reader_takes_are_not_encoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    operations = _texts(1, b"x\n")
    items = count(encode_operations(HEAD, operations))
    monkeypatch.setattr(encoding, "ITEMS", items)
    assert encode_operations(HEAD, operations)
    monkeypatch.setattr(encoding, "ITEMS", items - 1)
    with pytest.raises(TooLargeError) as caught:
        encode_operations(HEAD, operations)
    assert (caught.value.size, caught.value.limit) == (items, items - 1)
    assert caught.value.unit == "items"


def test_items_are_not_counted_where_long_strings_alone_make_many_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    operations = _texts(3, b"x" * 100 + b"\n")
    items = count(encode_operations(HEAD, operations))
    monkeypatch.setattr(encoding, "ITEMS", items * 2)
    monkeypatch.setattr(encoding, "count", lambda *_: pytest.fail("it was counted"))
    assert len(encode_operations(HEAD, operations)) > items * 2
