"""What two sides say to each other, as bytes and back (spec: sync, SY36).

A message is msgpack in the subset and the one form of changes: an array of the version, a code
and the fields. Lengths and counts are proven before anything is unpacked.
"""

from collections.abc import Callable, Iterator
from itertools import starmap
from oxy.typed import Final, NamedTuple, TypeAlias, cast

from oxy.codec.form import byte_string, integer, many, row
from oxy.codec.wire import MalformedError, Raw, count, pack, unpack
from oxy.model.digest import DIGEST_SIZE, BlobId, ChangeId
from oxy.repo.refs import BOOKMARK, TAG
from oxy.sync import limits
from oxy.sync.endpoint import Offered
from oxy.sync.errors import RefusedTransferError
from oxy.sync.wish import Moved, Refused, State, Taken, Wish

VERSION: Final = 1


class AskNames(NamedTuple):
    """Which names are there?"""


class Names(NamedTuple):
    """The names that are there, where the working copy is, and blobs that wait (SY66).

    `current` is the bookmark that it is on, empty where it is on none.
    """

    offered: tuple[Offered, ...]
    current: bytes = b""
    waiting: tuple[bytes, ...] = ()


class AskKnown(NamedTuple):
    """Which of these changes are there?"""

    ids: tuple[ChangeId, ...]


class Known(NamedTuple):
    """A byte for each change that was asked for: 1 where it is there."""

    flags: bytes


class AskMissing(NamedTuple):
    """Send what some changes reach and others do not, without blobs that wait (SY66)."""

    want: tuple[ChangeId, ...]
    have: tuple[ChangeId, ...]
    waiting: tuple[bytes, ...] = ()


class AskSkeletons(NamedTuple):
    """Send what some changes reach and others do not, without any blob (SY87)."""

    want: tuple[ChangeId, ...]
    have: tuple[ChangeId, ...]


class AskBlobs(NamedTuple):
    """Send those of some blobs that are there (SY87)."""

    ids: tuple[BlobId, ...]


class AskTake(NamedTuple):
    """Take in the stream that follows, and let names hold what is wished, all or none."""

    wishes: tuple[Wish, ...]


class Done(NamedTuple):
    """What became of that."""

    taken: Taken


Message: TypeAlias = (
    AskNames | Names | AskKnown | Known | AskMissing | AskTake | Done | AskSkeletons | AskBlobs
)

_CODES: Final[dict[int, type[Message]]] = {
    1: AskNames,
    2: Names,
    3: AskKnown,
    4: Known,
    5: AskMissing,
    6: AskTake,
    7: Done,
    8: AskSkeletons,
    9: AskBlobs,
}
_OF: Final = {kind: code for code, kind in _CODES.items()}

_IDS: Final = many(byte_string)
_FIELD: Final = row(byte_string, byte_string)
_OFFERED: Final = row(integer, byte_string, _IDS, _IDS, many(_FIELD))
_STATE: Final = many(_IDS)
_WISH: Final = row(integer, byte_string, _STATE, _STATE, many(_FIELD))
_MOVED: Final = row(integer, byte_string, integer, integer, integer)
_TAKEN: Final = row(integer, many(_MOVED), many(row(integer, byte_string, integer)))
_FORMS: Final = {
    1: row(integer, integer),
    2: row(integer, integer, many(_OFFERED), byte_string, _IDS),
    3: row(integer, integer, _IDS),
    4: row(integer, integer, byte_string),
    5: row(integer, integer, _IDS, _IDS, _IDS),
    6: row(integer, integer, many(_WISH)),
    7: row(integer, integer, _TAKEN),
    8: row(integer, integer, _IDS, _IDS),
    9: row(integer, integer, _IDS),
}

_RawState: TypeAlias = tuple[tuple[bytes, ...], ...]
_RawWish: TypeAlias = tuple[int, bytes, _RawState, _RawState, tuple[tuple[bytes, bytes], ...]]
_RawTaken: TypeAlias = tuple[
    int, tuple[tuple[int, bytes, int, int, int], ...], tuple[tuple[int, bytes, int], ...]
]
_RawOffered: TypeAlias = tuple[
    int, bytes, tuple[bytes, ...], tuple[bytes, ...], tuple[tuple[bytes, bytes], ...]
]


def encode(message: Message) -> bytes:
    """Return the one form of a message."""
    if isinstance(message, AskTake):
        wishes = tuple(
            (each.kind, each.name, each.goal or (), each.seen or (), each.extra)
            for each in message.wishes
        )
        return pack((VERSION, _OF[AskTake], wishes))
    return pack((VERSION, _OF[type(message)], *message))


