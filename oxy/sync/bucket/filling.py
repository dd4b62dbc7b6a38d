"""What is gathered into one load (spec: sync, SY90). Pure.

A load that has changes ends with one, and with its signatures; else whoever needs one of them
would have to bring what blobs at its end belong to. So blobs wait for their change, up to a MiB
of them; if they are more they begin a load of their own.
"""

from collections.abc import Iterable, Iterator
from oxy.typed import TYPE_CHECKING

from oxy.codec.signed import decode_signature
from oxy.sync import limits
from oxy.sync.part import BlobPart, ChangePart, FramePart, Part, SignaturePart

if TYPE_CHECKING:
    from oxy.model.digest import ChangeId


class Filling:
    """What one load is filled with; `rest` is what did not go in and was taken already."""

    __slots__ = ("_size", "changes", "rest", "signed")

    def __init__(self) -> None:
        self.changes: list[ChangeId] = []
        self.signed: list[ChangeId] = []
        self.rest: list[Part] = []
        self._size = 0

    def filled(self, coming: Iterable[Part]) -> Iterator[Part]:
        """Yield parts until it is full."""
        waiting: list[Part] = []
        late = 0
        for part in coming:
            if isinstance(part, SignaturePart):
                self.signed.append(decode_signature(part.payload).change)
                yield part
            elif self._is_full(late + size_of(part)):
                self.rest = [*waiting, part]
                return
            elif isinstance(part, ChangePart):
                yield from waiting
                self._size += late + len(part.payload)
                waiting, late = [], 0
                self.changes.append(part.id)
                yield part
            elif self.changes:
                waiting.append(_whole(part))
                late += size_of(part)
            else:
                self._size += size_of(part)
                yield part
        yield from waiting

    def _is_full(self, late: int) -> bool:
        return self._size >= limits.PARCEL or (bool(self.changes) and late > limits.PARCEL)


def size_of(part: Part) -> int:
    """Return about how many bytes a part has that may wait; a change waits for nothing."""
    if isinstance(part, BlobPart):
        return part.size
    return len(part.whole.raw) if isinstance(part, FramePart) else 0


def _whole(part: Part) -> Part:
    """Return a part that is all in memory."""
    if isinstance(part, BlobPart):
        return part._replace(chunks=iter((b"".join(part.chunks),)))
    return part
