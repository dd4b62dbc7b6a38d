"""Read files of the working copy as one moment had them (spec: working-copy, reading).

No symlink is followed and nothing but a regular file is read. A file that is written while it
is read is an error, never a mixture.
"""

import os
import stat
from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from oxy.errors import StateError
from oxy.worktree.descent import Descent
from oxy.worktree.listing import UnreadableError, pack

CHUNK: Final = 1 << 20
"""Most bytes that are read at once."""

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class ChangedError(StateError):
    """A file is not what it was a moment ago; nothing was taken from it or written over it."""

    def __init__(self, path: bytes) -> None:
        """Name the file."""
        super().__init__(f"{os.fsdecode(path)} changed meanwhile")
        self.path = path


class NotAFileError(StateError):
    """What is to be read as a file, or as a symlink, is something else."""

    def __init__(self, path: bytes, wanted: str) -> None:
        """Name the path and what it was expected to be."""
        super().__init__(f"{os.fsdecode(path)} is not {wanted}")
        self.path = path
        self.wanted = wanted


class Content(NamedTuple):
    """The bytes of a file, or the target of a symlink, and the stat they had (see listing)."""

    record: bytes
    data: bytes


class TreeReader:
    """Reads below a root; paths of one directory in a row are cheapest."""

    __slots__ = ("_descent",)

    def __init__(self, root: int) -> None:
        """Borrow the descriptor of the root."""
        self._descent = Descent(root)

    def close(self) -> None:
        """Close what was opened; the root's descriptor stays."""
        self._descent.close()

    def read(self, path: bytes) -> Content:
        """Return a file whole.

        Raises:
            ChangedError: it was written meanwhile.
            NotAFileError: it is not a regular file.
            UnreadableError: the system refuses, or it is not there.
        """
        records: list[bytes] = []
        data = b"".join(self.chunks(path, records))
        return Content(records[0], data)

    def chunks(self, path: bytes, records: list[bytes]) -> Iterator[bytes]:
        """Yield a file in pieces of at most `CHUNK` bytes; its record is put into `records`.

        The pieces are of one moment only if the iteration ends without an error.

        Raises:
            ChangedError, NotAFileError, UnreadableError: as `read`.
        """
        fd = self._open(path)
        try:
            before = os.fstat(fd)
            if not stat.S_ISREG(before.st_mode):
                raise NotAFileError(path, "a regular file")
            left = before.st_size
            while left > 0:
                piece = os.read(fd, min(left, CHUNK))
                if not piece:
                    break
                left -= len(piece)
                yield piece
            record = pack(before)
            if left or pack(os.fstat(fd)) != record:
                raise ChangedError(path)
            records.append(record)
        except OSError as error:
            raise UnreadableError(path, error) from error
        finally:
            os.close(fd)

    def probe(self, path: bytes) -> None:
        """Open a file and close it again.

        Raises:
            NotAFileError, UnreadableError: as `read`.
        """
        os.close(self._open(path))

    def target(self, path: bytes) -> Content:
        """Return where a symlink points.

        Raises:
            ChangedError, NotAFileError, UnreadableError: as `read`.
        """
        directory, _, name = path.rpartition(b"/")
        try:
            fd = self._descent.at(directory)
            before = os.stat(name, dir_fd=fd, follow_symlinks=False)
            if not stat.S_ISLNK(before.st_mode):
                raise NotAFileError(path, "a symlink")
            target = os.readlink(name, dir_fd=fd)
            after = os.stat(name, dir_fd=fd, follow_symlinks=False)
        except OSError as error:
            raise UnreadableError(path, error) from error
        if pack(before) != pack(after):
            raise ChangedError(path)
        return Content(pack(before), target)

    def _open(self, path: bytes) -> int:
        import errno

        directory, _, name = path.rpartition(b"/")
        try:
            return os.open(name, _FLAGS, dir_fd=self._descent.at(directory))
        except OSError as error:
            # ELOOP: a symlink; ENXIO: a socket.
            if error.errno in {errno.ELOOP, errno.ENXIO}:
                raise NotAFileError(path, "a regular file") from error
            raise UnreadableError(path, error) from error
