"""From stored objects to their rows, when they are found again (spec: store, ST3, ST28)."""

from __future__ import annotations

from contextlib import suppress
from oxy.typed import TYPE_CHECKING

from oxy.errors import CorruptionError
from oxy.store.protocol import CHANGE, OPERATION, SIGNATURE

if TYPE_CHECKING:
    from oxy.repo.indexing import Indexer
    from oxy.store.protocol import IndexWriter


class Reindexer:
    """A Reindex (see the store's protocol) that remembers what it looked up for one writer."""

    __slots__ = ("_indexer", "_writer")

    def __init__(self) -> None:
        self._writer: IndexWriter | None = None
        self._indexer: Indexer | None = None

    def __call__(
        self, writer: IndexWriter, kind: int, number: int, _id: bytes, data: bytes | None
    ) -> None:
        """Write the rows of one object that is stored and not indexed.

        What names something that is lost, or is itself not what it claims to be, gets no rows:
        it must not hide the others, and `fsck` names it.
        """
        with suppress(CorruptionError):
            self.index(writer, kind, number, data)

    def index(self, writer: IndexWriter, kind: int, number: int, data: bytes | None) -> None:
        """Write the rows of one object.

        Raises:
            CorruptionError: it is not what it claims to be, or names something that is lost.
        """
        if kind not in (CHANGE, OPERATION, SIGNATURE):
            return
        # Every command has a Reindex at hand, and hardly one needs it.
        from oxy.codec.decode import read
        from oxy.codec.encode import node_sizes
        from oxy.repo.operations import decode_operation, index_operation

        payload = writer.read(kind, number) if data is None else data
        if kind == OPERATION:
            index_operation(writer, decode_operation(writer, payload))
        elif kind == SIGNATURE:
            from oxy.repo.signatures import index

            index(writer, number, payload)
        else:
            change = read(payload)
            sizes = node_sizes(change.operations)
            self._for(writer).index(change, number, payload, sizes)

    def _for(self, writer: IndexWriter) -> Indexer:
        from oxy.repo.indexing import Indexer
        from oxy.repo.states import States

        if self._indexer is None or self._writer is not writer:
            self._writer = writer
            self._indexer = Indexer(writer, States(writer))
        return self._indexer
