"""What the working copy looked like when it last matched a state (spec: CP12 to CP17, CP24).

A cache, in one file that can be deleted at any time: a magic, then frames, added at its end.

    frame:  length u32 | CRC u32 | payload        all integers little endian
    payload: state u32+bytes | removed u32 x (path u32+bytes) | rows to the end
    row:    path u32 | names u32 | files u32 | clock i64 | newest i64
            path | names joined by NUL | 36 bytes of stat a file | 48 bytes of mark a file

A later row of a directory replaces an earlier one. The CRC covers length and payload and starts
from the CRC before it, so a frame counts only behind the frames it was written behind: a torn,
damaged or foreign tail is as if it had never been written. Nothing is synced.
"""

import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from oxy.typed import Final

from oxy.worktree.listing import RECORD
from oxy.worktree.row import MARK_SIZE, Row
from oxy.worktree.tracked import with_parents

MAGIC: Final = b"oxyman1\n"
_FRAME: Final = struct.Struct("<II")
_LENGTH: Final = struct.Struct("<I")
_ROW: Final = struct.Struct("<IIIqq")
_SLACK: Final = 1 << 16


def file_system_clock(path: bytes) -> int:
    """Return the time that the file system would now give a file, in ns.

    Touches a file beside the manifest at `path`. It is the file system's clock that counts: it
    stands still for some milliseconds, and may be that of another machine. 0, older than every
    file, if nothing can be written there: then no entry is ever trusted.
    """
    try:
        fd = os.open(path + b".clock", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError:
        return 0
    try:
        os.utime(fd)
        return os.fstat(fd).st_mtime_ns
    except OSError:
        return 0
    finally:
        os.close(fd)


class Manifest:
    """The rows of all directories, and the name of the state they belong to."""

    __slots__ = ("_crc", "_end", "_file", "_holding", "_path", "_rows", "state")

    def __init__(self, path: bytes) -> None:
        """Make one that knows nothing; `load` reads what is at the path."""
        self.state: bytes | None = None
        """The name of the state, or None if nothing is known."""
        self._path = path
        self._rows: dict[bytes, Row] = {}
        self._file: tuple[int, int] | None = None
        self._end = 0
        self._crc = 0
        self._holding: set[bytes] | None = None

    @classmethod
    def load(cls, path: bytes) -> "Manifest":
        """Read the manifest; one that is absent, empty or damaged knows nothing, or less.

        Cost: one read and one CRC of the file, a few microseconds a directory.
        """
        manifest = cls(path)
        try:
            with open(path, "rb") as file:
                content = file.read()
                status = os.fstat(file.fileno())
        except OSError:
            return manifest
        if content.startswith(MAGIC):
            manifest._file = (status.st_dev, status.st_ino)
            manifest._end = len(MAGIC)
            manifest._take_frames(content)
        return manifest

    def row(self, directory: bytes) -> Row | None:
        """Return what is known of this directory."""
        return self._rows.get(directory)

    def directories(self) -> Iterable[bytes]:
        """Return the directories that have rows, in no order."""
        return self._rows.keys()

    def names(self, directory: bytes) -> bytes:
        """Return the names tracked directly in this directory, sorted and joined by NUL."""
        row = self._rows.get(directory)
        return b"" if row is None else row.joined

    def holds(self, directory: bytes) -> bool:
        """Tell whether anything tracked lies in or below this directory."""
        if directory in self._rows:
            return True
        if self._holding is None:
            self._holding = with_parents(self._rows)
        return directory in self._holding

    def update(self, rows: Iterable[Row], removed: Iterable[bytes], state: bytes) -> bool:
        """Take these rows in, forget the removed directories, and write that down.

        Only what is given is written, until more than half of the file is out of date. An empty
        row is a removed one. Return False if the system refuses: it is only a cache.
        """
        rows = list(rows)
        gone = [*removed, *(row.path for row in rows if not row.joined)]
        rows = [row for row in rows if row.joined]
        self._apply(state, gone, rows)
        live = sum(map(_size, self._rows.values()))
        is_worth = self._end and self._end + sum(map(_size, rows)) < 2 * live + _SLACK
        if is_worth and self._append(b"".join(_payload(state, gone, rows))):
            return True
        return self._rewrite()

    def _apply(self, state: bytes, gone: Iterable[bytes], rows: Iterable[Row]) -> None:
        self.state = state
        self._holding = None
        for directory in gone:
            self._rows.pop(directory, None)
        self._rows.update((row.path, row) for row in rows)

    def _take_frames(self, content: bytes) -> None:
        while len(content) - self._end >= _FRAME.size:
            length, crc = _FRAME.unpack_from(content, self._end)
            start = self._end + _FRAME.size
            payload = content[start : start + length]
            if len(payload) != length or _crc(payload, self._crc) != crc:
                return
            try:
                self._apply(*_parsed(payload))
            except (struct.error, ValueError):
                return
            self._end, self._crc = start + length, crc

    def _append(self, payload: bytes) -> bool:
        """Add a frame, if the file still is the one that was loaded, and ends where it did."""
        crc = _crc(payload, self._crc)
        frame = _FRAME.pack(len(payload), crc) + payload
        try:
            fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            status = os.fstat(fd)
            if (status.st_dev, status.st_ino) != self._file or status.st_size != self._end:
                return False
            written = os.write(fd, frame)
        except OSError:
            return False
        finally:
            os.close(fd)
        if written == len(frame):
            self._end, self._crc = self._end + len(frame), crc
            return True
        return False

    def _rewrite(self) -> bool:
        state = self.state or b""
        # Row by row, because all of them together may be large.
        length = sum(map(len, _payload(state, (), self._rows.values())))
        crc = zlib.crc32(_LENGTH.pack(length))
        temporary = b"%s.%d" % (self._path, os.getpid())
        try:
            with open(temporary, "wb") as file:
                file.write(MAGIC + bytes(_FRAME.size))
                for part in _payload(state, (), self._rows.values()):
                    file.write(part)
                    crc = zlib.crc32(part, crc)
                file.seek(len(MAGIC))
                file.write(_FRAME.pack(length, crc))
                file.flush()
                status = os.fstat(file.fileno())
            os.replace(temporary, self._path)
        except OSError:
            _remove(temporary)
            self._end = 0
            return False
        self._file = (status.st_dev, status.st_ino)
        self._end, self._crc = status.st_size, crc
        return True


def _remove(path: bytes) -> None:
    import contextlib

    with contextlib.suppress(OSError):
        os.unlink(path)


def _crc(payload: bytes, before: int) -> int:
    return zlib.crc32(payload, zlib.crc32(_LENGTH.pack(len(payload)), before))


def _size(row: Row) -> int:
    return _ROW.size + len(row.path) + len(row.joined) + len(row.stats) + len(row.marks)


def _sized(value: bytes) -> bytes:
    return _LENGTH.pack(len(value)) + value


def _payload(state: bytes, gone: Sequence[bytes], rows: Iterable[Row]) -> Iterator[bytes]:
    yield _sized(state)
    yield _LENGTH.pack(len(gone))
    yield from map(_sized, gone)
    for row in rows:
        count = len(row.stats) // RECORD.size
        yield _ROW.pack(len(row.path), len(row.joined), count, row.clock, row.newest)
        yield from row[:4]


def _parsed(payload: bytes) -> tuple[bytes, list[bytes], list[Row]]:
    """Take a payload apart.

    Raises:
        struct.error: it ends too early.
        ValueError: its lengths contradict each other.
    """
    state, at = _taken(payload, 0)
    (count,) = _LENGTH.unpack_from(payload, at)
    at += _LENGTH.size
    gone: list[bytes] = []
    for _ in range(count):
        path, at = _taken(payload, at)
        gone.append(path)
    rows: list[Row] = []
    while at < len(payload):
        path_size, names_size, count, clock, newest = _ROW.unpack_from(payload, at)
        names_at = at + _ROW.size + path_size
        stats_at = names_at + names_size
        marks_at = stats_at + count * RECORD.size
        end = marks_at + count * MARK_SIZE
        joined = payload[names_at:stats_at]
        if end > len(payload) or joined.count(b"\0") + 1 != count:
            raise ValueError(end)
        path = payload[at + _ROW.size : names_at]
        stats, marks = payload[stats_at:marks_at], payload[marks_at:end]
        rows.append(Row(path, joined, stats, marks, clock, newest))
        at = end
    return state, gone, rows


def _taken(payload: bytes, at: int) -> tuple[bytes, int]:
    (size,) = _LENGTH.unpack_from(payload, at)
    start = at + _LENGTH.size
    if start + size > len(payload):
        raise ValueError(size)
    return payload[start : start + size], start + size
