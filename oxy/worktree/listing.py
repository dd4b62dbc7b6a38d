"""What the walk says about one directory (spec: working-copy, W11).

Names and stats are two byte strings, so that comparing an unchanged directory with the manifest
is comparing bytes.
"""

import errno
import os
import struct
from oxy.typed import Final, NamedTuple

from oxy.errors import StateError

RECORD: Final = struct.Struct("<QqqQI")
"""One file's stat: size, mtime and ctime in ns, inode, mode."""

TEMPORARY: Final = b".oxy-tmp-"
"""How the name of a file starts that a checkout has not yet renamed into its place."""


LEFT_ALONE: Final = frozenset({"ignored", "untracked"})
"""The kinds of oddities that the user asked for: nothing is wrong with them."""


class Oddity(NamedTuple):
    """A path that is not listed, and why.

    `kind` is "special" (FIFO, socket, device), "refused" (by the path rule), "nested" (a
    repository), "subrepo" (one that is not as pinned), "leftover" (of a checkout), "outside"
    (of what a sparse working copy has), "unreadable" (the system refuses, and that was
    forgiven; of a directory it ends in a slash), or, of a path that was asked for or where all
    is to be told, "ignored" or "untracked" (by what was noted); of a directory it ends in a
    slash where all is told.
    """

    path: bytes
    kind: str
    reason: str


class Listing(NamedTuple):
    """One directory: its files and symlinks that are tracked or may become so.

    `joined` are the names, sorted by bytes and joined by NUL; `stats` their records in order.
    `asked` is None for a whole directory, else the only names that were looked for.
    """

    path: bytes
    joined: bytes
    stats: bytes
    oddities: tuple[Oddity, ...] = ()
    asked: tuple[bytes, ...] | None = None

    @property
    def names(self) -> tuple[bytes, ...]:
        """The names, sorted."""
        return tuple(self.joined.split(b"\0")) if self.joined else ()


UNREADABLE: Final = "unreadable"
"""The kind of an oddity that is there, but nobody could look at."""

_FORGIVEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EIO})


class UnreadableError(StateError):
    """The system refuses to show a part of the working copy; guessing would lose files."""

    def __init__(self, path: bytes, error: OSError) -> None:
        """Name the path and what the system said."""
        super().__init__(f"cannot read {os.fsdecode(path)}: {error.strerror}")
        self.path = path
        self.error = error

    def forgiven(self, path: bytes) -> Oddity:
        """Return what is told of a path that is passed over because of this.

        Raises:
            UnreadableError: itself, where it is not of this place alone.
        """
        if self.error.errno not in _FORGIVEN or not path:
            raise self
        why = f"cannot be read: {self.error.strerror}"
        if self.path != path.rstrip(b"/"):
            why = f"is left out, as {os.fsdecode(self.path)} {why}"
        return Oddity(path, UNREADABLE, why)


def pack(status: os.stat_result) -> bytes:
    """Return the record of one file."""
    return RECORD.pack(
        status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_mode
    )
