"""Walking segments by their bytes alone, to recover, rebuild and check (spec: ST26, ST28).

A damaged frame is reported and the walk goes on at the next valid one. Content cannot pose as a
frame there, because a frame's magic never occurs inside a frame.
"""

from collections.abc import Iterator
from contextlib import suppress
from oxy.typed import Final, NamedTuple, TypeAlias

from oxy.store.errors import FrameDamagedError, SegmentDamagedError, called
from oxy.store.frame import FIRST_PIECE, HEAD_SIZE, MAGIC, NEXT_PIECE, RECORDS, parse_head
from oxy.store.protocol import Identify
from oxy.store.record import (
    IN_PIECES,
    RECORD_HEAD,
    Place,
    parse_first,
    parse_next,
    records_in,
)
from oxy.store.segment import HEADER_SIZE, Ahead, Frame, SegmentFiles, segment_numbers

_SEARCH: Final = 1024 * 1024


class Damage(NamedTuple):
    """Bytes of a segment that are not what they should be."""

    segment: int
    offset: int
    what: str


class Found(NamedTuple):
    """A whole object as it lies in the segments; the payload is None where it is in pieces."""

    kind: int
    object_id: bytes
    place: Place
    payload: bytes | None


class Sealed(NamedTuple):
    """A segment that was walked, and where it ends."""

    segment: int
    end: int


Item: TypeAlias = Found | Damage


class Assembler:
    """Makes objects of frames that come in their order."""

    __slots__ = ("_first", "_got", "_index", "_lost")

    def __init__(self) -> None:
        self._first: tuple[int, bytes, Place] | None = None
        self._got = 0
        self._index = 0
        self._lost = False

    @property
    def incomplete(self) -> bool:
        """Whether a large object has begun and not ended."""
        return self._first is not None

    def feed(self, frame: Frame) -> list[Item]:
        """Return what the frame completes, and what it shows to be damaged."""
        try:
            if frame.form == NEXT_PIECE:
                return self._next(frame)
            broken = self.break_off()
            self._lost = False
            if frame.form == FIRST_PIECE:
                return [*broken, *self._begin(frame)]
            if frame.form == RECORDS:
                return [*broken, *_records(frame)]
        except FrameDamagedError as error:
            return [*self.break_off(), Damage(error.segment, error.offset, error.what)]
        return broken

    def break_off(self) -> list[Item]:
        """Say that no more pieces will come; return the damage if one was needed."""
        first, self._first = self._first, None
        self._lost = True
        if first is None:
            return []
        kind, object_id, place = first
        what = f"{called(kind, object_id)} lacks pieces"
        return [Damage(place.segment, place.offset, what)]

    def _begin(self, frame: Frame) -> list[Item]:
        piece = parse_first(frame.raw, frame.segment, frame.offset)
        place = Place(frame.segment, frame.offset, IN_PIECES, piece.stated)
        self._first = piece.kind, piece.object_id, place
        self._got, self._index = len(piece.data), 0
        return self._completed()

    def _next(self, frame: Frame) -> list[Item]:
        if self._first is None and self._lost:
            return []
        piece = parse_next(frame.raw, frame.segment, frame.offset)
        self._index += 1
        wanted = None if self._first is None else (*self._first[:2], self._index)
        self._got += len(piece.data)
        if wanted != piece[:3] or self._first is None or self._got > self._first[2].size:
            stray = Damage(frame.segment, frame.offset, "a piece is out of its place")
            return [*self.break_off(), stray]
        return self._completed()

    def _completed(self) -> list[Item]:
        if self._first is None or self._got < self._first[2].size:
            return []
        kind, object_id, place = self._first
        self._first = None
        return [Found(kind, object_id, place, None)]


def _records(frame: Frame) -> list[Item]:
    raw = frame.raw
    found: list[Item] = []
    for kind, object_id, place in records_in(raw, frame.segment, frame.offset):
        start = place.slot + RECORD_HEAD
        found.append(Found(kind, object_id, place, raw[start : start + place.size]))
    return found


