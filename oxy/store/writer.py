"""Appending frames to segments, and taking back what was not committed (spec: ST13 to ST17).

Everything here happens under the writer lock. A segment that is full is synced whatever the
durability, and so is its successor's name: then a sync of the last segment is a sync of all. A
segment whose sync failed is given up: what it held before counts, and its successor's header
says where that ends.
"""

import os
from contextlib import suppress
from oxy.typed import Final

from oxy.store.errors import SegmentDamagedError, StoreIOError
from oxy.store.limits import SEGMENT_COUNT_LIMIT, SEGMENT_LIMIT
from oxy.store.segment import (
    HEADER_SIZE,
    SegmentFiles,
    pack_header,
    segment_numbers,
    segment_path,
)

_WRITE: Final = os.O_WRONLY


class SegmentWriter:
    """Appends frames from a position on; `begun` is what a rollback goes back to."""

    __slots__ = ("_directory", "_ends", "_failed", "_fd", "_files", "_fresh", "begun", "place")

    def __init__(
        self, files: SegmentFiles, begun: tuple[int, int], *, fresh: bool = False
    ) -> None:
        self._files = files
        self._directory = files.directory
        self._fresh = fresh
        self._fd: int | None = None
        self._ends: dict[int, int] = {}
        self._failed = False
        self.begun = begun
        self.place = begun

    def append(self, frame: bytes) -> tuple[int, int]:
        """Write a frame and return its segment and offset.

        Raises:
            StoreIOError: the system refuses, as when the disk is full.
            SegmentDamagedError: the segment to be written to is not sound.
        """
        segment, offset = self.place
        full = offset + len(frame) > SEGMENT_LIMIT
        if segment == 0 or full or self._fresh:
            segment, offset = self._roll()
        elif self._fd is None:
            self._files.header(segment)
            self._fd = _open(self._directory, segment, _WRITE)
        self._write(segment, offset, frame)
        self.place = segment, offset + len(frame)
        return segment, offset

    def begin_again(self, before: tuple[int, int]) -> None:
        """Begin a segment that follows another than the last: it replaces those between.

        Raises:
            StoreIOError: the system refuses.
        """
        self._roll(before)

    def begin_next(self) -> None:
        """Begin a segment that holds nothing yet, so that the one before is finished.

        Raises:
            StoreIOError: the system refuses.
        """
        self._roll()

    def adopt(self, place: tuple[int, int]) -> None:
        """Count what lies before this place as written, and cut off what lies beyond.

        Raises:
            StoreIOError: a sync failed, or what lies beyond cannot be cut off.
        """
        _cut(self._directory, place)
        # What was looked at beyond it is gone, and may be begun anew.
        self._files.forget()
        self.place = place
        for segment in range(max(self.begun[0], 1), place[0] + 1):
            if segment < place[0]:
                self._ends[segment] = self._files.stated_end(segment) or 0
            self._sync(_open(self._directory, segment, os.O_RDONLY), segment)
        sync_path(self._directory)

    def cut(self, place: tuple[int, int]) -> None:
        """Take back what was written since this was the place to write to.

        Raises:
            StoreIOError: the system refuses.
        """
        if place[0] != self.place[0]:
            self.close()
            self._files.forget()
        _cut(self._directory, place)
        self._ends = {segment: end for segment, end in self._ends.items() if segment < place[0]}
        self.place = place
        if self._fd is None and place[0] and place != self.begun:
            self._fd = _open(self._directory, place[0], _WRITE)

    def ends(self) -> dict[int, int]:
        """Return where each segment ends that this writer has changed."""
        return {} if self.place == self.begun else {**self._ends, self.place[0]: self.place[1]}

    def sync(self) -> None:
        """Make everything written durable.

        Raises:
            StoreIOError: the sync failed, after which the segment is given up.
        """
        fd, self._fd = self._fd, None
        if fd is not None:
            self._sync(fd, self.place[0])

    def close(self) -> None:
        """End the writing; what was written stays.

        Raises:
            StoreIOError: the system says only now that it could not write.
        """
        fd, self._fd = self._fd, None
        if fd is None:
            return
        try:
            os.close(fd)
        except OSError as error:
            path = segment_path(self._directory, self.place[0])
            raise StoreIOError.of(path, "write", error) from error

    def rollback(self) -> bool:
        """Cut off what was written; return whether the segment is given up.

        What cannot be cut off is left to recovery, which finds it past the indexed end.
        """
        with suppress(StoreIOError):
            self.close()
        self._files.forget()
        with suppress(OSError, StoreIOError):
            _cut(self._directory, self.begun)
        if not self._failed:
            return False
        with suppress(OSError, StoreIOError):
            self.place = self.begun
            self._roll()
            self.close()
        return True

    def _roll(self, before: tuple[int, int] | None = None) -> tuple[int, int]:
        self.sync()
        segment, ends = self.place
        if segment == SEGMENT_COUNT_LIMIT:
            raise SegmentDamagedError(segment, "no segment may follow it")
        if segment:
            self._ends[segment] = ends
        segment += 1
        self._fd = _open(self._directory, segment, _WRITE | os.O_CREAT | os.O_EXCL)
        self._write(segment, 0, pack_header(segment, before or (segment - 1, ends)))
        sync_path(self._directory)
        self._fresh = False
        self.place = segment, HEADER_SIZE
        return self.place

    def _write(self, segment: int, offset: int, data: bytes) -> None:
        rest = memoryview(data)
        if self._fd is None:
            self._fd = _open(self._directory, segment, _WRITE)
        while rest:
            try:
                written = os.pwrite(self._fd, rest, offset)
            except OSError as error:
                path = segment_path(self._directory, segment)
                raise StoreIOError.of(path, "write", error) from error
            rest = rest[written:]
            offset += written

    def _sync(self, fd: int, segment: int) -> None:
        try:
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
        except OSError as error:
            self._failed = True
            path = segment_path(self._directory, segment)
            raise StoreIOError.of(path, "sync", error) from error


def sync_path(path: bytes) -> None:
    """Make a file or a directory durable.

    Raises:
        StoreIOError: the sync failed; it must not be tried again as if it could succeed.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise StoreIOError.of(path, "sync", error) from error


def _open(directory: bytes, segment: int, flags: int) -> int:
    path = segment_path(directory, segment)
    try:
        return os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    except OSError as error:
        raise StoreIOError.of(path, "open", error) from error


def _cut(directory: bytes, place: tuple[int, int]) -> None:
    kept, ends = place
    for segment in reversed(segment_numbers(directory)):
        path = segment_path(directory, segment)
        try:
            if segment > kept:
                os.unlink(path)
            elif segment == kept and os.stat(path).st_size > ends:
                os.truncate(path, ends)
        except OSError as error:
            raise StoreIOError.of(path, "cut", error) from error
