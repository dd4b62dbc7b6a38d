"""Where the objects of an export go (spec: git-bridge, GB36, GB48)."""

from typing import Final, Protocol

COMMIT: Final = 1
TREE: Final = 2
BLOB: Final = 3
TAG: Final = 4


class Sink(Protocol):
    """What takes objects of Git, as `Pack` does."""

    def add(self, kind: int, oid: bytes, data: bytes, thing: object = None) -> None:
        """Take an object: its kind, its id, its bytes, and what it is a version of."""


class Nowhere:
    """Takes objects of which only the ids are wanted."""

    __slots__ = ()

    def add(self, kind: int, oid: bytes, data: bytes, thing: object = None) -> None:
        """Let an object go."""
