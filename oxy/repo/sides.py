"""Whose side a change is on, where two states came together (spec: conflicts, C32).

A union of states has no left and no right: what it reads is the same everywhere. But whoever
merged had a state of their own, so what the working copy holds says which that was.
"""

from oxy.typed import Final, NamedTuple

import msgpack
from pyroaring import BitMap

from oxy.repo.refs import Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE, Reader

LEFT: Final = b"oxy.left"
RIGHT: Final = b"oxy.right"
"""The fields of a target under which the names of the two states stand, by ids."""


class Sides(NamedTuple):
    """The state that was one's own, and the one that came."""

    left: Name
    right: Name


def pack_sides(reader: Reader, sides: Sides) -> tuple[tuple[bytes, bytes], ...]:
    """Return the fields that tell both sides."""
    return ((LEFT, pack_name(reader, sides.left)), (RIGHT, pack_name(reader, sides.right)))


def sides_of(reader: Reader, target: Target) -> Sides | None:
    """Return the two sides that a target tells of, if it does."""
    fields = dict(target.extra)
    if LEFT not in fields or RIGHT not in fields:
        return None
    return Sides(unpack_name(reader, fields[LEFT]), unpack_name(reader, fields[RIGHT]))


def came(repository: Repository, target: Target) -> BitMap:
    """Return the changes of the right side only: all others of the state are one's own."""
    sides = sides_of(repository.store, target)
    if sides is None:
        return BitMap()
    members = repository.states.members
    return members(sides.right) - members(sides.left)


def pack_name(reader: Reader, name: Name) -> bytes:
    """Return the name of a state by ids, for a field of a target."""
    packed: bytes = msgpack.packb([list(reader.ids_of(CHANGE, part)) for part in name])
    return packed


def unpack_name(reader: Reader, packed: bytes) -> Name:
    """Return the state that a field of a target names."""
    heads, absent = (
        tuple(sorted(n for n in (reader.number_of(CHANGE, name) for name in ids) if n))
        for ids in msgpack.unpackb(packed, use_list=False)
    )
    return Name(heads, absent)