def decode(data: bytes) -> Message:
    """Return the message that a stranger's bytes hold.

    Raises:
        RefusedTransferError: it is over a limit, of another version, or not in its one form.
    """
    raw = canonical(data)
    if not isinstance(raw, tuple) or len(raw) < 2 or raw[0] != VERSION:  # noqa: PLR2004 -- version and code
        rule = "a message is of another version"
        raise RefusedTransferError(rule)
    code = raw[1]
    form = _FORMS.get(code) if isinstance(code, int) else None
    if form is None or not form(raw):
        rule = "a message does not have the form of one"
        raise RefusedTransferError(rule)
    return _READERS[code](raw[2:])


def canonical(data: bytes) -> Raw:
    """Return what msgpack bytes hold, proven to be in limits and in the one form.

    Raises:
        RefusedTransferError: they are not.
    """
    if len(data) > limits.MESSAGE:
        rule = f"a message is over {limits.MESSAGE} bytes"
        raise RefusedTransferError(rule)
    try:
        count(data, limits.ITEMS)
        raw = unpack(data)
    except MalformedError as error:
        raise RefusedTransferError(error.rule) from error
    if pack(raw) != data:
        rule = "the encoding of a message is not the canonical one"
        raise RefusedTransferError(rule)
    return raw


def offered_from(raw: Raw) -> tuple[Offered, ...]:
    """Return the names that an unpacked array holds.

    Raises:
        RefusedTransferError: it does not have the form of names, or they do not ascend.
    """
    if not many(_OFFERED)(raw):
        rule = "its names do not have the form of any"
        raise RefusedTransferError(rule)
    found = []
    before = (0, b"")
    for kind, name, heads, absent, extra in cast("tuple[_RawOffered, ...]", raw):
        if (kind, name) <= before or kind not in (BOOKMARK, TAG):
            rule = "its names do not ascend, or are of no kind that travels"
            raise RefusedTransferError(rule)
        before = kind, name
        found.append(Offered(kind, name, ids_from(heads), ids_from(absent), extra))
    return tuple(found)


def ids_from(raw: Raw, *, ascend: bool = True) -> tuple[ChangeId, ...]:
    """Return the ids that an unpacked array holds.

    Raises:
        RefusedTransferError: one is none, or they do not ascend.
    """
    ids = cast("tuple[bytes, ...]", raw)
    if not _IDS(raw) or any(len(name) != DIGEST_SIZE for name in ids):
        rule = "an id is none"
        raise RefusedTransferError(rule)
    if ascend and list(ids) != sorted(set(ids)):
        rule = "ids do not ascend"
        raise RefusedTransferError(rule)
    return tuple(map(ChangeId, ids))


def _names(fields: tuple[Raw, ...]) -> Message:
    return Names(offered_from(fields[0]), cast("bytes", fields[1]), ids_from(fields[2]))


def _ask_known(fields: tuple[Raw, ...]) -> Message:
    return AskKnown(ids_from(fields[0], ascend=False))


def _ask_missing(fields: tuple[Raw, ...]) -> Message:
    return AskMissing(*map(ids_from, fields))


def _ask_skeletons(fields: tuple[Raw, ...]) -> Message:
    return AskSkeletons(*map(ids_from, fields))


def _ask_take(fields: tuple[Raw, ...]) -> Message:
    return AskTake(tuple(_wishes(cast("tuple[_RawWish, ...]", fields[0]))))


def _done(fields: tuple[Raw, ...]) -> Message:
    came, moved, refused = cast("_RawTaken", fields[0])
    return Done(Taken(came, tuple(starmap(Moved, moved)), tuple(starmap(Refused, refused))))


def _known(fields: tuple[Raw, ...]) -> Message:
    flags = cast("bytes", fields[0])
    if flags.strip(b"\0\1"):
        rule = "an answer is neither yes nor no"
        raise RefusedTransferError(rule)
    return Known(flags)


def _wishes(raw: tuple[_RawWish, ...]) -> Iterator[Wish]:
    before = (0, b"")
    for kind, name, goal, seen, extra in raw:
        if (kind, name) <= before or kind not in (BOOKMARK, TAG):
            rule = "its names do not ascend, or are of no kind that travels"
            raise RefusedTransferError(rule)
        before = kind, name
        yield Wish(kind, name, _state(goal), _state(seen), extra)


def _state(raw: _RawState) -> State | None:
    if not raw:
        return None
    if len(raw) != len(State._fields):
        rule = "a state is heads and what is absent"
        raise RefusedTransferError(rule)
    return State(ids_from(raw[0]), ids_from(raw[1]))


_READERS: Final[dict[int, Callable[[tuple[Raw, ...]], Message]]] = {
    1: lambda _: AskNames(),
    2: _names,
    3: _ask_known,
    4: _known,
    5: _ask_missing,
    6: _ask_take,
    7: _done,
    8: _ask_skeletons,
    9: lambda fields: AskBlobs(tuple(map(BlobId, ids_from(fields[0])))),
}
