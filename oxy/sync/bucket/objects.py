"""What a store of objects has to be able to do (spec: sync, SY22, SY23).

Three things that every such store offers: an object is written whole or not at all; of two who
create one of the same name, one is told that it is there; names are listed ascending, from any
name on.
"""

from collections.abc import Iterator
from oxy.typed import Final, NamedTuple, Protocol

from oxy.errors import CorruptionError, StateError
from oxy.sync.shelf import File


class Listed(NamedTuple):
    """An object in a list: its name, its bytes, and when it was written by the store's clock.

    `written` is in seconds; only differences between those of one store mean anything.
    """

    name: str
    size: int
    written: float


class Objects(Protocol):
    """A place in a store; names are relative to it.

    Raises:
        LostError: in any method: the store cannot be reached, or said no for now.
        DeniedError: in any method: it does not let us.
    """

    def open(self, name: str) -> File | None:
        """Open an object; None where there is none."""

    def create(self, name: str, file: File, size: int) -> bool:
        """Write an object that is not there; False if it is. When it returns, it stays."""

    def replace(self, name: str, data: bytes) -> None:
        """Write an object, whether it is there or not."""

    def names(self, under: str, after: str = "") -> Iterator[Listed]:
        """Yield what lies under a directory, ascending, behind a name.

        Cost: a request for each thousand.
        """

    def delete(self, name: str) -> None:
        """Remove an object; nothing where there is none."""

    def written(self, name: str) -> float | None:
        """Return when an object was written; None where there is none."""


class DeniedError(StateError):
    """The store knows who asks, or wants to, and does not let them."""

    def __init__(self, words: str) -> None:
        super().__init__(f"the object store does not allow it: {words}")
        self.words = words


class NoBucketError(StateError):
    """There is nothing at an address to which objects could belong."""

    def __init__(self, address: str) -> None:
        super().__init__(f"there is no bucket at {address}")
        self.address = address


class OversizeError(CorruptionError):
    """An object is larger than one of its kind can be; no more of it was read."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(f"the object {name} is over {most} bytes")
        self.name = name


PIECE: Final = 1 << 20
"""Bytes of an object that are read at once."""


def whole(objects: Objects, name: str, most: int) -> bytes | None:
    """Return the bytes of an object; None where there is none.

    Raises:
        OversizeError: they are more than that; no more of them is read.
    """
    file = objects.open(name)
    if file is None:
        return None
    data = bytearray()
    try:
        while piece := file.read(min(PIECE, most + 1 - len(data))):
            data += piece
            if len(data) > most:
                raise OversizeError(name, most)
    finally:
        file.close()
    return bytes(data)
