"""One name of a directory: its stat, and why it is not listed (spec: working-copy, W5, W8)."""

import os
import stat
from oxy.typed import Final

from oxy.model.pathrule import MAX_DEPTH, MAX_PATH, refusal
from oxy.worktree.listing import Oddity, UnreadableError

_GONE: Final = (FileNotFoundError, NotADirectoryError)


def under(directory: bytes, name: bytes) -> bytes:
    """Return the path of a name in a directory."""
    return directory + b"/" + name if directory else name


def status_of(directory: bytes, name: bytes, fd: int) -> os.stat_result | None:
    """Return the stat of a name, or None if it is not there.

    Raises:
        UnreadableError: the system refuses.
    """
    try:
        return os.stat(name, dir_fd=fd, follow_symlinks=False)
    except _GONE:
        return None
    except OSError as error:
        raise UnreadableError(under(directory, name), error) from error


def is_special(status: os.stat_result, path: bytes, oddities: list[Oddity]) -> bool:
    """Tell whether something is neither file nor symlink; unless it is a directory, say so."""
    mode = status.st_mode
    if stat.S_ISREG(mode) or stat.S_ISLNK(mode):
        return False
    kinds = {stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a directory"}
    reason = f"is {kinds.get(stat.S_IFMT(mode), 'a device')}"
    if not stat.S_ISDIR(mode):
        oddities.append(Oddity(path, "special", reason))
    return True


def is_refused(path: bytes, name: bytes, oddities: list[Oddity], *, room: int = 0) -> bool:
    """Tell whether the path rule refuses the name here; `room`: components still to follow."""
    reason = refusal(name)
    if reason is None and len(path) + 1 + len(name) > MAX_PATH:
        reason = f"makes a path longer than {MAX_PATH} bytes"
    if reason is None and path.count(b"/") + 2 + room > MAX_DEPTH:
        reason = f"makes a path deeper than {MAX_DEPTH} directories"
    if reason is None:
        return False
    oddities.append(Oddity(under(path, name), "refused", reason))
    return True
