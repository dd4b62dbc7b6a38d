"""Descriptors of directories below a root, never reached through a symlink.

Spec: working-copy, W22. Every component is opened by itself from the descriptor
of its parent, so a directory that is swapped for a symlink meanwhile leads nowhere.
"""

import errno
import os
from oxy.typed import Final

KEPT: Final = 64
"""Most levels whose descriptors stay open; deeper ones are opened again from there."""

OPEN_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CLOSED: Final = -1
_NO_NAMES: Final = frozenset({b"", b".", b".."})


class Descent:
    """The chain of directories to the one used last; its neighbours are cheap to reach.

    With `strict`, each use of a kept descriptor makes sure that the directory still is where it
    was, at one stat a level: for writers, who must not write into one that was moved away.
    """

    __slots__ = ("_fds", "_names", "_root", "_strict")

    def __init__(self, root: int, *, strict: bool = False) -> None:
        """Borrow the descriptor of the root; it must stay open as long as this is used."""
        self._root = root
        self._strict = strict
        self._names: list[bytes] = []
        self._fds: list[int] = []

    def at(self, path: bytes) -> int:
        """Return a descriptor of the directory, valid until the next call; b"" is the root.

        Raises:
            OSError: as `open`; a symlink or `..` on the way is `NotADirectoryError`, or has
                ELOOP.
        """
        names = path.split(b"/") if path else []
        shared = self._shared(names)
        self._cut(shared)
        for name in names[len(self._fds) :]:
            if name in _NO_NAMES:
                raise NotADirectoryError(errno.ENOTDIR, "no name of a directory", path)
            fd = os.open(
                name, OPEN_DIRECTORY, dir_fd=self._fds[-1] if self._fds else self._root
            )
            if len(self._fds) > KEPT:
                os.close(self._fds[-1])
                self._fds[-1] = _CLOSED
            self._fds.append(fd)
            self._names.append(name)
        return self._fds[-1] if self._fds else self._root

    @property
    def depth(self) -> int:
        """How many levels were reached last; after a failure, the next one failed."""
        return len(self._names)

    def close(self) -> None:
        """Close every descriptor except the root's."""
        self._cut(0)

    def _shared(self, names: list[bytes]) -> int:
        """Count the levels to keep: those on the way to `names` that are open and in place."""
        shared = 0
        for wanted, name in zip(names, self._names, strict=False):
            if wanted != name or (self._strict and not self._in_place(shared)):
                break
            shared += 1
        while shared and self._fds[shared - 1] == _CLOSED:
            shared -= 1
        return shared

    def _in_place(self, level: int) -> bool:
        if self._fds[level] == _CLOSED:
            return False
        above = self._fds[level - 1] if level else self._root
        try:
            there = os.stat(self._names[level], dir_fd=above, follow_symlinks=False)
        except OSError:
            return False
        return os.path.samestat(there, os.fstat(self._fds[level]))

    def _cut(self, length: int) -> None:
        for fd in self._fds[length:]:
            if fd != _CLOSED:
                os.close(fd)
        del self._fds[length:]
        del self._names[length:]
