"""A repository as files that any web server can hand out (spec: sync, SY56, SY57).

    oxy/heads            the one file that is ever replaced: names, and which pages there are
    oxy/HH/H...          what never changes, named by the BLAKE3 of its bytes, in hexadecimal:
                         pages, which list parcels, and parcels, which are streams (SY37)

    heads   0   8  magic 8f 6f 78 79 73 74 61 0a
            8   4  version, 1
           12   n  [names, current, [[digest, size, tips]...]]
         12+n  32  BLAKE3 of every byte before

    a page         [[digest, size, changes, next, blobs]...]

Integers are big endian, arrays are in the one form of messages. Parcels are in order of need.
A parcel lists the changes in it, as `next` the one whose blobs it ends with, if it does, and
where it holds nothing but blobs, these. Whoever has the tips of a page has all of its parcels.
"""

import struct
from oxy.typed import Final, NamedTuple, TypeAlias, cast

from blake3 import blake3

from oxy.codec.form import byte_string, integer, many, row
from oxy.codec.wire import Raw, pack
from oxy.model.digest import DIGEST_SIZE, ChangeId
from oxy.sync.endpoint import Offered
from oxy.sync.errors import RefusedTransferError
from oxy.sync.message import canonical, ids_from, offered_from

HEADS: Final = "oxy/heads"
"""The name of the file that is replaced."""

MAGIC: Final = b"\x8foxysta\n"
VERSION: Final = 1
_START: Final = struct.Struct(">8sI")
_IDS: Final = many(byte_string)
_HEADS: Final = row(lambda _: True, byte_string, many(row(byte_string, integer, _IDS)))
_PAGE: Final = many(row(byte_string, integer, _IDS, _IDS, _IDS))
_RawPage: TypeAlias = tuple[bytes, int, tuple[bytes, ...]]
_Ids: TypeAlias = tuple[bytes, ...]
_RawParcel: TypeAlias = tuple[bytes, int, _Ids, _Ids, _Ids]


class Page(NamedTuple):
    """A file that lists parcels; whoever has its tips lacks nothing of them."""

    digest: bytes
    size: int
    tips: tuple[ChangeId, ...]


class Parcel(NamedTuple):
    """A file with objects: changes, and blobs before the changes that name them first.

    `next` is the change whose blobs it ends with, if it does. `blobs` are all that is in it
    where no change is; else none are told.
    """

    digest: bytes
    size: int
    changes: tuple[ChangeId, ...]
    next: tuple[ChangeId, ...] = ()
    blobs: tuple[bytes, ...] = ()

    @property
    def served(self) -> tuple[ChangeId, ...]:
        """The changes that are not whole without it."""
        return self.changes + self.next


class Heads(NamedTuple):
    """What is published: names, the bookmark that the working copy is on, and the pages."""

    names: tuple[Offered, ...]
    current: bytes
    pages: tuple[Page, ...]


def file_of(digest: bytes) -> str:
    """Return the name of a file that never changes: nobody else chooses one (SY20)."""
    name = digest.hex()
    return f"oxy/{name[:2]}/{name[2:]}"


def encode_heads(heads: Heads) -> bytes:
    """Return the bytes of the heads."""
    data = _START.pack(MAGIC, VERSION) + pack(tuple(heads))
    return data + blake3(data).digest()


def decode_heads(data: bytes) -> Heads:
    """Return what a stranger's file says.

    Raises:
        RefusedTransferError: it is none, torn, of another version, or not in its one form.
    """
    if data[: len(MAGIC)] != MAGIC:
        rule = f"{HEADS} does not begin as one"
        raise RefusedTransferError(rule)
    body, digest = data[:-DIGEST_SIZE], data[-DIGEST_SIZE:]
    if len(body) < _START.size or blake3(body).digest() != digest:
        rule = f"{HEADS} fails its digest"
        raise RefusedTransferError(rule)
    version = _START.unpack_from(body)[1]
    if version != VERSION:
        rule = f"{HEADS} has format {version}; this oxy reads {VERSION}: upgrade oxy"
        raise RefusedTransferError(rule)
    raw = canonical(body[_START.size :])
    if not _HEADS(raw):
        rule = f"{HEADS} does not have the form of one"
        raise RefusedTransferError(rule)
    names, current, pages = cast("tuple[Raw, bytes, tuple[_RawPage, ...]]", raw)
    return Heads(
        offered_from(names),
        current,
        tuple(Page(_digest(name), _size(size), ids_from(tips)) for name, size, tips in pages),
    )


def encode_page(parcels: tuple[Parcel, ...]) -> bytes:
    """Return the bytes of a page."""
    return pack(tuple(map(tuple, parcels)))


def decode_page(data: bytes) -> tuple[Parcel, ...]:
    """Return the parcels that a stranger's file lists.

    Raises:
        RefusedTransferError: it is over a limit, or not in its one form.
    """
    raw = canonical(data)
    if not _PAGE(raw):
        rule = "a page does not have the form of one"
        raise RefusedTransferError(rule)
    return tuple(
        Parcel(
            _digest(name),
            _size(size),
            ids_from(changes, ascend=False),
            ids_from(last),
            tuple(map(_digest, blobs)),
        )
        for name, size, changes, last, blobs in cast("tuple[_RawParcel, ...]", raw)
    )


def _digest(name: bytes) -> bytes:
    if len(name) != DIGEST_SIZE:
        rule = "a digest is none"
        raise RefusedTransferError(rule)
    return name


def _size(size: int) -> int:
    if size < 0:
        rule = "a size is none"
        raise RefusedTransferError(rule)
    return size
