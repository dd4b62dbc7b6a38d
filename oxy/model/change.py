"""The change: an immutable patch, its header and its operations (spec: model). Pure."""

from collections.abc import Sequence
from oxy.typed import Final, NamedTuple

from oxy.model.digest import ChangeId
from oxy.model.operation import Directory, NodeEdit

FORMAT: Final = 1
"""The format version that every header carries."""


class Moment(NamedTuple):
    """A time: microseconds since the epoch and the author's offset from UTC in minutes."""

    microseconds: int
    offset: int


class Context(NamedTuple):
    """The name of a state: its heads and the ids that its members name but it lacks."""

    heads: tuple[ChangeId, ...] = ()
    absent: tuple[ChangeId, ...] = ()


class Header(NamedTuple):
    """Who made a change, when, why, from what; ids ascending, extra ascending by key."""

    author: bytes
    time: Moment
    message: bytes
    deps: tuple[ChangeId, ...] = ()
    context: Context = Context()
    extra: tuple[tuple[bytes, bytes], ...] = ()


class Operations(NamedTuple):
    """What a change does; references count through header.deps, then through weak."""

    weak: tuple[ChangeId, ...] = ()
    directories: tuple[Directory, ...] = ()
    nodes: Sequence[NodeEdit] = ()


class Change(NamedTuple):
    """A header and operations, with the id that their encoding has."""

    id: ChangeId
    header: Header
    operations: Operations


def subject(message: bytes) -> bytes:
    """Return the first line of a message, empty ones before it passed over."""
    return message.lstrip(b"\n").split(b"\n", 1)[0].removesuffix(b"\r")
