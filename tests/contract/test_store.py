"""What every Store does, held against each implementation."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from blake3 import blake3

from oxy.store.errors import NumberUnknownError, ObjectSizeError, TransactionStateError
from oxy.store.file import FileStore
from oxy.store.frame import RECORDS, packer, seal
from oxy.store.limits import FRAME_TARGET, PIECE_SIZE
from oxy.store.memory import MemoryStore
from oxy.store.protocol import BLOB, CHANGE, OPERATION, Durability, Store, Whole
from oxy.store.record import RECORD_HEAD, record, records_in


def identify(_kind: int, payload: bytes) -> bytes:
    return blake3(payload).digest()


def id_for(payload: bytes) -> bytes:
    return blake3(payload).digest()


def payloads(count: int, size: int = 100) -> list[bytes]:
    return [(b"%d " % number * size)[:size] for number in range(count)]


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = (
        MemoryStore()
        if request.param == "memory"
        else FileStore.create(bytes(tmp_path / "store"), identify, durability="fast")
    )
    yield made
    made.close()


def append_all(store: Store, kind: int, contents: list[bytes]) -> list[int]:
    with store.transaction() as transaction:
        return [transaction.append(kind, id_for(each), each) for each in contents]


def test_an_empty_store_has_nothing(store: Store) -> None:
    assert store.count(CHANGE) == 0
    assert store.number_of(CHANGE, id_for(b"")) is None
    assert store.row(1, b"key") is None
    assert list(store.rows(1)) == []
    assert store.with_prefix(CHANGE, "", 10) == []


def test_numbers_are_dense_from_one_within_each_kind(store: Store) -> None:
    assert append_all(store, CHANGE, [b"a", b"b"]) == [1, 2]
    assert append_all(store, BLOB, [b"c"]) == [1]
    assert append_all(store, CHANGE, [b"d"]) == [3]
    assert (store.count(CHANGE), store.count(BLOB), store.count(OPERATION)) == (3, 1, 0)


def test_an_object_reads_back_by_its_number(store: Store) -> None:
    contents = [b"", b"x", *payloads(50), b"y" * (FRAME_TARGET + 1)]
    numbers = append_all(store, CHANGE, contents)
    assert [store.read(CHANGE, number) for number in numbers] == contents
    assert [store.size(CHANGE, number) for number in numbers] == [len(c) for c in contents]
    assert [store.id_of(CHANGE, number) for number in numbers] == [id_for(c) for c in contents]


def test_many_objects_come_in_the_order_asked(store: Store) -> None:
    contents = payloads(1500, 300)
    append_all(store, CHANGE, contents)
    numbers = [1500, 1, 700, 700, 2, 3, 4]
    assert list(store.read_many(CHANGE, numbers)) == [contents[n - 1] for n in numbers]
    assert list(store.ids_of(CHANGE, numbers)) == [id_for(contents[n - 1]) for n in numbers]
    assert list(store.read_many(CHANGE, range(1, 1501))) == contents
    assert list(store.ids_of(CHANGE, range(1, 1501))) == [id_for(each) for each in contents]


def test_an_object_that_is_there_keeps_its_number_and_content(store: Store) -> None:
    append_all(store, CHANGE, [b"a", b"b"])
    with store.transaction() as transaction:
        assert transaction.append(CHANGE, id_for(b"a"), b"something else") == 1
        assert transaction.append(CHANGE, id_for(b"new"), b"new") == 3
        assert transaction.append(CHANGE, id_for(b"new"), b"new") == 3
    assert store.read(CHANGE, 1) == b"a"
    assert store.count(CHANGE) == 3


def test_the_same_id_may_be_of_two_kinds(store: Store) -> None:
    append_all(store, CHANGE, [b"a"])
    append_all(store, BLOB, [b"z", b"a"])
    assert store.number_of(CHANGE, id_for(b"a")) == 1
    assert store.number_of(BLOB, id_for(b"a")) == 2


@pytest.mark.parametrize("number", [0, -1, 2, 2**31, 2**70])
def test_a_number_that_nothing_has_is_refused(store: Store, number: int) -> None:
    append_all(store, CHANGE, [b"a"])
    for use in (store.read, store.id_of, store.size):
        with pytest.raises(NumberUnknownError):
            use(CHANGE, number)
    with pytest.raises(NumberUnknownError):
        list(store.read_many(CHANGE, [1, number]))
    with pytest.raises(NumberUnknownError):
        list(store.ids_of(CHANGE, [1, number]))


def test_ids_are_found_by_their_beginning(store: Store) -> None:
    ids = [bytes([first]) * 32 for first in (0x12, 0x13, 0x1F, 0xFF, 0x20)]
    with store.transaction() as transaction:
        for each in ids:
            transaction.append(BLOB, each, each)
        assert transaction.with_prefix(BLOB, "ff", 9) == [ids[3]]
    assert store.with_prefix(BLOB, "1", 9) == ids[:3]
    assert store.with_prefix(BLOB, "1", 2) == ids[:2]
    assert store.with_prefix(BLOB, "12", 9) == ids[:1]
    assert store.with_prefix(BLOB, "F", 9) == [ids[3]]
    assert store.with_prefix(BLOB, "", 9) == sorted(ids)
    assert store.with_prefix(BLOB, ids[4].hex(), 9) == [ids[4]]
    assert store.with_prefix(CHANGE, "1", 9) == []


@pytest.mark.parametrize("prefix", ["g", "1 2", "0x1", "\u0661", "-1", "1" * 65])
def test_a_prefix_that_no_id_can_have_finds_nothing(store: Store, prefix: str) -> None:
    append_all(store, CHANGE, payloads(40))
    assert store.with_prefix(CHANGE, prefix, 9) == []


@pytest.mark.parametrize("size", [0, 1, PIECE_SIZE, PIECE_SIZE + 1, 2 * PIECE_SIZE, 3_300_000])
def test_a_large_object_goes_in_and_out_in_pieces(store: Store, size: int) -> None:
    content = bytes(range(251)) * (size // 251 + 1)
    content = content[:size]
    pieces = [content[start : start + 70_001] for start in range(0, size, 70_001)]
    with store.transaction() as transaction:
        transaction.append(BLOB, id_for(b"before"), b"before")
        number = transaction.append_chunks(BLOB, id_for(content), size, pieces)
        transaction.append(BLOB, id_for(b"after"), b"after")
        assert transaction.read(BLOB, number) == content
    assert number == 2
    got = list(store.chunks(BLOB, number))
    assert b"".join(got) == content
    assert all(0 < len(piece) <= PIECE_SIZE for piece in got)
    assert store.read(BLOB, number) == content
    assert store.size(BLOB, number) == size
    assert list(store.read_many(BLOB, [1, 3])) == [b"before", b"after"]


def _large(size: int) -> bytes:
    """Return bytes of which no stretch of eight occurs twice."""
    return b"".join(number.to_bytes(8, "big") for number in range(size // 8 + 1))[:size]


LARGE = _large(3 * PIECE_SIZE + 5)


@pytest.mark.parametrize(
    ("offset", "size"),
    [
        (0, 0),
        (0, 4),
        (PIECE_SIZE - 4, 4),
        (PIECE_SIZE - 4, 5),
        (PIECE_SIZE, 1),
        (PIECE_SIZE + 1, 2 * PIECE_SIZE),
        (3 * PIECE_SIZE, 5),
        (3 * PIECE_SIZE + 4, 100),
        (len(LARGE), 1),
        (len(LARGE) + 9, 1),
        (0, len(LARGE)),
    ],
)
def test_a_part_of_a_large_object_is_read(store: Store, offset: int, size: int) -> None:
    with store.transaction() as transaction:
        number = transaction.append(CHANGE, id_for(LARGE), LARGE)
        assert transaction.read_part(CHANGE, number, offset, size) == LARGE[offset:][:size]
    assert store.read_part(CHANGE, number, offset, size) == LARGE[offset:][:size]


def test_parts_of_a_large_object_are_read_in_any_order(store: Store) -> None:
    append_all(store, CHANGE, [b"before", LARGE, b"after"])
    for piece in (2, 0, 3, 1, 1):
        offset = piece * PIECE_SIZE + 3
        assert store.read_part(CHANGE, 2, offset, 2) == LARGE[offset : offset + 2]
    assert list(store.chunks(CHANGE, 2)) == [
        LARGE[at : at + PIECE_SIZE] for at in range(0, len(LARGE), PIECE_SIZE)
    ]


@pytest.mark.parametrize("kept", [True, False])
def test_a_part_of_a_small_object_is_read(store: Store, *, kept: bool) -> None:
    with store.transaction() as transaction:
        transaction.append(CHANGE, id_for(b"0123"), b"0123")
        reader = store if kept else transaction
        assert reader.read_part(CHANGE, 1, 1, 2) == b"12"
    assert store.read_part(CHANGE, 1, 3, 2) == b"3"
    assert store.read_part(CHANGE, 1, 4, 2) == b""


def test_a_part_of_an_object_that_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(NumberUnknownError):
        store.read_part(CHANGE, 1, 0, 1)


def test_the_beginnings_of_many_objects_are_read(store: Store) -> None:
    append_all(store, CHANGE, [b"before", LARGE, b""])
    starts = [LARGE[:PIECE_SIZE], b"before", b"", LARGE[:PIECE_SIZE]]
    assert list(store.read_starts(CHANGE, [2, 1, 3, 2])) == starts
    with pytest.raises(NumberUnknownError):
        list(store.read_starts(CHANGE, [1, 4]))


def test_a_part_is_not_what_a_transaction_that_was_taken_back_wrote(store: Store) -> None:
    def write(content: bytes) -> None:
        with store.transaction() as transaction:
            number = transaction.append(CHANGE, id_for(content), content)
            assert transaction.read_part(CHANGE, number, PIECE_SIZE, 9) == content[-9:]
            if content == zeros:
                raise _PlannedError

    zeros = bytes(PIECE_SIZE + 9)
    with pytest.raises(_PlannedError):
        write(zeros)
    write(LARGE[: PIECE_SIZE + 9])
    assert store.read_part(CHANGE, 1, PIECE_SIZE, 9) == LARGE[PIECE_SIZE : PIECE_SIZE + 9]


def test_a_large_payload_may_be_appended_at_once(store: Store) -> None:
    content = b"0123456789abcdef" * 200_000
    append_all(store, CHANGE, [content])
    assert store.read(CHANGE, 1) == content


@pytest.mark.parametrize("size", [4, 6, PIECE_SIZE * 2])
def test_pieces_that_do_not_add_up_are_refused(store: Store, size: int) -> None:
    with pytest.raises(ObjectSizeError), store.transaction() as transaction:
        transaction.append_chunks(BLOB, id_for(b"12345"), size, [b"123", b"45"])
    assert store.count(BLOB) == 0


def test_an_object_over_the_limit_is_refused_before_it_is_read(store: Store) -> None:
    asked = []

    def pieces() -> Iterator[bytes]:
        asked.append(1)
        yield b""

    with pytest.raises(ObjectSizeError), store.transaction() as transaction:
        transaction.append_chunks(BLOB, id_for(b"a"), 2**50, pieces())
    assert asked == []


@pytest.mark.parametrize("pieces", [0, 1, 5])
@pytest.mark.parametrize("before", [0, 3])
def test_an_object_whose_content_does_not_come_is_not_there_and_the_rest_is(
    store: Store, pieces: int, before: int
) -> None:
    noise = random.Random(pieces).randbytes(PIECE_SIZE)  # noqa: S311 -- not a secret

    def lost() -> Iterator[bytes]:
        yield from [noise] * pieces
        raise EOFError

    large = noise * 2
    with store.transaction() as transaction:
        for at in range(before):
            transaction.append(CHANGE, id_for(b"%d" % at), b"%d" % at)
        for chunks, error in ((lost(), EOFError), (iter([b"b"]), ObjectSizeError)):
            with pytest.raises(error):
                transaction.append_chunks(BLOB, id_for(b"b"), PIECE_SIZE * 6, chunks)
        assert transaction.number_of(BLOB, id_for(b"b")) is None
        assert transaction.append_chunks(BLOB, id_for(large), len(large), [large]) == 1
        transaction.append(CHANGE, id_for(b"c"), b"c")
    assert (store.count(BLOB), store.count(CHANGE)) == (1, before + 1)
    assert store.number_of(BLOB, id_for(b"b")) is None
    assert b"".join(store.chunks(BLOB, 1)) == large
    assert list(store.read_many(CHANGE, [before + 1])) == [b"c"]
    assert append_all(store, CHANGE, [b"d"]) == [before + 2]


def test_rows_come_in_key_order(store: Store) -> None:
    with store.transaction() as transaction:
        for key in (b"b", b"a\xff", b"", b"a", b"a\x00", b"\xff\xff", b"\xff"):
            transaction.put(7, key, b"v" + key)
        transaction.put(8, b"a", b"of another table")
    keys = [b"", b"a", b"a\x00", b"a\xff", b"b", b"\xff", b"\xff\xff"]
    assert list(store.rows(7)) == [(key, b"v" + key) for key in keys]
    assert [key for key, _ in store.rows(7, reverse=True)] == keys[::-1]
    assert [key for key, _ in store.rows(7, b"a")] == keys[1:4]
    assert [key for key, _ in store.rows(7, b"\xff")] == keys[5:]
    assert [key for key, _ in store.rows(7, b"a", reverse=True)] == keys[3:0:-1]


def test_rows_begin_after_a_key_that_need_not_exist(store: Store) -> None:
    with store.transaction() as transaction:
        for key in (b"a", b"b", b"c"):
            transaction.put(1, key, key)
    assert [key for key, _ in store.rows(1, after=b"a")] == [b"b", b"c"]
    assert [key for key, _ in store.rows(1, after=b"bb")] == [b"c"]
    assert [key for key, _ in store.rows(1, after=b"c", reverse=True)] == [b"b", b"a"]
    assert [key for key, _ in store.rows(1, after=b"bb", reverse=True)] == [b"b", b"a"]
    assert [key for key, _ in store.rows(1, after=b"z")] == []


def test_thousands_of_rows_are_read_whole(store: Store) -> None:
    keys = [b"%06d" % number for number in range(10_000)]
    with store.transaction() as transaction:
        for key in keys:
            transaction.put(3, key, key)
    assert [key for key, _ in store.rows(3)] == keys
    assert [key for key, _ in store.rows(3, b"0012", reverse=True)] == keys[1299:1199:-1]
    assert store.rows_many(3, [*keys[::3], b"none"]) == {key: key for key in keys[::3]}


def test_a_row_is_replaced_and_removed(store: Store) -> None:
    with store.transaction() as transaction:
        transaction.put(1, b"a", b"1")
        transaction.put(1, b"b", b"1")
        transaction.put(1, b"a", b"2")
    with store.transaction() as transaction:
        transaction.delete(1, b"b")
        transaction.delete(1, b"never there")
    assert list(store.rows(1)) == [(b"a", b"2")]


def test_a_transaction_reads_what_it_has_written(store: Store) -> None:
    append_all(store, CHANGE, [b"a"])
    contents = payloads(2000, 400)
    with store.transaction() as transaction:
        numbers = [transaction.append(CHANGE, id_for(each), each) for each in contents]
        assert transaction.count(CHANGE) == 2001
        assert [transaction.read(CHANGE, number) for number in numbers] == contents
        assert list(transaction.read_many(CHANGE, numbers)) == contents
        assert list(transaction.ids_of(CHANGE, numbers)) == [id_for(each) for each in contents]
        assert [transaction.number_of(CHANGE, id_for(each)) for each in contents] == numbers
        assert transaction.size(CHANGE, 2001) == 400
        assert list(transaction.chunks(CHANGE, 2001)) == [contents[-1]]
        transaction.put(1, b"a", b"1")
        assert transaction.row(1, b"a") == b"1"
        assert list(transaction.rows(1)) == [(b"a", b"1")]
        transaction.delete(1, b"a")
        assert transaction.row(1, b"a") is None
        assert transaction.rows_many(1, [b"a"]) == {}
        transaction.put(1, b"a", b"2")
        assert store.row(1, b"a") == b"2"
        assert store.read(CHANGE, 2001) == contents[-1]
    assert list(store.rows(1)) == [(b"a", b"2")]


class _PlannedError(Exception):
    pass


def test_an_exception_takes_everything_back(store: Store) -> None:
    append_all(store, CHANGE, [b"a"])
    with store.transaction() as transaction:
        transaction.put(1, b"kept", b"1")
        transaction.put(1, b"changed", b"1")
    with pytest.raises(_PlannedError), store.transaction() as transaction:  # noqa: PT012 -- the block is the case
        for each in payloads(2000, 400):
            transaction.append(CHANGE, id_for(each), each)
        transaction.append_chunks(BLOB, id_for(b"big"), PIECE_SIZE * 2, [b"x" * PIECE_SIZE] * 2)
        transaction.put(1, b"changed", b"2")
        transaction.delete(1, b"kept")
        transaction.put(1, b"new", b"2")
        raise _PlannedError
    assert (store.count(CHANGE), store.count(BLOB)) == (1, 0)
    assert list(store.rows(1)) == [(b"changed", b"1"), (b"kept", b"1")]
    assert store.number_of(CHANGE, id_for(payloads(1, 400)[0])) is None
    assert append_all(store, CHANGE, [b"b"]) == [2]
    assert list(store.read_many(CHANGE, [1, 2])) == [b"a", b"b"]


def test_an_empty_transaction_changes_nothing(store: Store) -> None:
    with store.transaction():
        pass
    assert append_all(store, CHANGE, [b"a"]) == [1]


def test_a_transaction_inside_another_is_refused(store: Store) -> None:
    with store.transaction() as outer:
        outer.append(CHANGE, id_for(b"a"), b"a")
        with pytest.raises(TransactionStateError), store.transaction():
            pytest.fail("it began")
    assert store.count(CHANGE) == 1


def test_a_transaction_is_not_used_after_its_end(store: Store) -> None:
    with store.transaction() as transaction:
        transaction.append(CHANGE, id_for(b"a"), b"a")
    with pytest.raises(TransactionStateError):
        transaction.append(CHANGE, id_for(b"b"), b"b")
    with pytest.raises(TransactionStateError):
        transaction.put(1, b"a", b"b")
    with pytest.raises(TransactionStateError):
        transaction.delete(1, b"a")
    assert store.count(CHANGE) == 1


def test_a_snapshot_reads_and_may_be_nested(store: Store) -> None:
    append_all(store, CHANGE, [b"a"])
    with store.snapshot() as reader, store.snapshot() as inner:
        assert reader.read(CHANGE, 1) == inner.read(CHANGE, 1) == b"a"
    with store.transaction() as transaction, store.snapshot() as reader:
        transaction.append(CHANGE, id_for(b"b"), b"b")
        assert reader.read(CHANGE, 2) == b"b"
    assert store.count(CHANGE) == 2


@pytest.mark.parametrize("durability", ["safe", "fast"])
def test_either_durability_keeps_what_was_committed(
    store: Store, durability: Durability
) -> None:
    with store.transaction(durability) as transaction:
        transaction.append(CHANGE, id_for(b"a"), b"a")
    assert store.read(CHANGE, 1) == b"a"


def test_numbers_of_many_are_found_at_once_also_while_they_are_written(store: Store) -> None:
    append_all(store, BLOB, payloads(600))
    names = [id_for(each) for each in payloads(700)]
    with store.transaction() as transaction:
        transaction.append(BLOB, names[699], payloads(700)[699])
        found = transaction.numbers_of(BLOB, names)
        assert [found[name] for name in names[:600]] == list(range(1, 601))
        assert found[names[699]] == 601
        assert len(found) == 601
    assert store.numbers_of(CHANGE, names) == {}


def gathered(store: Store, numbers: list[int]) -> list[bytes]:
    """Return the payloads of blobs, those that come in whole frames taken from there."""
    found: list[bytes] = []
    for each in store.wholes(BLOB, numbers):
        if isinstance(each, int):
            found.append(store.read(BLOB, each))
            continue
        for _, _, place in records_in(each.raw, 0, 0):
            start = place.slot + RECORD_HEAD
            found.append(each.raw[start : start + place.size])
    return found


def test_what_fills_frames_is_what_was_asked_for(store: Store) -> None:
    contents = [*payloads(1200, 700), b"l" * (PIECE_SIZE + 1), *payloads(300, 900)]
    append_all(store, BLOB, contents)
    every = list(range(1, len(contents) + 1))
    for numbers in (every, every[3:], every[:-1], every[::2], every[::-1], []):
        assert gathered(store, numbers) == [contents[number - 1] for number in numbers]


def test_a_frame_from_elsewhere_is_stored_with_its_objects(store: Store) -> None:
    contents = payloads(50, 300)
    raw = b"".join(record(BLOB, id_for(each), each) for each in contents)
    whole = Whole(seal(RECORDS, raw, packer(3)), raw)
    with store.transaction() as transaction:
        transaction.append(BLOB, id_for(b"first"), b"first")
        transaction.append_whole(whole, records_in(raw, 0, 0))
        transaction.append(BLOB, id_for(b"last"), b"last")
    assert list(store.read_many(BLOB, range(1, 53))) == [b"first", *contents, b"last"]
    assert store.number_of(BLOB, id_for(contents[0])) == 2


def join_and_fail(store: Store, content: bytes) -> None:
    with store.transaction(), store.joining() as joined:
        joined.append(BLOB, id_for(content), content)
        raise ZeroDivisionError


def test_what_joins_a_transaction_ends_with_it(store: Store) -> None:
    with store.joining() as alone:
        alone.append(BLOB, id_for(b"a"), b"a")
    with pytest.raises(ZeroDivisionError):
        join_and_fail(store, b"b")
    with store.transaction() as outer:
        with store.joining() as joined:
            joined.append(BLOB, id_for(b"c"), b"c")
        assert outer.number_of(BLOB, id_for(b"c")) == 2
    assert [store.number_of(BLOB, id_for(each)) for each in (b"a", b"b", b"c")] == [1, None, 2]
