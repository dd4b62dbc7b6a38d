"""Changes to canonical bytes (spec: model, encoding). Pure.

What breaks a rule is refused before it is encoded: nobody else would take it in.
"""

from array import array
from collections.abc import Sequence

from oxy.codec.inline import contents
from oxy.codec.limits import HEADER, ITEMS, OPERATIONS
from oxy.codec.shape import NodesCheck, check_header
from oxy.codec.wire import Raw, count, pack, pack_array_head
from oxy.errors import RequestError
from oxy.model.change import FORMAT, Change, Header, Operations
from oxy.model.digest import ChangeId, change_id
from oxy.model.operation import (
    DIRECTORY,
    BlobRef,
    Directory,
    Insert,
    NodeEdit,
    Place,
    Restore,
    Settle,
    TextEdit,
)


class TooLargeError(RequestError):
    """A part of a change is larger than its limit."""

    def __init__(self, part: str, size: int, limit: int, unit: str = "bytes") -> None:
        super().__init__(f"the {part} of the change takes {size} {unit}; the limit is {limit}")
        self.part = part
        self.size = size
        self.limit = limit
        self.unit = unit


class ShapeError(RequestError):
    """A change that was to be recorded breaks a rule of the model."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the change cannot be recorded: {rule}")
        self.rule = rule


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


def header_of(header: Header) -> bytes:
    """Return the bytes of a header that was checked."""
    return pack(
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


def start_of(weak: Sequence[ChangeId], directories: Sequence[Directory], nodes: int) -> bytes:
    """Return what stands before the nodes in encoded operations."""
    return pack((weak, directories, ()))[: -len(pack(()))] + pack_array_head(nodes)


def _join(head: bytes, body: bytes) -> bytes:
    return len(head).to_bytes(4, "big") + head + body


def node_sizes(operations: Operations) -> list[int]:
    """Return the encoded size of each node's edit; together they are the end of the payload."""
    return [len(pack(_node(edit))) for edit in operations.nodes]


def _bound(part: str, data: bytes, limit: int, strings: int = 0) -> None:
    if len(data) > limit:
        raise TooLargeError(part, len(data), limit)
    # Items are counted one by one, which is slow, only where they may be too many.
    if len(data) - strings <= ITEMS:
        return
    if (items := count(data, len(data))) > ITEMS:
        raise TooLargeError(part, items, ITEMS, "items")


def inside_strings(edit: NodeEdit) -> int:
    """Return how many bytes of an encoded edit are certainly no item of their own."""
    size = 0
    for _, value, _ in edit.writes:
        if isinstance(value, Place):
            size += len(value.name)
    for content in contents(edit):
        size += len(content.id if isinstance(content, BlobRef) else content)
    return size


def encode_header(header: Header) -> bytes:
    """Return the canonical bytes of a header.

    Raises:
        ShapeError: the header breaks a rule.
        TooLargeError: the header is over its limit.
    """
    _obey(check_header(header))
    data = header_of(header)
    _bound("header", data, HEADER)
    return data


def encode_operations(header: Header, operations: Operations) -> bytes:
    """Return the canonical bytes of operations under a header.

    Raises:
        ShapeError: the operations break a rule.
        TooLargeError: the operations are over their limit.
    """
    return _encoder(header, operations).operations()


class Encoder:
    """Encodes a change whose edits of nodes come one by one, so that none need be kept.

    `sizes` are those of the edits in their encoded form, which are the end of the payload.
    """

    __slots__ = ("_check", "_directories", "_header", "_packed", "_strings", "_weak", "sizes")

    def __init__(
        self, header: Header, weak: tuple[ChangeId, ...], directories: tuple[Directory, ...]
    ) -> None:
        self._header = header
        self._weak = weak
        self._directories = directories
        self._check = NodesCheck(header, weak, directories)
        self._strings = 0
        self._packed = bytearray()
        self.sizes = array("I")

    def take(self, edit: NodeEdit) -> None:
        """Encode the edit that comes next.

        Raises:
            ShapeError: it breaks a rule, or something before it did.
        """
        self._check.take(edit)
        _obey(self._check.broken)
        self._strings += inside_strings(edit)
        packed = pack(_node(edit))
        self._packed += packed
        self.sizes.append(len(packed))

    def operations(self) -> bytes:
        """Return the canonical bytes of the operations, once every edit was taken.

        Raises:
            ShapeError: the operations break a rule.
            TooLargeError: they are over their limit.
        """
        _obey(self._check.broken or self._check.left())
        start = start_of(self._weak, self._directories, len(self.sizes))
        data = b"".join((start, self._packed))
        _bound("operations", data, OPERATIONS, self._strings)
        return data

    def end(self) -> tuple[ChangeId, bytes]:
        """Return the id of the change and its payload.

        Raises:
            ShapeError, TooLargeError: as `encode`.
        """
        head, body = encode_header(self._header), self.operations()
        self._packed.clear()
        return change_id(head, body), _join(head, body)


def _encoder(header: Header, operations: Operations) -> Encoder:
    encoder = Encoder(header, operations.weak, operations.directories)
    for edit in operations.nodes:
        encoder.take(edit)
    return encoder


def _obey(broken: str | None) -> None:
    if broken is not None:
        raise ShapeError(broken)


def encode(header: Header, operations: Operations) -> tuple[Change, bytes]:
    """Return the change with its id, and the payload that the store keeps.

    The payload is the header's length (4 bytes, big endian), the header, the operations.

    Raises:
        ShapeError: the change breaks a rule.
        TooLargeError: a part of it is over its limit.
    """
    return encode_sized(header, operations)[:2]


def encode_sized(header: Header, operations: Operations) -> tuple[Change, bytes, list[int]]:
    """Return what `encode` does, and what `node_sizes` would.

    Raises:
        ShapeError: the change breaks a rule.
        TooLargeError: a part of it is over its limit.
    """
    encode_header(header)
    encoder = _encoder(header, operations)
    name, payload = encoder.end()
    return Change(name, header, operations), payload, list(encoder.sizes)
