"""Canonical bytes to changes, refusing whatever is not in form (spec: model, encoding). Pure.

Decoding never trusts: types, ranges and order are checked here, and `decode` encodes again and
compares, so that one change has one encoding.
"""

from collections.abc import Callable
from typing import NoReturn, TypeAlias, TypeVar

import msgpack

from oxy.codec.encode import encode
from oxy.codec.limits import HEADER, OPERATIONS
from oxy.codec.shape import check_header, check_operations
from oxy.errors import CorruptionError
from oxy.model.change import FORMAT, Change, Context, Header, Moment, Operations
from oxy.model.digest import BlobId, ChangeId, change_id
from oxy.model.operation import (
    DIRECTORY,
    KIND,
    PLACE,
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

Thing: TypeAlias = object
T = TypeVar("T")
REF_FIELDS = 2


class MalformedError(CorruptionError):
    """Bytes that claim to be a change break a rule of the encoding."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"not a change: {rule}")
        self.rule = rule


class FormatError(CorruptionError):
    """A change is of a newer format than this oxy reads."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"the change has format {version}; this oxy reads {FORMAT}: upgrade oxy"
        )
        self.version = version


def _refuse(rule: str) -> NoReturn:
    raise MalformedError(rule)


def _no_map(_pairs: object) -> NoReturn:
    _refuse("maps have no place in it")


def _no_extension(_code: int, _data: bytes) -> NoReturn:
    _refuse("extension types have no place in it")


def unpack(data: bytes) -> Thing:
    """Return the value that msgpack bytes hold, arrays as tuples.

    Raises:
        MalformedError: not msgpack, trailing bytes, or a type that is not in use.
    """
    try:
        value: object = msgpack.unpackb(
            data,
            use_list=False,
            raw=False,
            object_pairs_hook=_no_map,
            ext_hook=_no_extension,
            max_str_len=0,
            max_ext_len=0,
        )
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"not msgpack ({error})") from error
    return value


def _int(value: Thing) -> int:
    if type(value) is not int:
        _refuse("an integer was due")
    return value


def _bytes(value: Thing) -> bytes:
    if type(value) is not bytes:
        _refuse("bytes were due")
    return value


def _tuple(value: Thing, size: int = -1) -> tuple[Thing, ...]:
    if type(value) is not tuple or (size >= 0 and len(value) != size):
        _refuse("an array was due" if size < 0 else f"an array of {size} was due")
    return value


def _all(value: Thing, one: Callable[[Thing], T]) -> tuple[T, ...]:
    return tuple([one(item) for item in _tuple(value)])


def _ids(value: Thing) -> tuple[ChangeId, ...]:
    return tuple([ChangeId(_bytes(item)) for item in _tuple(value)])


def _pair(value: Thing) -> tuple[bytes, bytes]:
    key, item = _tuple(value, 2)
    return _bytes(key), _bytes(item)


def _header(value: Thing) -> Header:
    fields = _tuple(value)
    if fields and type(fields[0]) is int and fields[0] != FORMAT:
        raise FormatError(fields[0])
    version, author, time, offset, message, deps, context, extra = _tuple(fields, 8)
    _int(version)
    heads, absent = _tuple(context, 2)
    return Header(
        _bytes(author),
        Moment(_int(time), _int(offset)),
        _bytes(message),
        _ids(deps),
        Context(_ids(heads), _ids(absent)),
        _all(extra, _pair),
    )


def _point(value: Thing) -> Point | None:
    if value is None:
        return None
    change, index, side = _tuple(value, 3)
    return Point(_int(change), _int(index), _int(side))


def _lines(value: Thing) -> Lines:
    change, start, count = _tuple(value, 3)
    return Lines(_int(change), _int(start), _int(count))


def _insert(value: Thing) -> Insert:
    count, left, right = _tuple(value, 3)
    return Insert(_int(count), _point(left), _point(right))


def _hunk(value: Thing) -> Hunk:
    lines, block = _tuple(value, 2)
    return Hunk(_all(lines, _lines), None if block is None else _int(block))


def _restore(value: Thing) -> Restore:
    change, start, count, deletions = _tuple(value, 4)
    return Restore(Lines(_int(change), _int(start), _int(count)), _all(deletions, _int))


def _order(value: Thing) -> Order:
    a, i, b, j, inside = _tuple(value, 5)
    return Order(_int(a), _int(i), _int(b), _int(j), _int(inside))


