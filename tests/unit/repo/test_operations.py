import msgpack
import pytest

from oxy.repo.operations import (
    Move,
    Operation,
    OperationError,
    decode_operation,
    encode_operation,
    index_operation,
    operation_id,
)
from oxy.repo.refs import BOOKMARK, HERE, REMOTE, TAG, Ref, Refs, Target
from oxy.repo.states import Name
from oxy.store.memory import MemoryStore
from oxy.store.protocol import CHANGE

MAIN = Ref(BOOKMARK, b"main")
IDS = [bytes([digit]) * 32 for digit in (9, 3, 7)]


def _store() -> MemoryStore:
    store = MemoryStore()
    with store.transaction() as transaction:
        for each in IDS:
            transaction.append(CHANGE, each, b"change " + each)
    return store


OPERATION = Operation(
    -5,
    -90,
    b"ann",
    b"commit \xff",
    3,
    (
        Move(MAIN, None, Target(Name((1, 3), (2,)), ((b"git:branch", b"x"),))),
        Move(Ref(TAG, b"v1"), Target(Name((2,))), None),
        Move(HERE, Target(Name()), Target(Name((3,)), (), b"main")),
        Move(Ref(REMOTE, b"main@origin"), None, Target(Name((1,)))),
    ),
)


def test_a_record_is_read_as_it_was_written() -> None:
    store = _store()
    assert decode_operation(store, encode_operation(store, OPERATION)) == OPERATION


def test_a_record_names_changes_by_id_so_that_numbers_may_differ() -> None:
    record = encode_operation(_store(), OPERATION)
    other = MemoryStore()
    with other.transaction() as transaction:
        for each in reversed(IDS):
            transaction.append(CHANGE, each, each)
    move = decode_operation(other, record).moves[0]
    assert move.after is not None
    assert move.after.state == Name((1, 3), (2,))
    assert b"change" not in record


def test_its_id_is_that_of_its_bytes() -> None:
    assert operation_id(b"a") != operation_id(b"b")
    assert len(operation_id(b"a")) == 32


def test_names_hold_what_the_last_record_says() -> None:
    store = _store()
    with store.transaction() as transaction:
        index_operation(transaction, OPERATION)
        last = Operation(1, 0, b"", b"", None, (Move(MAIN, None, None),))
        index_operation(transaction, last)
    refs = Refs(store)
    assert refs.get(MAIN) is None
    assert refs.get(Ref(TAG, b"v1")) is None
    assert refs.get(HERE) == Target(Name((3,)), (), b"main")
    assert refs.names(REMOTE) == [b"main@origin"]
    assert list(refs.all(REMOTE)) == [(b"main@origin", Target(Name((1,))))]


def test_a_record_that_names_what_is_not_stored_is_refused() -> None:
    with pytest.raises(OperationError, match="is not stored"):
        decode_operation(MemoryStore(), encode_operation(_store(), OPERATION))


TARGET = ((), (), (), None)
FIELDS = (1, 0, 0, b"", b"", None, ((1, b"main", None, TARGET),))


def _with(place: int, value: object) -> tuple[object, ...]:
    return (*FIELDS[:place], value, *FIELDS[place + 1 :])


def _moving(*move: object) -> tuple[object, ...]:
    return _with(6, (move,))


@pytest.mark.parametrize(
    "raw",
    [
        None,
        7,
        (),
        FIELDS[:6],
        (*FIELDS, 0),
        _with(0, 2),
        _with(1, b""),
        _with(2, None),
        _with(3, "text"),
        _with(4, 1),
        _with(5, b""),
        _with(6, 5),
        _moving(1, b"main", None),
        _moving(b"", b"main", None, None),
        _moving(1, 7, None, None),
        _moving(0, b"main", None, None),
        _moving(256, b"main", None, None),
        _moving(-1, b"main", None, None),
        _moving(1, b"main", (), None),
        _moving(1, b"main", None, ((), (), ())),
        _moving(1, b"main", None, ((1,), (), (), None)),
        _moving(1, b"main", None, ((), b"", (), None)),
        _moving(1, b"main", None, ((), (), ((b"a",),), None)),
        _moving(1, b"main", None, ((), (), (), 1)),
    ],
)
def test_what_is_no_record_is_refused(raw: object) -> None:
    with pytest.raises(OperationError):
        decode_operation(MemoryStore(), msgpack.packb(raw))


@pytest.mark.parametrize("payload", [b"", b"\xc1", b"\x97\x01", msgpack.packb(FIELDS) + b"\0"])
def test_what_is_not_msgpack_is_refused(payload: bytes) -> None:
    with pytest.raises(OperationError):
        decode_operation(MemoryStore(), payload)


def test_the_fields_that_the_refusals_spoil_are_a_record() -> None:
    operation = decode_operation(MemoryStore(), msgpack.packb(FIELDS))
    assert operation.moves == (Move(MAIN, None, Target(Name())),)
