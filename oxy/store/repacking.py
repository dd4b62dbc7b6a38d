"""Writing segments anew, smaller and without what is gone, beside readers (spec: ST29, ST30).

What lies in the segments from one on is copied behind the last, its objects in order of their
numbers: blobs, then changes, then what names them. The first of the new segments says that it
follows the one before those. The index is moved batch by batch; when all of it points at the
copies the old segments are removed. A crash leaves objects twice, or segments that nothing
points at, and the next repacking goes on from there; it loses none.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from oxy.typed import TYPE_CHECKING, Final, NamedTuple

from oxy.store.errors import StoreBusyError, StoreIOError
from oxy.store.frame import NEXT_PIECE
from oxy.store.index import Located
from oxy.store.limits import (
    MOVED_BATCH,
    MOVED_BATCH_BYTES,
    PAGE_ROWS,
    SEGMENT_COUNT_LIMIT,
)
from oxy.store.moving import Mover
from oxy.store.protocol import BLOB, IndexWriter
from oxy.store.reader import FileReader, Session
from oxy.store.record import IN_PIECES
from oxy.store.segment import (
    HEADER_SIZE,
    VERSION,
    SegmentFiles,
    segment_numbers,
    segment_path,
)
from oxy.store.transaction import RowWriter
from oxy.store.writer import SegmentWriter, sync_path

if TYPE_CHECKING:
    from oxy.progress import Progress

GROWS: Final = 2
"""A segment is written anew with those behind it unless it is so many times as large."""


class Wanted(NamedTuple):
    """What is to be written anew.

    Attributes:
        first: the segment to begin with.
        gone: the numbers of the objects that are let go of, by kind.
        rows: changes the rows that follow from what is gone, in the same commit.
        progress: told of the objects that were moved.
    """

    first: int
    gone: Mapping[int, frozenset[int]]
    rows: Callable[[IndexWriter], None]
    progress: "Progress"


def repack(session: Session, wanted: Wanted) -> int:
    """Write segments anew, under the writer lock; return how many objects were moved.

    Cost: reads and writes what lies in those segments; memory for some frames and a batch.

    Raises:
        CorruptionError: something is damaged; nothing of it is lost, and nothing removed.
        StoreIOError: the system refuses; as before, or as far as it came.
    """
    steps = _Steps(session, wanted)
    moved = steps.move_all()
    steps.seal()
    remove_replaced(session)
    return moved


class _Steps:
    """The commits of one repacking."""

    __slots__ = ("_lookup", "_reader", "_session", "_start", "_wanted")

    def __init__(self, session: Session, wanted: Wanted) -> None:
        self._session = session
        self._lookup = session.lookup
        self._wanted = wanted
        self._reader = FileReader(session)
        self._start = self._begun()
        """The first of the segments that are written, 0 while there is none."""

    def move_all(self) -> int:
        """Copy all that stays, and have the index point at the copies."""
        moved = 0
        waiting = (each for each in self._objects() if each[1][2].segment < self._limit())
        while True:
            count = self._commit(lambda mover: self._move(mover, waiting))
            moved += count
            self._wanted.progress.update(moved, None, "objects")
            if not count:
                return moved

    def seal(self) -> None:
        """Begin an empty segment, and let go of what is gone and of the old segments."""
        lookup, wanted = self._lookup, self._wanted

        def rows(writer: IndexWriter) -> None:
            lookup.forget_segments(wanted.first, self._start - 1)
            wanted.rows(writer)
            self._session.pending.flush_rows(lookup)
            for kind, numbers in wanted.gone.items():
                lookup.remove_objects((kind, number) for number in sorted(numbers))

        finish(self._session, rows)

    def _commit(self, work: Callable[[Mover], None]) -> int:
        lookup = self._lookup
        lookup.database.begin("safe")
        writer = SegmentWriter(self._session.files, lookup.position())
        mover = Mover(lookup, writer)
        try:
            if not self._start:
                writer.begin_again(_before(self._session, self._wanted.first))
                self._start = writer.place[0]
            work(mover)
            mover.finish()
        except BaseException:
            _take_back(self._session, writer)
            raise
        finally:
            mover.close()
        # Where the commit fails and may have happened, the copies stay: they are found later.
        lookup.database.commit()
        return mover.moved

    def _move(self, mover: Mover, waiting: Iterator[tuple[int, Located]]) -> None:
        """Move objects until a batch is full or none is left."""
        size = 0
        for kind, located in waiting:
            number, object_id, place = located
            if place.slot == IN_PIECES:
                chunks = self._reader.chunks(kind, number)
                mover.large(kind, number, object_id, place.size, chunks)
            else:
                payload = self._reader.read(kind, number)
                mover.small(kind, number, object_id, payload)
            size += place.size
            if mover.moved >= MOVED_BATCH or size >= MOVED_BATCH_BYTES:
                return

    def _objects(self) -> Iterator[tuple[int, Located]]:
        """Yield the objects that stay, from the first segment on, in their new order."""
        for kind in sorted(self._lookup.kinds(), key=lambda kind: (kind != BLOB, kind)):
            gone = self._wanted.gone.get(kind, frozenset())
            for located in _located(self._session, kind, self._wanted.first):
                if located[0] not in gone:
                    yield kind, located

    def _limit(self) -> int:
        """Return the segment from which on objects have been moved."""
        return self._start or SEGMENT_COUNT_LIMIT + 1

    def _begun(self) -> int:
        """Return the first segment that a repacking wrote which was interrupted, or 0.

        It goes on where nothing that came later lies between its objects: their order is that
        of their numbers, which follow from it when the index is made anew.
        """
        ends = [segment for segment, _ in self._lookup.ends()]
        before = _before(self._session, self._wanted.first)[0]
        start = max(
            (each for each in ends if each > before + 1 and self._follows(each) == before),
            default=0,
        )
        if not any(self._wanted.first <= each < start for each in ends):
            return 0
        is_left = False
        for _, (_, _, place) in self._objects():
            if place.segment < start:
                is_left = True
            elif is_left:
                return 0
        return start

    def _follows(self, segment: int) -> int:
        return self._session.files.header(segment).segment


def finish(session: Session, rows: Callable[[IndexWriter], None]) -> None:
    """Begin an empty segment, where the last is not, and change rows in the same commit.

    It happens under the writer lock.

    Raises:
        StoreIOError: the system refuses; nothing is changed.
    """
    lookup = session.lookup
    lookup.database.begin("safe")
    writer = SegmentWriter(session.files, lookup.position())
    try:
        if writer.place[1] > HEADER_SIZE:
            writer.begin_next()
            writer.sync()
        for segment, end in writer.ends().items():
            lookup.set_position(segment, end)
        rows(RowWriter(session))
        session.pending.flush_rows(lookup)
    except BaseException:
        _take_back(session, writer)
        raise
    lookup.database.commit()


def _take_back(session: Session, writer: SegmentWriter) -> None:
    session.pending.drop()
    with suppress(StoreIOError, StoreBusyError):
        session.lookup.database.rollback()
    writer.rollback()


def _located(session: Session, kind: int, first: int) -> Iterator[Located]:
    after = 0
    while page := session.lookup.located_from(kind, after, first, PAGE_ROWS):
        yield from page
        after = page[-1][0]


def _before(session: Session, first: int) -> tuple[int, int]:
    """Return the segment before one, and where that ends."""
    ends = dict(session.lookup.ends())
    before = max((segment for segment in ends if segment < first), default=0)
    return before, ends.get(before, 0)


def remove_replaced(session: Session) -> None:
    """Remove the segments that others replace and nothing lies in any more.

    Raises:
        StoreIOError: the system refuses; the next repacking does it.
    """
    directory = session.files.directory
    numbers = segment_numbers(directory)
    replaced: set[int] = set()
    for number in numbers:
        if (session.files.size(number) or 0) < HEADER_SIZE:
            # Whoever began it was killed; the next writer begins it anew.
            continue
        replaced.update(range(session.files.header(number).segment + 1, number))
    old = [number for number in numbers if number in replaced]
    if not old:
        return
    used = session.lookup.segments_used()
    session.files.forget()
    for number in old:
        if number not in used:
            path = segment_path(directory, number)
            try:
                os.unlink(path)
            except OSError as error:
                raise StoreIOError.of(path, "remove", error) from error
    sync_path(directory)


def tail(session: Session, most: int) -> int | None:
    """Return the segment to begin with where only little is written anew, or None.

    It is the last one, and those before that are not much larger than all behind them: so each
    object is written again a few times at most, however often this is done.

    Args:
        session: of the store.
        most: how many bytes may be read.
    """
    ends = session.lookup.ends()
    first, total = None, 0
    for segment, end in reversed(ends):
        size = end - HEADER_SIZE
        if total + size > most or (first is not None and size > GROWS * total):
            break
        first, total = segment, total + size
    while first is not None and _is_inside(session, first):
        first = first + 1 if first < ends[-1][0] else None
    return first


def oldest_format(directory: bytes) -> int:
    """Return the oldest format version of the segments in a directory."""
    files = SegmentFiles(directory)
    try:
        numbers = segment_numbers(directory)
        return min((files.header(each).version for each in numbers), default=VERSION)
    finally:
        files.forget()


def _is_inside(session: Session, segment: int) -> bool:
    """Tell whether a segment begins in the middle of a large object."""
    files = session.files
    if (files.size(segment) or 0) <= HEADER_SIZE:
        return False
    return files.step(segment, HEADER_SIZE).form == NEXT_PIECE
