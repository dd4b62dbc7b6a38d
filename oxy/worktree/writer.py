"""Write into the working copy safely (spec: working-copy, W21 to W23).

Everything goes through descriptors of directories, opened one component at a time and never
through a symlink. A file is written beside its place and renamed into it, so that it is there
whole or not at all, and so that a hard link or an open file keeps its old content. Where
nothing was tracked before, new files are made in their places instead (W43). What the caller
does not know to be there is never replaced or removed.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from oxy.typed import Final

from oxy.errors import RequestError, StateError
from oxy.model.pathrule import path_refusal
from oxy.worktree.descent import Descent
from oxy.worktree.listing import RECORD, TEMPORARY, pack
from oxy.worktree.reader import ChangedError
from oxy.worktree.row import UNKNOWN

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class InTheWayError(StateError):
    """Something stands where a file or a directory has to go, and is not ours to remove."""

    def __init__(self, path: bytes) -> None:
        """Name what stands there."""
        super().__init__(f"{os.fsdecode(path)} is in the way")
        self.path = path


class RefusedPathError(RequestError):
    """The path rule does not let this path be written."""

    def __init__(self, path: bytes, reason: str) -> None:
        """Name the path and the rule."""
        super().__init__(f"path {os.fsdecode(path)} {reason}")
        self.path = path
        self.reason = reason


class UnwritableError(StateError):
    """The system refuses to write a part of the working copy."""

    def __init__(self, path: bytes, error: OSError) -> None:
        """Name the path and what the system said."""
        super().__init__(f"cannot write {os.fsdecode(path)}: {error.strerror}")
        self.path = path
        self.error = error


class TreeWriter:
    """Writes below a root; paths of one directory in a row are cheapest.

    `over` is the record of what the caller knows to be at the path, None for nothing. It is
    compared just before the path is replaced or removed.
    """

    __slots__ = ("_count", "_descent", "_in_place", "_linked", "_unsynced")

    def __init__(self, root: int, *, in_place: bool = False) -> None:
        """Borrow the descriptor of the root.

        With `in_place` a file where nothing is gets its name first and its bytes then: who is
        killed may leave a beginning of one.
        """
        self._descent = Descent(root, strict=True)
        self._in_place = in_place
        self._count = 0
        self._linked: dict[bytes, bytes] = {}
        self._unsynced: set[bytes] = set()

    def close(self) -> None:
        """Close what was opened; the root's descriptor stays."""
        self._descent.close()

    def write(
        self,
        path: bytes,
        chunks: Iterable[bytes],
        *,
        executable: bool,
        over: bytes | None,
        is_only: bool = False,
    ) -> bytes:
        """Write a file and the directories it needs; return its record.

        The mode is that of any new file under the user's umask. The record is `UNKNOWN` if
        somebody wrote the file at once. What is the only place of its bytes is synced before
        it takes the place of what held them before (W56).

        Raises:
            ChangedError: what is at the path is not `over`.
            InTheWayError: a file stands where a directory must be, or the reverse.
            RefusedPathError: the path rule refuses the path.
            UnwritableError: the system refuses; nothing is changed.
        """
        directory, name = _parted(path)
        mode = 0o777 if executable else 0o666
        try:
            at = self._directory(directory)
            record = (
                self._made(at, name, chunks, mode) if self._in_place and over is None else None
            )
            if record is not None:
                return record
            temporary, fd = self._create(at, mode)
            try:
                written = _fill(fd, chunks, is_only=is_only)
                self._put(at, temporary, path, over)
            except BaseException:
                _unlink(at, temporary)
                raise
            if is_only:
                self._unsynced.add(directory)
            there = os.stat(name, dir_fd=at, follow_symlinks=False)
        except OSError as error:
            raise UnwritableError(path, error) from error
        return pack(there) if _is_as_written(there, written) else UNKNOWN

    def symlink(self, path: bytes, target: bytes, *, over: bytes | None) -> bytes:
        """Make a symlink and the directories it needs; return its record.

        Raises:
            ChangedError, InTheWayError, RefusedPathError, UnwritableError: as `write`.
        """
        directory, name = _parted(path)
        try:
            at = self._directory(directory)
            temporary = self._link(at, target)
            try:
                self._put(at, temporary, path, over)
            except BaseException:
                _unlink(at, temporary)
                raise
            return pack(os.stat(name, dir_fd=at, follow_symlinks=False))
        except OSError as error:
            raise UnwritableError(path, error) from error

    def remove(self, path: bytes, *, over: bytes) -> None:
        """Remove a file or symlink, and the directories that become empty.

        Raises:
            ChangedError: what is at the path is not `over`.
            RefusedPathError: the path rule refuses the path.
            UnwritableError: the system refuses.
        """
        directory, name = _parted(path)
        try:
            at = self._descent.at(directory)
            if _record(at, name) != self._expected(over):
                raise ChangedError(path)
            with self._other_names(at, name, over):
                os.unlink(name, dir_fd=at)
        except (FileNotFoundError, NotADirectoryError):
            raise ChangedError(path) from None
        except OSError as error:
            raise UnwritableError(path, error) from error
        self._prune(directory)

    def move(self, old: bytes, new: bytes) -> None:
        """Give a file, a symlink or a directory another path; what becomes empty is removed.

        The caller knows that nothing is there that would be lost.

        Raises:
            RefusedPathError: the path rule refuses a path.
            InTheWayError: a file stands where a directory must be.
            UnwritableError: the system refuses.
        """
        directory, name = _parted(old)
        above, last = _parted(new)
        try:
            # Two descriptors of one descent are never valid at once.
            to = os.dup(self._directory(above))
            try:
                os.rename(name, last, src_dir_fd=self._descent.at(directory), dst_dir_fd=to)
            finally:
                os.close(to)
        except OSError as error:
            raise UnwritableError(new, error) from error
        self._prune(directory)

    def sync_names(self) -> None:
        """Make the names durable of what was synced when it was written.

        Raises:
            UnwritableError: a sync failed.
        """
        for directory in sorted(self._unsynced):
            try:
                os.fsync(self._descent.at(directory))
            except OSError as error:
                raise UnwritableError(directory or b".", error) from error
        self._unsynced.clear()

    def remove_leftover(self, path: bytes) -> None:
        """Remove a temporary file that an interrupted command left; anything else stays."""
        directory, _, name = path.rpartition(b"/")
        if name.startswith(TEMPORARY):
            try:
                _unlink(self._descent.at(directory), name)
            except OSError:
                return

    def _directory(self, path: bytes) -> int:
        try:
            return self._descent.at(path)
        except FileNotFoundError:
            pass
        except NotADirectoryError:
            raise InTheWayError(self._first_clash(path)) from None
        names = path.split(b"/")
        for depth in range(self._descent.depth + 1, len(names) + 1):
            above = self._descent.at(b"/".join(names[: depth - 1]))
            try:
                os.mkdir(names[depth - 1], dir_fd=above)
            except FileExistsError:
                continue
            except NotADirectoryError:
                raise InTheWayError(b"/".join(names[:depth])) from None
        return self._descent.at(path)

    def _first_clash(self, path: bytes) -> bytes:
        names = path.split(b"/")
        for depth in range(1, len(names) + 1):
            above = b"/".join(names[:depth])
            try:
                self._descent.at(above)
            except OSError:
                return above
        return path

    def _made(self, at: int, name: bytes, chunks: Iterable[bytes], mode: int) -> bytes | None:
        """Make a file in its place and return its record; None if something is there.

        Raises:
            OSError: the system refuses; what was made is gone again.
        """
        try:
            fd = os.open(name, _FLAGS, mode, dir_fd=at)
        except FileExistsError:
            return None
        try:
            return pack(_fill(fd, chunks))
        except BaseException:
            _unlink(at, name)
            raise

    def _create(self, at: int, mode: int) -> tuple[bytes, int]:
        while True:
            temporary = self._temporary()
            try:
                return temporary, os.open(temporary, _FLAGS, mode, dir_fd=at)
            except FileExistsError:
                continue

    def _link(self, at: int, target: bytes) -> bytes:
        while True:
            temporary = self._temporary()
            try:
                os.symlink(target, temporary, dir_fd=at)
            except FileExistsError:
                continue
            return temporary

    def _temporary(self) -> bytes:
        self._count += 1
        return b"%s%d-%d" % (TEMPORARY, os.getpid(), self._count)

    def _put(self, at: int, temporary: bytes, path: bytes, over: bytes | None) -> None:
        name = path.rpartition(b"/")[2]
        there = _record(at, name)
        if there is not None and stat.S_ISDIR(RECORD.unpack(there)[-1]):
            # An empty directory is not tracked and holds nothing that could be lost.
            try:
                os.rmdir(name, dir_fd=at)
            except OSError:
                raise InTheWayError(path) from None
            there = None
        if there != self._expected(over):
            raise ChangedError(path)
        with self._other_names(at, name, over):
            os.rename(temporary, name, src_dir_fd=at, dst_dir_fd=at)

    def _expected(self, over: bytes | None) -> bytes | None:
        """Return the record that a file has now, if nobody but this writer touched it."""
        return over if over is None else self._linked.get(over, over)

    @contextmanager
    def _other_names(self, at: int, name: bytes, over: bytes | None) -> Iterator[None]:
        """Note what taking a name from a file does to the record that its other names show.

        Hard links share one record, and with each name that goes its ctime moves on.
        """
        if over is None or os.stat(name, dir_fd=at, follow_symlinks=False).st_nlink == 1:
            yield
            return
        fd = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
        try:
            yield
            after = pack(os.fstat(fd))
        finally:
            os.close(fd)
        if _without_ctime(after) == _without_ctime(over):
            self._linked[over] = after

    def _prune(self, directory: bytes) -> None:
        while directory:
            above, _, name = directory.rpartition(b"/")
            try:
                os.rmdir(name, dir_fd=self._descent.at(above))
            except OSError:
                return
            directory = above


