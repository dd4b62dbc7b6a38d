"""Values of the model from unpacked arrays whose types are known (spec: model). Pure.

This is the inner loop of replaying a history, so nothing is proven here.
"""

from collections.abc import Iterator
from oxy.typed import cast

from oxy.codec.form import (
    RawBlob,
    RawHeader,
    RawHunk,
    RawInsert,
    RawNode,
    RawOperations,
    RawPoint,
    RawText,
    RawValue,
)
from oxy.model.change import Context, Header, Moment, Operations
from oxy.model.digest import BlobId
from oxy.model.operation import (
    BYTES,
    DIRECTORY,
    BlobRef,
    Content,
    Directory,
    Hunk,
    Insert,
    Lines,
    NodeEdit,
    NodeRef,
    Order,
    Place,
    Point,
    Restore,
    Settle,
    TextEdit,
    Unorder,
    Value,
    Write,
)


def header(raw: RawHeader) -> Header:
    """Return the header that a proven array holds."""
    _, author, time, offset, message, deps, (heads, absent), extra = raw
    return Header(
        author,
        Moment(time, offset),
        message,
        deps,
        Context(heads, absent),
        extra,
    )


def operations(raw: RawOperations) -> Operations:
    """Return the operations that a proven array holds. Cost: one step an item."""
    weak, directories, nodes = raw
    return Operations(
        weak,
        tuple([Directory(*item) for item in directories]),
        tuple(map(node, nodes)),
    )


def node(raw: RawNode) -> NodeEdit:
    """Return the node edit that a proven array holds."""
    where, created, writes, text, content = raw
    return NodeEdit(
        NodeRef(*where) if len(where) > 1 else NodeRef(DIRECTORY, where[0]),
        created,
        tuple([Write(code, _value(held), old) for code, held, old in writes]),
        None if text is None else _text(text),
        _content(content),
    )


def blobs(raw: RawNode) -> Iterator[BlobRef]:
    """Yield the blobs that a proven array of a node names, in the order of its contents."""
    _, _, writes, _, content = raw
    for register, value, _ in writes:
        if register == BYTES and isinstance(value, tuple):
            yield _blob(cast("RawBlob", value))
    if isinstance(content, tuple):
        yield _blob(content)


def _blob(raw: RawBlob) -> BlobRef:
    return BlobRef(BlobId(raw[0]), raw[1])


def _content(raw: bytes | RawBlob | None) -> Content | None:
    return _blob(raw) if isinstance(raw, tuple) else raw


def _value(raw: RawValue) -> Value:
    if not isinstance(raw, tuple):
        return raw
    if isinstance(raw[0], int):
        return Place(*raw)
    return _content(raw)


def _point(raw: RawPoint) -> Point | None:
    return None if raw is None else Point(*raw)


def _insert(raw: RawInsert) -> Insert:
    return Insert(raw[0], _point(raw[1]), _point(raw[2]))


def _hunk(raw: RawHunk) -> Hunk:
    return Hunk(tuple([Lines(*item) for item in raw[0]]), raw[1])


def _text(raw: RawText) -> TextEdit:
    count, inserts, hunks, restores, orders, unorders, settles, keeps = raw
    edited = tuple(map(_insert, inserts)), tuple(map(_hunk, hunks))
    if not (restores or orders or unorders or settles or keeps):
        return TextEdit(count, *edited)
    return TextEdit(
        count,
        *edited,
        tuple([Restore(Lines(c, s, n), dels) for c, s, n, dels in restores]),
        tuple([Order(*item) for item in orders]),
        tuple([Unorder(*item) for item in unorders]),
        tuple([Settle(Lines(c, s, n), d, k) for c, s, n, d, k in settles]),
        tuple([Lines(*item) for item in keeps]),
    )