def _unorder(value: Thing) -> Unorder:
    change, position = _tuple(value, 2)
    return Unorder(_int(change), _int(position))


def _settle(value: Thing) -> Settle:
    change, start, count, deletion, keeper = _tuple(value, 5)
    lines = Lines(_int(change), _int(start), _int(count))
    return Settle(lines, _int(deletion), None if keeper is None else _int(keeper))


def _text(value: Thing) -> TextEdit | None:
    if value is None:
        return None
    lines, inserts, hunks, restores, orders, unorders, settles, keeps = _tuple(value, 8)
    return TextEdit(
        _int(lines),
        _all(inserts, _insert),
        _all(hunks, _hunk),
        _all(restores, _restore),
        _all(orders, _order),
        _all(unorders, _unorder),
        _all(settles, _settle),
        _all(keeps, _lines),
    )


def _content(value: Thing) -> Content:
    if type(value) is bytes:
        return value
    digest, length = _tuple(value, 2)
    return BlobRef(BlobId(_bytes(digest)), _int(length))


def _value(register: int, value: Thing) -> Value:
    if value is None or type(value) is int or type(value) is bytes:
        return value
    first, second = _tuple(value, 2)
    if register == PLACE:
        return Place(_int(first), _bytes(second))
    return BlobRef(BlobId(_bytes(first)), _int(second))


def _write(value: Thing) -> Write:
    register, held, replaces = _tuple(value, 3)
    code = _int(register)
    if not PLACE <= code <= KIND:
        _refuse(f"no register has the code {code}")
    return Write(code, _value(code, held), _all(replaces, _int))


def _node(value: Thing) -> NodeEdit:
    where, created, writes, text, content = _tuple(value, 5)
    ref = _all(where, _int)
    if len(ref) == 1:
        node = NodeRef(DIRECTORY, ref[0])
    elif len(ref) == REF_FIELDS:
        node = NodeRef(*ref)
    else:
        _refuse("a node reference has one or two numbers")
    return NodeEdit(
        node,
        None if created is None else _int(created),
        _all(writes, _write),
        _text(text),
        None if content is None else _content(content),
    )


def _directory(value: Thing) -> Directory:
    parent, name, k = _tuple(value, 3)
    return Directory(_int(parent), _bytes(name), _int(k))


def decode_header(data: bytes) -> Header:
    """Return the header that bytes hold, without proving that they are canonical.

    Raises:
        MalformedError: a rule of the encoding is broken.
        FormatError: the header is of a newer format.
    """
    if len(data) > HEADER:
        _refuse(f"its header is over {HEADER} bytes")
    return _header(unpack(data))


def decode_operations(data: bytes) -> Operations:
    """Return the operations that bytes hold, without proving that they are canonical.

    Raises:
        MalformedError: a rule of the encoding is broken.
    """
    if len(data) > OPERATIONS:
        _refuse(f"its operations are over {OPERATIONS} bytes")
    weak, directories, nodes = _tuple(unpack(data), 3)
    return Operations(_ids(weak), _all(directories, _directory), _all(nodes, _node))


def parts(payload: bytes) -> tuple[bytes, bytes]:
    """Split a payload into its header's and its operations' bytes.

    Raises:
        MalformedError: the payload is too short for what it says.
    """
    end = 4 + int.from_bytes(payload[:4], "big")
    if len(payload) < end or end < REF_FIELDS + 2:
        _refuse("it is shorter than it says")
    return payload[4:end], payload[end:]


def identify(payload: bytes) -> ChangeId:
    """Return the id that a stored change has by its bytes.

    Raises:
        MalformedError: the payload is too short for what it says.
    """
    return change_id(*parts(payload))


def read(payload: bytes) -> Change:
    """Return the change of a payload that this repository checked when it took it in."""
    head, body = parts(payload)
    return Change(change_id(head, body), decode_header(head), decode_operations(body))


def decode(payload: bytes) -> Change:
    """Return the change that bytes from elsewhere hold, proven canonical and in shape.

    Raises:
        MalformedError: a rule of the encoding is broken.
        FormatError: the change is of a newer format.
    """
    change = read(payload)
    problem = check_header(change.header) or check_operations(change.header, change.operations)
    if problem is not None:
        _refuse(problem)
    if encode(change.header, change.operations)[1] != payload:
        _refuse("its encoding is not the canonical one")
    return change
