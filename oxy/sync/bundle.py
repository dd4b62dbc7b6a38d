"""A bundle: changes in a file, with what they need and what they complete (spec: SY27, SY40).

     0   8  magic 8f 6f 78 79 62 75 6e 0a
     8   4  version, 1
    12   4  length n of the head
    16   n  head: [needed ids, names], in the form of messages
  16+n      frames and their end (see `oxy.sync.frames`), whose digest covers all of the file

Integers are big endian. A file that is torn, or that goes on behind its end, is refused.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.codec.wire import pack
from oxy.model.digest import ChangeId
from oxy.repo.repository import Repository
from oxy.repo.states import Name, States
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.endpoint import Offered, holds_none, parts
from oxy.sync.errors import RefusedTransferError
from oxy.sync.frames import Unframer, framed
from oxy.sync.history import missing
from oxy.sync.message import canonical, ids_from, offered_from

MAGIC: Final = b"\x8foxybun\n"
VERSION: Final = 1
_START: Final = struct.Struct(">8sII")


class Head(NamedTuple):
    """What a bundle says: the changes that it needs, and the names that it completes."""

    needs: tuple[ChangeId, ...]
    names: tuple[Offered, ...]


class Bundle:
    """A bundle that is being read: its head, and then its parts.

    Raises:
        RefusedTransferError: it is no bundle, or its head is not in form.
    """

    __slots__ = ("head", "unframer")

    def __init__(self, read: Callable[[int], bytes]) -> None:
        """Read the head.

        Args:
            read: returns at most so many of the bytes that follow, none only at their end.
        """
        start = _exactly(read, _START.size)
        magic, version, size = _START.unpack(start)
        if magic != MAGIC:
            rule = "it is no bundle"
            raise RefusedTransferError(rule)
        if version != VERSION:
            rule = f"the bundle has format {version}; this oxy reads {VERSION}: upgrade oxy"
            raise RefusedTransferError(rule)
        if size > limits.MESSAGE:
            rule = f"its head is over {limits.MESSAGE} bytes"
            raise RefusedTransferError(rule)
        data = _exactly(read, size)
        self.head = _head(data)
        self.unframer = Unframer(read, start + data)


def bundled(
    repository: Repository, names: Iterable[Offered], have: Iterable[int]
) -> Iterator[bytes]:
    """Yield the bytes of a bundle of what names reach and some changes do not.

    Cost: a row for each change, and what `parts` costs.
    """
    offered = tuple(sorted(names))
    number_of = repository.store.number_of
    named = {
        number_of(CHANGE, change) or 0
        for each in offered
        for change in (*each.heads, *each.absent)
    }
    lacking = missing(repository.states, named, have)
    boundary = needed(repository.states, lacking) | (named - set(lacking))
    needs = repository.store.ids_of(CHANGE, boundary)
    data = pack((tuple(sorted(needs)), offered))
    start = _START.pack(MAGIC, VERSION, len(data)) + data
    yield start
    yield from framed(parts(repository, lacking, holds_none), start)


def needed(states: States, changes: BitMap) -> set[int]:
    """Return what changes name for certain and that is not among them."""
    found: set[int] = set()
    for change in changes:
        link = states.link(change)
        found.update((*link.named, *link.context.absent))
    return found - set(changes)


def offered_of(repository: Repository, kind: int, name: bytes, state: Name) -> Offered:
    """Return a name as it travels."""
    heads, absent = (
        tuple(sorted(map(ChangeId, repository.store.ids_of(CHANGE, part)))) for part in state
    )
    return Offered(kind, name, heads, absent)


def _head(data: bytes) -> Head:
    raw = canonical(data)
    if not isinstance(raw, tuple) or len(raw) != len(Head._fields):
        rule = "its head does not have the form of one"
        raise RefusedTransferError(rule)
    return Head(ids_from(raw[0]), offered_from(raw[1]))


def _exactly(read: Callable[[int], bytes], size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = read(size - len(data))
        if not more:
            rule = "it is cut short in its head"
            raise RefusedTransferError(rule)
        data += more
    return data
