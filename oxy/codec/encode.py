"""Changes to canonical bytes (spec: model, encoding). Pure."""

from typing import TypeAlias

import msgpack

from oxy.codec.limits import HEADER, OPERATIONS
from oxy.errors import RequestError
from oxy.model.change import FORMAT, Change, Header, Operations
from oxy.model.digest import change_id
from oxy.model.operation import (
    DIRECTORY,
    Insert,
    NodeEdit,
    Restore,
    Settle,
    TextEdit,
)

Raw: TypeAlias = object
"""What canonical msgpack holds: integers, bytes, nil and arrays of these."""


class TooLargeError(RequestError):
    """A part of a change is larger than its limit."""

    def __init__(self, part: str, size: int, limit: int) -> None:
        super().__init__(f"the {part} of the change take {size} bytes; the limit is {limit}")
        self.part = part
        self.size = size
        self.limit = limit


def _insert(insert: Insert) -> Raw:
    return insert.size, insert.left, insert.right


def _restore(restore: Restore) -> Raw:
    return *restore.lines, restore.deletions


def _settle(settle: Settle) -> Raw:
    return *settle.lines, settle.deletion, settle.keeper


def _text(edit: TextEdit) -> Raw:
    return (
        edit.lines,
        tuple(map(_insert, edit.inserts)),
        edit.hunks,
        tuple(map(_restore, edit.restores)),
        edit.orders,
        edit.unorders,
        tuple(map(_settle, edit.settles)),
        edit.keeps,
    )


def _node(edit: NodeEdit) -> Raw:
    ref = edit.node
    where: Raw = (ref.position,) if ref.change == DIRECTORY else (ref.change, ref.position)
    text = None if edit.text is None else _text(edit.text)
    return where, edit.created, edit.writes, text, edit.content


def pack(value: Raw) -> bytes:
    """Return the one msgpack form of a value made of arrays, integers, bytes and nil."""
    packed = msgpack.packb(value, use_bin_type=True)
    assert isinstance(packed, bytes)  # noqa: S101 - packb is typed as optional
    return packed


def encode_header(header: Header) -> bytes:
    """Return the canonical bytes of a header.

    Raises:
        TooLargeError: the header is over its limit.
    """
    data = pack(
        (
            FORMAT,
            header.author,
            header.time.microseconds,
            header.time.offset,
            header.message,
            header.deps,
            header.context,
            header.extra,
        )
    )
    if len(data) > HEADER:
        raise TooLargeError("header", len(data), HEADER)
    return data


def encode_operations(operations: Operations) -> bytes:
    """Return the canonical bytes of operations.

    Raises:
        TooLargeError: the operations are over their limit.
    """
    nodes = tuple(map(_node, operations.nodes))
    data = pack((operations.weak, operations.directories, nodes))
    if len(data) > OPERATIONS:
        raise TooLargeError("operations", len(data), OPERATIONS)
    return data


def encode(header: Header, operations: Operations) -> tuple[Change, bytes]:
    """Return the change with its id, and the payload that the store keeps.

    The payload is the header's length (4 bytes, big endian), the header, the operations.
    """
    head = encode_header(header)
    body = encode_operations(operations)
    change = Change(change_id(head, body), header, operations)
    return change, len(head).to_bytes(4, "big") + head + body
