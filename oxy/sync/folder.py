"""Files of a published repository in a directory of this machine (spec: sync, SY56, SY60).

Written beside and renamed, so that a reader finds a whole file or none.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from oxy.typed import TYPE_CHECKING, Final

from blake3 import blake3

from oxy.sync.published import HEADS, file_of

if TYPE_CHECKING:
    from typing import BinaryIO

    from oxy.sync.shelf import File

GRACE: Final = 24 * 60 * 60
"""Seconds for which a file stays that nothing names any more: a reader may be on its way."""

_PART: Final = b".part"


class Folder:
    """A directory in which a repository is published."""

    __slots__ = ("_root",)

    def __init__(self, root: bytes) -> None:
        self._root = root

    def get(self, name: str) -> "File | None":
        """Open a file; None where there is none."""
        try:
            return open(self._path(name), "rb")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def has(self, digest: bytes, size: int) -> bool:
        """Tell whether a file is there in its size."""
        try:
            return os.stat(self._path(file_of(digest))).st_size == size
        except OSError:
            return False

    def keep(self, pieces: Iterable[bytes]) -> tuple[bytes, int]:
        """Write a file that never changes; return its digest and its size."""
        beside = self._path(f"oxy/{os.getpid()}.part")
        hasher = blake3()
        try:
            with _made(beside) as file:
                for piece in pieces:
                    hasher.update(piece)
                    file.write(piece)
                _sync(file)
                size = file.tell()
            digest = hasher.digest()
            target = self._path(file_of(digest))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.replace(beside, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
        return digest, size

    def replace_heads(self, data: bytes) -> None:
        """Let readers see what is published now; nothing is done if it is that already."""
        path = self._path(HEADS)
        with suppress(FileNotFoundError), open(path, "rb") as file:
            if file.read() == data:
                return
        beside = path + b".%d" % os.getpid() + _PART
        with _made(beside) as file:
            file.write(data)
            _sync(file)
        os.replace(beside, path)

    def sweep(self, named: Iterable[bytes]) -> int:
        """Remove files that nothing names and that have been there for a day; tell how many."""
        kept = {self._path(file_of(digest)) for digest in named}
        latest = time.time() - GRACE
        removed = 0
        for path in self._all():
            if path not in kept and os.stat(path).st_mtime < latest:
                os.unlink(path)
                removed += 1
        return removed

    def _all(self) -> Iterator[bytes]:
        base = os.path.join(self._root, b"oxy")
        for each in os.scandir(base):
            if each.name.endswith(_PART):
                yield each.path
            elif len(each.name) == 2 and each.is_dir(follow_symlinks=False):  # noqa: PLR2004 -- two digits
                yield from (inner.path for inner in os.scandir(each.path))

    def _path(self, name: str) -> bytes:
        return os.path.join(self._root, name.encode())


def _made(path: bytes) -> "BinaryIO":
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return open(path, "wb")


def _sync(file: "BinaryIO") -> None:
    file.flush()
    os.fsync(file.fileno())
