"""Files and directories that are there after the machine crashed (spec: working-copy, W58)."""

import os
from contextlib import suppress


def put(path: bytes, content: bytes) -> None:
    """Put a file in its place whole, and make that durable.

    It is written beside its place, synced, renamed, and its directory synced: after a crash
    the old one is there or the new one.

    Raises:
        OSError: the system refuses; the old one is still there.
    """
    beside = b"%s.%d" % (path, os.getpid())
    try:
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    sync_directory(os.path.dirname(path))


def remove(path: bytes) -> None:
    """Remove a file if it is there, and make that durable.

    Raises:
        OSError: the system refuses.
    """
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    sync_directory(os.path.dirname(path))


def make_directories(path: bytes) -> None:
    """Make a directory and those above it that are missing, and make their names durable.

    Raises:
        OSError: the system refuses.
    """
    missing = [path]
    while missing[-1] and not os.path.isdir(missing[-1]):
        missing.append(os.path.dirname(missing[-1]))
    os.makedirs(path, exist_ok=True)
    for above in missing[1:]:
        sync_directory(above)


def sync_directory(path: bytes) -> None:
    """Make the names in a directory durable.

    Raises:
        OSError: the sync failed; it must not be tried again as if it could succeed.
    """
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
