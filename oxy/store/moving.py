"""Objects on their way to other frames: gathered, sealed, and indexed anew (spec: ST29)."""

from collections.abc import Iterable
from oxy.typed import Final

from oxy.store.frame import FIRST_PIECE, NEXT_PIECE, RECORDS, packer
from oxy.store.index import Index
from oxy.store.limits import PACKED_LIMIT, PACKED_TARGET, PIECE_SIZE
from oxy.store.record import IN_PIECES, RECORD_HEAD, Place, first_piece, next_piece, record
from oxy.store.sealing import Sealer, helpers
from oxy.store.transaction import exact_pieces
from oxy.store.writer import SegmentWriter

LEVEL: Final = 9
"""How hard zstd tries: what is written here is written once and stays."""


class Mover:
    """Writes copies of objects behind a position, some together in each frame.

    Memory: one frame of gathered objects, and those that are being sealed (see `Sealer`).
    """

    __slots__ = ("_gathered", "_lookup", "_numbers", "_raw", "_sealer", "_writer", "moved")

    def __init__(self, lookup: Index, writer: SegmentWriter) -> None:
        self._lookup = lookup
        self._writer = writer
        pack = packer(LEVEL)
        self._sealer = Sealer(lambda: pack, LEVEL, helpers())
        self._gathered: list[bytes] = []
        self._numbers: list[tuple[int, int, int, int]] = []
        self._raw = 0
        self.moved = 0
        """How many objects were taken."""

    def small(self, kind: int, number: int, object_id: bytes, payload: bytes) -> None:
        """Take an object that shares a frame with its neighbours."""
        size = RECORD_HEAD + len(payload)
        if self._raw + size > PACKED_LIMIT:
            self._flush()
        self._numbers.append((kind, number, self._raw, len(payload)))
        self._gathered.append(record(kind, object_id, payload))
        self._raw += size
        self.moved += 1
        if self._raw >= PACKED_TARGET:
            self._flush()

    def large(
        self, kind: int, number: int, object_id: bytes, size: int, chunks: Iterable[bytes]
    ) -> None:
        """Take an object that has frames of its own."""
        self._flush()
        self.moved += 1
        places: list[tuple[int, int]] = []

        def written(frame: bytes) -> None:
            places.append(self._writer.append(frame))
            if len(places) * PIECE_SIZE >= size:
                place = Place(*places[0], IN_PIECES, size)
                self._lookup.move_objects([(kind, number, place)])

        for index, data in enumerate(exact_pieces(kind, object_id, size, chunks)):
            if index:
                self._sealer.add(NEXT_PIECE, next_piece(kind, object_id, index, data), written)
            else:
                content = first_piece(kind, object_id, size, data)
                self._sealer.add(FIRST_PIECE, content, written)

    def finish(self) -> None:
        """Write everything, and make it durable.

        Raises:
            StoreIOError: the system refuses.
        """
        self._flush()
        self._sealer.drain()
        self._writer.sync()
        self._writer.close()
        for segment, end in self._writer.ends().items():
            self._lookup.set_position(segment, end)

    def close(self) -> None:
        """End the threads that seal."""
        self._sealer.close()

    def _flush(self) -> None:
        if not self._numbers:
            return
        numbers, self._numbers = self._numbers, []
        raw = b"".join(self._gathered)
        self._gathered.clear()
        self._raw = 0

        def written(frame: bytes) -> None:
            where = self._writer.append(frame)
            self._lookup.move_objects(
                (kind, number, Place(*where, slot, size))
                for kind, number, slot, size in numbers
            )

        self._sealer.add(RECORDS, raw, written)
