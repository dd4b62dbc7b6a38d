"""Segment files: names, headers, and proven frames read from them (spec: store, ST6, ST37).

    magic 8 | format version 4 | number 4 | number of the segment before 4 | its end 4
    | first 8 bytes of BLAKE3 of the 24 bytes before | frames

Integers are big-endian. What a segment holds past the end that its successor states was given
up (a failed sync) and does not count. A segment that follows another than the number below its
own replaces those between: what counts of them was written again. In version 1 the segment
before is always the number below, and its end takes 8 bytes.
"""

from __future__ import annotations

import os
import struct
from collections import OrderedDict
from contextlib import suppress
from oxy.typed import Final, NamedTuple

from oxy.store.errors import (
    FormatTooNewError,
    FrameDamagedError,
    SegmentDamagedError,
    SegmentsMissingError,
    StoreIOError,
)
from oxy.store.frame import HEAD_SIZE, RECORDS, Head, Unpacker, parse_head, unpacker, unseal
from oxy.store.limits import FRAME_CACHE, OPEN_SEGMENTS, SEGMENT_COUNT_LIMIT, STEPS_CACHED
from oxy.store.protocol import Whole

VERSION: Final = 2
MAGIC: Final = b"\x8foxyseg\n"
_HEADER: Final = struct.Struct(">8sIIII")
_DIGEST_SIZE: Final = 8
HEADER_SIZE: Final = _HEADER.size + _DIGEST_SIZE

_DIGITS: Final = 6
_READ_AHEAD: Final = 32 * 1024


class Before(NamedTuple):
    """The segment that another follows, 0 if none, its end, and the other's format."""

    segment: int
    end: int
    version: int


class Frame(NamedTuple):
    """The proven content of one frame, and where it ends."""

    segment: int
    offset: int
    end: int
    form: int
    raw: bytes


class Step(NamedTuple):
    """A frame that was stepped over: where it lies, its form and the length of its content."""

    segment: int
    offset: int
    end: int
    form: int
    raw: int


def segment_path(directory: bytes, segment: int) -> bytes:
    """Return the segment's path."""
    return b"%s/%06d.oxs" % (directory, segment)


def segment_numbers(directory: bytes) -> list[int]:
    """Return the numbers of the segments that exist, ascending. Cost: one directory read.

    Raises:
        SegmentsMissingError: the directory is not there.
        StoreIOError: it cannot be read.
    """
    try:
        names = os.listdir(directory)
    except FileNotFoundError as error:
        raise SegmentsMissingError(directory) from error
    except OSError as error:
        raise StoreIOError.of(directory, "list", error) from error
    stems = (name[:-4] for name in names if name.endswith(b".oxs"))
    return sorted(int(stem) for stem in stems if len(stem) == _DIGITS and stem.isdigit())


def pack_header(segment: int, before: tuple[int, int]) -> bytes:
    """Return the header of a new segment that follows another, of which the end is told."""
    start = _HEADER.pack(MAGIC, VERSION, segment, *before)
    return start + _digest(start)


def parse_header(data: bytes, segment: int) -> Before:
    """Return which segment comes before, and where that ends.

    Raises:
        SegmentDamagedError: this is not the header of this segment.
        FormatTooNewError: it is of a later format.
    """
    if len(data) < HEADER_SIZE:
        raise SegmentDamagedError(segment, "its header is cut short")
    start = data[: _HEADER.size]
    if data[_HEADER.size : HEADER_SIZE] != _digest(start):
        raise SegmentDamagedError(segment, "its header fails its digest")
    magic, version, number, before, end = _HEADER.unpack(start)
    if magic != MAGIC:
        raise SegmentDamagedError(segment, "it does not begin as a segment does")
    if version > VERSION:
        name = f"segment {segment}"
        raise FormatTooNewError(name, version, VERSION)
    if number != segment:
        raise SegmentDamagedError(segment, f"its header says that it is segment {number}")
    if version < VERSION:
        before = segment - 1
    if before >= segment:
        raise SegmentDamagedError(segment, f"its header says that it follows {before}")
    return Before(before, end, version)


def _digest(start: bytes) -> bytes:
    from blake3 import blake3

    return blake3(start).digest(_DIGEST_SIZE)


def _close(fd: int) -> None:
    with suppress(OSError):
        os.close(fd)


class Ahead:
    """Bytes that were read with a frame, for those that lie behind it.

    Small frames lie close together. One of these serves frames that were all found in the
    index before the first was read: bytes behind what is indexed may come to be others.
    """

    __slots__ = ("_data", "_offset", "_segment")

    def __init__(self) -> None:
        self._segment = self._offset = 0
        self._data = b""

    def around(self, files: SegmentFiles, segment: int, offset: int) -> bytes:
        """Return bytes from a place on, as many as hold a head if there are."""
        skip = offset - self._offset
        if self._segment != segment or not 0 <= skip <= len(self._data) - HEAD_SIZE:
            self._data = files.read(segment, offset, _READ_AHEAD)
            self._segment, self._offset = segment, offset
            return self._data
        return self._data[skip:]