def scan(files: SegmentFiles, identify: Identify | None = None) -> Iterator[Item | Sealed]:
    """Yield every object and every damage of all segments, and where each segment ends.

    Cost: reads everything once; memory for one frame.

    Args:
        files: the segments; their database is not looked at.
        identify: proves payloads that are not in pieces.

    Raises:
        FormatTooNewError: a segment is of a later format.
        StoreIOError: the system cannot read.
    """
    assembler = Assembler()
    expected = 1
    numbers = segment_numbers(files.directory)
    replaced = _replaced(files, numbers)
    for segment in numbers:
        for missing in range(expected, segment):
            yield from assembler.break_off()
            if missing not in replaced:
                yield Damage(missing, 0, "the segment is missing")
        expected = segment + 1
        if segment in replaced and files.size(segment) is None:
            continue
        for item in _walk(files, segment):
            if isinstance(item, Frame):
                yield from (_proven(each, identify) for each in assembler.feed(item))
            else:
                if isinstance(item, Damage):
                    yield from assembler.break_off()
                yield item
    yield from assembler.break_off()


def _replaced(files: SegmentFiles, numbers: list[int]) -> set[int]:
    """Return the segments that others replace: they may be gone."""
    found: set[int] = set()
    for segment in numbers:
        with suppress(SegmentDamagedError):
            found.update(range(files.header(segment).segment + 1, segment))
    return found


def _proven(item: Item, identify: Identify | None) -> Item:
    if isinstance(item, Damage) or item.payload is None or identify is None:
        return item
    if identify(item.kind, item.payload) in {None, item.object_id}:
        return item
    what = f"{called(item.kind, item.object_id)} has content of another id"
    return Damage(item.place.segment, item.place.offset, what)


def tail(files: SegmentFiles, begun: tuple[int, int]) -> Iterator[Frame]:
    """Yield the valid frames past a position, up to one that is torn; headers as form 0."""
    segment, offset = begun
    while True:
        following = _stated_end(files, segment)
        size = files.size(segment) or 0
        limit = size if following is None else min(following, size)
        while offset < limit:
            try:
                frame = files.frame(segment, offset)
            except FrameDamagedError:
                return
            if frame.end > limit:
                return
            yield frame
            offset = frame.end
        if following != offset:
            return
        segment, offset = segment + 1, HEADER_SIZE
        yield Frame(segment, 0, HEADER_SIZE, 0, b"")


def _stated_end(files: SegmentFiles, segment: int) -> int | None:
    try:
        return files.stated_end(segment)
    except SegmentDamagedError:
        return None


def _walk(files: SegmentFiles, segment: int) -> Iterator[Frame | Damage | Sealed]:
    try:
        files.header(segment)
    except SegmentDamagedError as error:
        yield Damage(segment, 0, error.what)
    size = files.size(segment) or 0
    limit = _stated_end(files, segment)
    if limit is None:
        limit = size
    elif limit > size:
        yield Damage(segment, size, f"the segment is cut short of {limit} bytes")
    offset: int | None = HEADER_SIZE
    end = HEADER_SIZE
    ahead = Ahead()
    while offset is not None and offset < limit:
        try:
            frame = files.frame(segment, offset, ahead=ahead)
        except FrameDamagedError as error:
            yield Damage(segment, offset, error.what)
            offset = next_head(files, segment, offset + 1, limit)
        else:
            yield frame
            offset = end = frame.end
    yield Sealed(segment, end)


def next_head(files: SegmentFiles, segment: int, offset: int, limit: int) -> int | None:
    """Return where the next head of a frame lies, or None."""
    while offset < limit:
        window = files.read(segment, offset, min(_SEARCH, limit - offset) + HEAD_SIZE)
        at = window.find(MAGIC)
        while 0 <= at < _SEARCH:
            try:
                parse_head(window[at : at + HEAD_SIZE], segment, offset + at)
            except FrameDamagedError:
                at = window.find(MAGIC, at + 1)
            else:
                return offset + at
        offset += _SEARCH
    return None
