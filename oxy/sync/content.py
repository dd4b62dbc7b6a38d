"""What is gathered into one file of a published repository (spec: SY57)."""

from collections.abc import Iterable, Iterator
from oxy.typed import TYPE_CHECKING

from oxy.sync import limits
from oxy.sync.part import BlobPart, ChangePart, Part, SignaturePart

if TYPE_CHECKING:
    from oxy.model.digest import ChangeId


class Content:
    """What one file is filled with, and what was found in it."""

    __slots__ = ("blobs", "changes", "ends_with_blobs", "rest")

    def __init__(self) -> None:
        self.changes: list[ChangeId] = []
        self.blobs: list[bytes] = []
        self.ends_with_blobs = False
        self.rest: Part | None = None

    def filled(self, coming: Iterable[Part]) -> Iterator[Part]:
        """Yield parts until it is full; `rest` is the first that did not go in.

        Signatures stay with their change.
        """
        size = 0
        for part in coming:
            if size >= limits.PARCEL and not isinstance(part, SignaturePart):
                self.rest = part
                return
            size += self._note(part)
            yield part

    def _note(self, part: Part) -> int:
        """Note what a part is, and return its size."""
        if isinstance(part, SignaturePart):
            return len(part.payload)
        self.ends_with_blobs = not isinstance(part, ChangePart)
        if isinstance(part, ChangePart):
            self.changes.append(part.id)
            return len(part.payload)
        if isinstance(part, BlobPart):
            self.blobs.append(part.id)
            return part.size
        self.blobs += [name for _, name, _ in part.records]
        return len(part.whole.raw)