class SegmentFiles:
    """The segments of one store, open for reading, with the frames that were read last.

    Cost: a frame is read and decompressed once while it stays among the last 8 MiB.
    """

    __slots__ = ("_cache", "_cached", "_files", "_steps", "_unpack", "directory")

    def __init__(self, directory: bytes) -> None:
        self.directory = directory
        self._files: OrderedDict[int, int] = OrderedDict()
        self._cache: OrderedDict[tuple[int, int], Frame] = OrderedDict()
        self._cached = 0
        self._steps: OrderedDict[tuple[int, int], list[Step]] = OrderedDict()
        self._unpack: Unpacker | None = None

    def size(self, segment: int) -> int | None:
        """Return the file's length, or None if there is no such file."""
        path = segment_path(self.directory, segment)
        try:
            return os.stat(path, follow_symlinks=False).st_size
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreIOError.of(path, "examine", error) from error

    def header(self, segment: int) -> Before:
        """Return what its header says of the one before; raises as parse_header."""
        return parse_header(self.read(segment, 0, HEADER_SIZE), segment)

    def stated_end(self, segment: int) -> int | None:
        """Return the end that the next segment states, if it is there and follows this one.

        Raises: as parse_header.
        """
        if self.size(segment + 1) is None:
            return None
        before, end, _ = self.header(segment + 1)
        return end if before == segment else None

    def frame(
        self, segment: int, offset: int, *, keep: bool = False, ahead: Ahead | None = None
    ) -> Frame:
        """Return the frame at this place.

        Pieces of large objects are many, and kept only on demand. With `ahead`, what was read
        with the frame before is not read again.

        Raises:
            FrameDamagedError: no valid frame is there.
            SegmentDamagedError: the segment is missing.
            StoreIOError: the system cannot read it.
        """
        key = (segment, offset)
        cached = self._cache.get(key)
        if cached is not None:
            self._cache.move_to_end(key)
            return cached
        frame = self._load(segment, offset, ahead)
        if keep or frame.form == RECORDS:
            self._keep(key, frame)
        return frame

    def whole(self, segment: int, offset: int, size: int) -> Whole | None:
        """Return the frame at this place as it is, or None if its content is not of a size.

        Raises: as `frame`.
        """
        data, head = self._read(segment, offset, None)
        if (head.form, head.raw) != (RECORDS, size):
            return None
        return Whole(data, self._opened(data, head, segment, offset))

    def step(self, segment: int, offset: int) -> Step:
        """Return what the head of the frame at this place says; its content is not read.

        Raises: as `frame`.
        """
        head = parse_head(self.read(segment, offset, HEAD_SIZE), segment, offset)
        return Step(segment, offset, offset + HEAD_SIZE + head.stored, head.form, head.raw)

    def steps(self, segment: int, offset: int) -> list[Step]:
        """Return the steps through an object that begins here, for its reader to go on with.

        Those of the objects that were read last are remembered.
        """
        steps = self._steps.setdefault((segment, offset), [])
        self._steps.move_to_end((segment, offset))
        if len(self._steps) > STEPS_CACHED:
            self._steps.popitem(last=False)
        return steps

    def follow(self, segment: int, end: int) -> tuple[int, int]:
        """Return where the frame after one that ends here lies, in this segment or the next."""
        if self.stated_end(segment) == end:
            return segment + 1, HEADER_SIZE
        return segment, end

    def read(self, segment: int, offset: int, size: int) -> bytes:
        """Return up to `size` bytes of a segment, fewer only at its end."""
        fd = self._open(segment)
        parts: list[bytes] = []
        while size > 0:
            try:
                part = os.pread(fd, size, offset)
            except OSError as error:
                path = segment_path(self.directory, segment)
                raise StoreIOError.of(path, "read", error) from error
            if not part:
                break
            parts.append(part)
            offset += len(part)
            size -= len(part)
        return b"".join(parts)

    def forget(self) -> None:
        """Close every file and drop every frame: what was read may have been taken back."""
        self._cache.clear()
        self._cached = 0
        self._steps.clear()
        while self._files:
            _close(self._files.popitem()[1])

    def _load(self, segment: int, offset: int, ahead: Ahead | None) -> Frame:
        data, head = self._read(segment, offset, ahead)
        raw = self._opened(data, head, segment, offset)
        return Frame(segment, offset, offset + len(data), head.form, raw)

    def _opened(self, data: bytes, head: Head, segment: int, offset: int) -> bytes:
        if self._unpack is None:
            self._unpack = unpacker()
        return unseal(head, data[:HEAD_SIZE], data[HEAD_SIZE:], self._unpack, segment, offset)

    def _read(self, segment: int, offset: int, ahead: Ahead | None) -> tuple[bytes, Head]:
        """Return the bytes of a frame, and its head."""
        if ahead is None:
            data = self.read(segment, offset, _READ_AHEAD)
        else:
            data = ahead.around(self, segment, offset)
        head: Head = parse_head(data, segment, offset)
        end = HEAD_SIZE + head.stored
        if end > len(data):
            data += self.read(segment, offset + len(data), end - len(data))
        if len(data) < end:
            raise FrameDamagedError(segment, offset, "the frame is cut short")
        return data[:end], head

    def _keep(self, key: tuple[int, int], frame: Frame) -> None:
        self._cache[key] = frame
        self._cached += len(frame.raw)
        while self._cached > FRAME_CACHE:
            self._cached -= len(self._cache.popitem(last=False)[1].raw)

    def _open(self, segment: int) -> int:
        fd = self._files.get(segment)
        if fd is not None:
            self._files.move_to_end(segment)
            return fd
        if not 0 < segment <= SEGMENT_COUNT_LIMIT:
            raise SegmentDamagedError(segment, "no segment may have this number")
        path = segment_path(self.directory, segment)
        try:
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError as error:
            raise SegmentDamagedError(segment, "the file is missing") from error
        except OSError as error:
            raise StoreIOError.of(path, "open", error) from error
        self._files[segment] = fd
        if len(self._files) > OPEN_SEGMENTS:
            _close(self._files.popitem(last=False)[1])
        return fd
