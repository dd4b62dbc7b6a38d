"""The writer lock: one process writes at a time (spec: store, ST12).

The kernel holds the lock and drops it with the process, so it is never stale. The process id in
the file is for the message of those who wait, and for nothing else.
"""

import fcntl
import os
import time
from contextlib import suppress
from oxy.typed import Final
from types import TracebackType

from oxy.store.errors import StoreIOError, StoreLockedError

_PAUSE: Final = 0.01
_PID_DIGITS: Final = 20


class WriterLock:
    """The writer lock of one store, held between `acquire` and `release`."""

    __slots__ = ("_fd", "_wait", "path")

    def __init__(self, path: bytes, wait: float) -> None:
        self.path = path
        self._wait = wait
        self._fd: int | None = None

    def __enter__(self) -> None:
        """Acquire the lock; see `acquire`."""
        self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the lock."""
        self.release()

    @property
    def held(self) -> bool:
        """Whether it is held here."""
        return self._fd is not None

    def acquire(self) -> None:
        """Take the lock, waiting as long as was said.

        Raises:
            StoreLockedError: another process held it all that time.
            StoreIOError: the lock file cannot be opened, as on a read-only file system.
        """
        fd = self._open()
        try:
            self._take(fd)
            os.ftruncate(fd, 0)
            os.pwrite(fd, b"%d\n" % os.getpid(), 0)
        except OSError as error:
            os.close(fd)
            raise StoreIOError.of(self.path, "lock", error) from error
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd

    def release(self) -> None:
        """Give the lock back if it is held."""
        fd, self._fd = self._fd, None
        if fd is not None:
            with suppress(OSError):
                os.close(fd)

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            return os.open(self.path, flags, 0o666)
        except OSError as error:
            raise StoreIOError.of(self.path, "lock", error) from error

    def _take(self, fd: int) -> None:
        until = time.monotonic() + self._wait
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise StoreLockedError(_holder(fd), self._wait) from None
                time.sleep(_PAUSE)
            else:
                return


def _holder(fd: int) -> int | None:
    digits = os.pread(fd, _PID_DIGITS, 0).strip()
    return int(digits) if digits.isdigit() else None
