"""An entry of a bucket's log, and the state that it makes (spec: sync, SY92). Pure.

    entry      0   8  magic 8f 6f 78 79 6c 6f 67 0a
               8   4  version, 1
              12   n  [number, writer, collections, base, rows, names, gone]
            12+n  32  BLAKE3 of every byte before

    a snapshot     [rows, names]

An entry tells all that happened since its base: base is `[number, key, size]` of the snapshot
of an earlier entry's state, or empty. `rows` came behind those of the base, `names` hold this
now, as in message 2, `gone` are `[kind, name]` that are no more. `writer` is random, so that
who wrote it knows it again; `collections` counts how often something was dropped.
"""

import struct
from collections.abc import Iterable
from oxy.typed import Final, NamedTuple, NoReturn, TypeAlias, cast

from blake3 import blake3

from oxy.codec.form import byte_string, either, integer, many, row
from oxy.codec.wire import Raw, pack
from oxy.model.digest import DIGEST_SIZE
from oxy.sync.bucket.index import ROWS, Row, Stored, rows_from, stored
from oxy.sync.endpoint import Offered
from oxy.sync.errors import RefusedTransferError
from oxy.sync.message import canonical, offered_from

MAGIC: Final = b"\x8foxylog\n"
VERSION: Final = 1
WRITER_SIZE: Final = 16
_START: Final = struct.Struct(">8sI")
_BASE: Final = either(row(integer, byte_string, integer), lambda value: value == ())
_GONE: Final = many(row(integer, byte_string))
_ENTRY: Final = row(integer, byte_string, integer, _BASE, ROWS, lambda _: True, _GONE)
_SNAPSHOT: Final = row(ROWS, lambda _: True)
_RawEntry: TypeAlias = tuple[
    int,
    bytes,
    int,
    tuple[int, bytes, int] | tuple[()],
    Raw,
    Raw,
    tuple[tuple[int, bytes], ...],
]
Key: TypeAlias = tuple[int, bytes]
"""The kind and the name of a bookmark or a tag."""


class Base(NamedTuple):
    """The snapshot of the state after an entry of that number."""

    number: int
    snapshot: Stored


class State(NamedTuple):
    """What a bucket holds: its index, oldest first, and its names."""

    rows: tuple[Row, ...] = ()
    names: tuple[Offered, ...] = ()


class Entry(NamedTuple):
    """What an entry says; see the module."""

    number: int
    writer: bytes
    collections: int
    base: Base | None
    rows: tuple[Row, ...]
    names: tuple[Offered, ...]
    gone: tuple[Key, ...]


def encode_entry(entry: Entry) -> bytes:
    """Return the bytes of an entry."""
    base = () if entry.base is None else (entry.base.number, *entry.base.snapshot)
    rows, names = (tuple(map(tuple, each)) for each in (entry.rows, entry.names))
    body = (*entry[:3], base, rows, names, entry.gone)
    data = _START.pack(MAGIC, VERSION) + pack(body)
    return data + blake3(data).digest()


def decode_entry(data: bytes, number: int) -> Entry:
    """Return what a stranger's entry says.

    Raises:
        RefusedTransferError: it is none, torn, of another version or number, or not in its one
            form.
    """
    body, digest = data[:-DIGEST_SIZE], data[-DIGEST_SIZE:]
    if len(body) < _START.size or body[: len(MAGIC)] != MAGIC:
        _refuse(number, "does not begin as one")
    if blake3(body).digest() != digest:
        _refuse(number, "fails its digest")
    version = _START.unpack_from(body)[1]
    if version != VERSION:
        _refuse(number, f"has format {version}; this oxy reads {VERSION}: upgrade oxy")
    raw = canonical(body[_START.size :])
    if not _ENTRY(raw):
        _refuse(number, "does not have the form of one")
    stated, writer, count, base, rows, names, gone = cast("_RawEntry", raw)
    if stated != number or (base and not 0 < base[0] < number) or count < 0:
        _refuse(number, "has another number")
    return Entry(
        number,
        writer,
        count,
        Base(base[0], stored(*base[1:])) if base else None,
        rows_from(rows),
        offered_from(names),
        gone,
    )


def _refuse(number: int, what: str) -> NoReturn:
    rule = f"entry {number} of the log {what}"
    raise RefusedTransferError(rule)


def encode_snapshot(state: State) -> bytes:
    """Return the bytes of the snapshot of a state."""
    return pack(tuple(tuple(map(tuple, each)) for each in state))


def decode_snapshot(data: bytes) -> State:
    """Return the state that a stranger's snapshot holds.

    Raises:
        RefusedTransferError: it is over a limit, or not in its one form.
    """
    raw = canonical(data)
    if not _SNAPSHOT(raw):
        rule = "a snapshot does not have the form of one"
        raise RefusedTransferError(rule)
    rows, names = cast("tuple[Raw, Raw]", raw)
    return State(rows_from(rows), offered_from(names))


def after(base: State, entry: Entry) -> State:
    """Return the state that an entry makes of its base."""
    return State(base.rows + entry.rows, renamed(base.names, entry.names, entry.gone))


def renamed(
    names: Iterable[Offered], held: Iterable[Offered], gone: Iterable[Key]
) -> tuple[Offered, ...]:
    """Return names of which some hold something else and some are no more, ascending."""
    found = {(each.kind, each.name): each for each in (*names, *held)}
    for key in gone:
        found.pop(key, None)
    return tuple([found[key] for key in sorted(found)])
