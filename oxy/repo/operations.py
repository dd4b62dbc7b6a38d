"""The operation log: every move of a name, with what it held before (spec: S24, S25, S29).

Operations are objects of the store, so names can be rebuilt from the segments alone. They name
changes by id.
"""

from oxy.typed import Final, NamedTuple, TypeAlias, cast

import msgpack
from blake3 import blake3

from oxy.codec.form import byte_string, either, integer, many, nil, row
from oxy.codec.wire import MalformedError, count
from oxy.errors import CorruptionError
from oxy.repo.refs import Ref, Target, set_ref
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE, IndexWriter, Reader

_DOMAIN: Final = b"oxy operation v1"
_FORMAT: Final = 1
_KINDS: Final = 256

_Ids: TypeAlias = tuple[bytes, ...]
Spelled: TypeAlias = tuple[_Ids, _Ids, tuple[tuple[bytes, bytes], ...], bytes | None]
"""What a name holds in a record: a state by ids, fields, and a bookmark."""

_Move: TypeAlias = tuple[int, bytes, Spelled | None, Spelled | None]
_Record: TypeAlias = tuple[int, int, int, bytes, bytes, int | None, tuple[_Move, ...]]

_NAMED: Final = row(
    many(byte_string),
    many(byte_string),
    many(row(byte_string, byte_string)),
    either(byte_string, nil),
)
_MOVE: Final = row(integer, byte_string, either(_NAMED, nil), either(_NAMED, nil))
_RECORD: Final = row(
    integer, integer, integer, byte_string, byte_string, either(integer, nil), many(_MOVE)
)
"""What an operation record is made of: format, then the fields of an operation."""


class OperationError(CorruptionError):
    """An operation record does not have its form."""

    def __init__(self, what: str) -> None:
        super().__init__(f"not an operation record: {what}")


class Move(NamedTuple):
    """One name that an operation moved."""

    ref: Ref
    before: Target | None
    after: Target | None


class Operation(NamedTuple):
    """When, who, which command, which names moved, and which operation it took back if any."""

    microseconds: int
    offset: int
    user: bytes
    command: bytes
    undoes: int | None
    moves: tuple[Move, ...]


def operation_id(payload: bytes) -> bytes:
    """Return the id of an operation record."""
    return blake3(_DOMAIN + payload).digest()


def outward(reader: Reader, target: Target | None) -> Spelled | None:
    """Return what a name holds as a record has it."""
    if target is None:
        return None
    heads, absent = (tuple(reader.ids_of(CHANGE, part)) for part in target.state)
    return heads, absent, target.extra, target.bookmark


def inward(reader: Reader, raw: Spelled | None) -> Target | None:
    """Return what a record says that a name holds.

    Raises:
        OperationError: it names a change that is not stored.
    """
    if raw is None:
        return None
    heads, absent, extra, bookmark = raw
    return Target(Name(_numbers(reader, heads), _numbers(reader, absent)), extra, bookmark)


def _numbers(reader: Reader, ids: tuple[bytes, ...]) -> tuple[int, ...]:
    numbers = []
    for name in ids:
        number = reader.number_of(CHANGE, name)
        if number is None:
            what = f"it names change {name.hex()}, which is not stored"
            raise OperationError(what)
        numbers.append(number)
    return tuple(sorted(numbers))


def encode_operation(reader: Reader, operation: Operation) -> bytes:
    """Return the record of an operation."""
    moves = tuple(
        (*move.ref, outward(reader, move.before), outward(reader, move.after))
        for move in operation.moves
    )
    packed: bytes = msgpack.packb((_FORMAT, *operation[:5], moves))
    return packed


def decode_operation(reader: Reader, payload: bytes) -> Operation:
    """Return the operation of a record.

    Raises:
        OperationError: it does not have the form of one, or names what is not stored.
    """
    _, microseconds, offset, user, command, undoes, moves = _proven(payload)
    return Operation(
        microseconds,
        offset,
        user,
        command,
        undoes,
        tuple(
            Move(_ref(kind, name), inward(reader, before), inward(reader, after))
            for kind, name, before, after in moves
        ),
    )


def said(payload: bytes) -> list[tuple[Ref, Spelled | None]]:
    """Return what names hold after an operation, whether or not that is stored.

    Raises:
        OperationError: the record does not have the form of one.
    """
    return [(_ref(kind, name), after) for kind, name, _, after in _proven(payload)[-1]]


def _ref(kind: int, name: bytes) -> Ref:
    if not 0 < kind < _KINDS:
        what = f"{kind} is no kind of name"
        raise OperationError(what)
    return Ref(kind, name)


def _proven(payload: bytes) -> _Record:
    """Return the fields of a record, each of its type."""
    try:
        count(payload)
        raw: object = msgpack.unpackb(payload, use_list=False)
    except MalformedError as error:
        raise OperationError(error.rule) from error
    except (ValueError, TypeError) as error:
        raise OperationError(str(error)) from error
    if isinstance(raw, tuple) and raw and raw[0] != _FORMAT:
        what = f"its format is {raw[0]}"
        raise OperationError(what)
    if not _RECORD(raw):
        what = "a field is missing or has another type"
        raise OperationError(what)
    return cast("_Record", raw)


def index_operation(writer: IndexWriter, operation: Operation) -> None:
    """Move the names that an operation moved."""
    for move in operation.moves:
        set_ref(writer, move.ref, move.after)
