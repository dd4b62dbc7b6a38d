"""What the bytes of a blob tell, found while they are proven (spec: model, M34; sync, SY14)."""

from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from blake3 import blake3

from oxy.store.limits import OBJECT_LIMIT
from oxy.store.protocol import BLOB
from oxy.sync.errors import RefusedObjectError
from oxy.sync.part import BlobPart

_SIZE: Final = f"it has no bytes, or over {OBJECT_LIMIT}"


class Facts(NamedTuple):
    """What a blob's bytes tell: how many, how many line ends, and whether one is last."""

    size: int
    lines: int
    ends: bool


def facts_of(name: bytes, data: bytes) -> Facts:
    """Return what a blob is, all of whose bytes are here.

    Raises:
        RefusedObjectError: they are not those of the blob, or there are none.
    """
    if not data:
        raise RefusedObjectError(BLOB, name, _SIZE)
    if blake3(data).digest() != name:
        raise RefusedObjectError(BLOB, name, "it has content of another id")
    return Facts(len(data), data.count(b"\n"), data.endswith(b"\n"))


class Counted:
    """The bytes of a blob on their way, of which the last pass only when all are proven."""

    __slots__ = ("_part", "facts")

    def __init__(self, part: BlobPart) -> None:
        """Begin with a blob.

        Raises:
            RefusedObjectError: its size is over the limit, or none.
        """
        if not 0 < part.size <= OBJECT_LIMIT:
            raise RefusedObjectError(BLOB, part.id, _SIZE)
        self._part = part
        self.facts: Facts | None = None

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes.

        Raises:
            RefusedObjectError: they are not those of the blob.
        """
        name, size, chunks = self._part
        hasher, got, lines, held = blake3(), 0, 0, b""
        for chunk in chunks:
            got += len(chunk)
            if got > size:
                raise RefusedObjectError(BLOB, name, "it is longer than it says")
            hasher.update(chunk)
            lines += chunk.count(b"\n")
            if held:
                yield held
            held = chunk or held
        if got != size:
            raise RefusedObjectError(BLOB, name, "it is shorter than it says")
        if hasher.digest() != name:
            raise RefusedObjectError(BLOB, name, "it has content of another id")
        self.facts = Facts(size, lines, held.endswith(b"\n"))
        yield held
