"""The operation log: every move of a name, with what it held before (spec: states, S15 to S19).

Operations are objects of the store, so names can be rebuilt from the segments alone. They name
changes by id.
"""

from typing import TYPE_CHECKING, NamedTuple

import msgpack
from blake3 import blake3

from oxy.errors import CorruptionError
from oxy.repo.refs import Ref, Target, set_ref
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE, IndexWriter, Reader

if TYPE_CHECKING:
    from collections.abc import Callable

_DOMAIN = b"oxy operation v1"
_FORMAT = 1


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


def _outward(reader: Reader, target: Target | None) -> object:
    if target is None:
        return None
    heads, absent = target.state
    ids: Callable[[tuple[int, ...]], tuple[bytes, ...]] = lambda numbers: tuple(  # noqa: E731
        reader.ids_of(CHANGE, numbers)
    )
    return ids(heads), ids(absent), target.extra, target.bookmark


def _inward(reader: Reader, raw: object) -> Target | None:
    if raw is None:
        return None
    if not isinstance(raw, tuple):
        what = "a target is an array"
        raise OperationError(what)
    heads, absent, extra, bookmark = raw
    return Target(Name(_numbers(reader, heads), _numbers(reader, absent)), extra, bookmark)


def _numbers(reader: Reader, ids: tuple[bytes, ...]) -> tuple[int, ...]:
    numbers = [reader.number_of(CHANGE, name) for name in ids]
    if None in numbers:
        what = "it names a change that is not stored"
        raise OperationError(what)
    return tuple(sorted(number for number in numbers if number is not None))


def encode_operation(reader: Reader, operation: Operation) -> bytes:
    """Return the record of an operation."""
    moves = tuple(
        (*move.ref, _outward(reader, move.before), _outward(reader, move.after))
        for move in operation.moves
    )
    packed: bytes = msgpack.packb((_FORMAT, *operation[:5], moves))
    return packed


def decode_operation(reader: Reader, payload: bytes) -> Operation:
    """Return the operation of a record.

    Raises:
        OperationError: it does not have the form of one, or names what is not stored.
    """
    try:
        form, microseconds, offset, user, command, undoes, moves = msgpack.unpackb(
            payload, use_list=False
        )
    except (ValueError, TypeError) as error:
        raise OperationError(str(error)) from error
    if form != _FORMAT:
        what = f"its format is {form}"
        raise OperationError(what)
    return Operation(
        microseconds,
        offset,
        user,
        command,
        undoes,
        tuple(
            Move(Ref(kind, name), _inward(reader, before), _inward(reader, after))
            for kind, name, before, after in moves
        ),
    )


def index_operation(writer: IndexWriter, operation: Operation) -> None:
    """Move the names that an operation moved."""
    for move in operation.moves:
        set_ref(writer, move.ref, move.after)
