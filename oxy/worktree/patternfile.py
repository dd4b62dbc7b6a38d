"""Reading one file of ignore patterns (spec: working-copy, W10)."""

import os
import stat
from oxy.typed import Final

from oxy.errors import StateError

MAX_IGNORE_FILE: Final = 1 << 24
"""Most bytes of one ignore file."""


class IgnoreFileTooLargeError(StateError):
    """An ignore file is larger than any list of patterns."""

    def __init__(self, path: bytes) -> None:
        """Name the file."""
        super().__init__(f"ignore file {os.fsdecode(path)} is over {MAX_IGNORE_FILE} bytes")
        self.path = path


def patterns_of(path: bytes, directory: int | None = None, flags: int = 0) -> bytes | None:
    """Return the content of the file, or None if it is no regular file.

    Args:
        path: where it is, for a message; with `directory` only its last name is looked for.
        directory: the descriptor of the directory that it is in.
        flags: more flags for opening it.

    Raises:
        OSError: it cannot be opened or read.
        IgnoreFileTooLargeError: it is over the limit.
    """
    name = path if directory is None else path.rpartition(b"/")[2]
    flags |= os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    with open(os.open(name, flags, dir_fd=directory), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        content = file.read(MAX_IGNORE_FILE + 1)
    if len(content) > MAX_IGNORE_FILE:
        raise IgnoreFileTooLargeError(path)
    return content
