import pytest

from oxy.codec.encode import Encoder, encode
from oxy.codec.packed import PackedNodes
from oxy.model.change import Header, Moment, Operations
from oxy.model.operation import (
    BYTES,
    KIND_BINARY,
    KIND_TEXT,
    PLACE,
    SELF,
    Insert,
    NodeEdit,
    NodeRef,
    Place,
    TextEdit,
    Write,
)

HEADER = Header(b"Ann <ann@x>", Moment(5, -60), b"m")
NODES = (
    NodeEdit(
        NodeRef(SELF, 0),
        KIND_TEXT,
        (Write(PLACE, Place(0, b"f")),),
        TextEdit(2, (Insert(2, None, None),)),
        b"a\nb\n",
    ),
    NodeEdit(
        NodeRef(SELF, 1), KIND_BINARY, (Write(PLACE, Place(0, b"g")), Write(BYTES, b"\0"))
    ),
    NodeEdit(NodeRef(SELF, 2), KIND_TEXT, (Write(PLACE, Place(0, b"h")),)),
)


def _encoder() -> Encoder:
    encoder = Encoder(HEADER, (), ())
    for edit in NODES:
        encoder.take(edit)
    return encoder


def test_edits_that_come_one_by_one_are_encoded_as_all_at_once() -> None:
    change, payload = encode(HEADER, Operations((), (), NODES))
    assert _encoder().end() == (change.id, payload)


def test_packed_nodes_are_what_was_packed() -> None:
    encoder = _encoder()
    _, payload = encoder.end()
    packed = PackedNodes(payload, encoder.sizes)
    assert tuple(packed) == NODES
    assert tuple(reversed(packed)) == NODES[::-1]
    assert len(packed) == len(NODES)
    assert packed[-1] == NODES[-1]
    assert packed[1:] == NODES[1:]
    assert packed[::-2] == NODES[::-2]
    with pytest.raises(IndexError):
        packed[len(NODES)]
