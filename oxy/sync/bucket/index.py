"""What is where in a bucket: loads, leaves and branches (spec: sync, SY90, SY91). Pure.

    a key       the BLAKE3 of an object's bytes, and 8 random bytes: the same, written again, is
                another object
    a load      a stream (SY37), of about a MiB
    a leaf      [[key, size, changes, next, signs, tips, needs]...], loads in order of need
    a branch    [[level, key, size, tips, needs]...], for each leaf or branch below it

A load's row tells the changes in it; as `next`, if it is all blobs, the change behind it that
these belong to; the changes that it signs, which come before it. Its needs are what its changes
name for certain and is not in it. Tips are changes, also of `next` and `signs`, that reach all
that belongs there: whoever has them lacks nothing of it. Where none are told, it is opened.
"""

from collections.abc import Iterable, Sequence
from oxy.typed import Final, NamedTuple, TypeAlias, cast

from oxy.codec.form import byte_string, integer, many, row
from oxy.codec.wire import Raw, pack
from oxy.model.digest import DIGEST_SIZE, ChangeId
from oxy.sync import limits
from oxy.sync.errors import RefusedTransferError
from oxy.sync.message import canonical, ids_from

NONCE_SIZE: Final = 8
KEY_SIZE: Final = DIGEST_SIZE + NONCE_SIZE
_IDS: Final = many(byte_string)
_LEAF: Final = many(row(byte_string, integer, _IDS, _IDS, _IDS, _IDS, _IDS))
ROWS: Final = many(row(integer, byte_string, integer, _IDS, _IDS))
_Ids: TypeAlias = tuple[bytes, ...]
_RawLoad: TypeAlias = tuple[bytes, int, _Ids, _Ids, _Ids, _Ids, _Ids]
_RawRow: TypeAlias = tuple[int, bytes, int, _Ids, _Ids]


class Stored(NamedTuple):
    """An object that never changes: its key and its size."""

    key: bytes
    size: int


class Load(NamedTuple):
    """An object with changes and blobs, and what it has to do with others."""

    key: bytes
    size: int
    changes: tuple[ChangeId, ...]
    next: tuple[ChangeId, ...] = ()
    signs: tuple[ChangeId, ...] = ()
    tips: tuple[ChangeId, ...] = ()
    needs: tuple[ChangeId, ...] = ()


class Row(NamedTuple):
    """A leaf, of level 0, or a branch, and what the changes below it have to do with others."""

    level: int
    key: bytes
    size: int
    tips: tuple[ChangeId, ...] = ()
    needs: tuple[ChangeId, ...] = ()


def encode_leaf(loads: Sequence[Load]) -> bytes:
    """Return the bytes of a leaf."""
    return pack(tuple(map(tuple, loads)))


def decode_leaf(data: bytes) -> tuple[Load, ...]:
    """Return what a stranger's leaf lists.

    Raises:
        RefusedTransferError: it is over a limit, or not in its one form.
    """
    raw = canonical(data)
    if not _LEAF(raw):
        rule = "a leaf does not have the form of one"
        raise RefusedTransferError(rule)
    return tuple(
        Load(*stored(key, size), ids_from(ids, ascend=False), *map(ids_from, others))
        for key, size, ids, *others in cast("tuple[_RawLoad, ...]", raw)
    )


def encode_branch(rows: Sequence[Row]) -> bytes:
    """Return the bytes of a branch."""
    return pack(tuple(map(tuple, rows)))


def decode_branch(data: bytes) -> tuple[Row, ...]:
    """Return what a stranger's branch lists.

    Raises:
        RefusedTransferError: it is over a limit, or not in its one form.
    """
    return rows_from(canonical(data))


def rows_from(raw: Raw) -> tuple[Row, ...]:
    """Return the rows that an unpacked array holds.

    Raises:
        RefusedTransferError: it does not have the form of rows.
    """
    if not ROWS(raw):
        rule = "a branch does not have the form of one"
        raise RefusedTransferError(rule)
    found = []
    for level, key, size, tips, needs in cast("tuple[_RawRow, ...]", raw):
        if not 0 <= level <= limits.LEVELS:
            rule = "a level is none"
            raise RefusedTransferError(rule)
        found.append(Row(level, *stored(key, size), ids_from(tips), ids_from(needs)))
    return tuple(found)


def stored(key: bytes, size: int) -> Stored:
    """Return what a key and a size name, having proven that they can.

    Raises:
        RefusedTransferError: they cannot.
    """
    if len(key) != KEY_SIZE or size < 0:
        rule = "a key or a size is none"
        raise RefusedTransferError(rule)
    return Stored(key, size)


def bounds(parts: Iterable[Row | Load]) -> tuple[tuple[ChangeId, ...], tuple[ChangeId, ...]]:
    """Return the tips and the needs of what follows each other.

    No tips are told where those of one part are not, or they are too many. Needs that are too
    many are told in part, which only keeps tips of others that would not have to be told.
    """
    tips: set[ChangeId] = set()
    needs: set[ChangeId] = set()
    within: set[ChangeId] = set()
    is_told = True
    for each in parts:
        is_told = is_told and bool(each.tips)
        tips.update(each.tips)
        needs.update(each.needs)
        within.update(each.changes if isinstance(each, Load) else each.tips)
    left = sorted(tips - needs)
    if not is_told or len(left) > limits.TIPS:
        left = []
    return tuple(left), tuple(sorted(needs - within)[: limits.TIPS])