def _parted(path: bytes) -> tuple[bytes, bytes]:
    """Return directory and name of a path that may be written."""
    reason = path_refusal(path)
    if reason is not None:
        raise RefusedPathError(path, reason)
    directory, _, name = path.rpartition(b"/")
    return directory, name


def _fill(fd: int, chunks: Iterable[bytes], *, is_only: bool = False) -> os.stat_result:
    """Write the new file and close it, whatever happens."""
    try:
        for chunk in chunks:
            _write_all(fd, chunk)
        _date(fd)
        if is_only:
            os.fsync(fd)
        return os.fstat(fd)
    finally:
        os.close(fd)


def _write_all(fd: int, chunk: bytes) -> None:
    view = memoryview(chunk)
    while view:
        view = view[os.write(fd, view) :]


def _date(fd: int) -> None:
    """Give the file a time between two ticks of the kernel's clock.

    An edit within the tick in which the file was written gets the tick's time, so it shows,
    although it may leave the size as it was.
    """
    import time

    now = time.time_ns()
    os.utime(fd, ns=(now, now))


def _is_as_written(there: os.stat_result, written: os.stat_result) -> bool:
    return (there.st_ino, there.st_size, there.st_mtime_ns) == (
        written.st_ino,
        written.st_size,
        written.st_mtime_ns,
    )


def _without_ctime(record: bytes) -> tuple[int, ...]:
    size, mtime, _, inode, mode = RECORD.unpack(record)
    return size, mtime, inode, mode


def _record(at: int, name: bytes) -> bytes | None:
    try:
        return pack(os.stat(name, dir_fd=at, follow_symlinks=False))
    except FileNotFoundError:
        return None


def _unlink(at: int, name: bytes) -> None:
    import contextlib

    with contextlib.suppress(OSError):
        os.unlink(name, dir_fd=at)
