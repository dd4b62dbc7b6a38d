"""What travels: changes and their blobs, each after what it needs (spec: sync, SY34)."""

from collections.abc import Iterator
from oxy.typed import NamedTuple, TypeAlias

from oxy.model.digest import BlobId, ChangeId


class ChangePart(NamedTuple):
    """A change: the id that it is said to have, and its payload."""

    id: ChangeId
    payload: bytes


class BlobPart(NamedTuple):
    """A blob: its id, its size and its bytes in pieces, to be taken before the next part."""

    id: BlobId
    size: int
    chunks: Iterator[bytes]


Part: TypeAlias = ChangePart | BlobPart
