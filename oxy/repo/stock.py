"""Blobs as they are read: those stored, and those that a lazy repository has brought (SY29)."""

from collections.abc import Callable, Iterable, Iterator
from oxy.typed import TypeAlias

from oxy.model.operation import BlobRef, NodeEdit
from oxy.repo.lacking import MissingBlobError
from oxy.store.protocol import BLOB, Reader

Bring: TypeAlias = Callable[[Iterable[BlobRef]], None]


class Stock:
    """The blobs of one store; `bring` has those stored that are lacked, where somebody can."""

    __slots__ = ("_reader", "bring")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.bring: Bring | None = None

    def chunks(self, ref: BlobRef) -> Iterator[bytes]:
        """Yield the bytes of a blob in pieces.

        Raises:
            MissingBlobError: it is not stored, and nobody has promised it.
        """
        found = self._reader.number_of(BLOB, ref.id)
        if found is None:
            self.foresee((ref,))
            found = self._reader.number_of(BLOB, ref.id)
        if found is None:
            raise MissingBlobError(ref)
        yield from self._reader.chunks(BLOB, found)

    def foresee(self, refs: Iterable[BlobRef]) -> None:
        """Have blobs brought together that will be read, where some are lacked."""
        if self.bring is not None:
            self.bring(refs)

    def foresee_edits(self, edits: Iterable[NodeEdit]) -> None:
        """Have those brought that some edits insert."""
        self.foresee(each.content for each in edits if isinstance(each.content, BlobRef))
