"""Git objects one at a time, and the ids of what we would write (spec: git-bridge)."""

import hashlib
from collections.abc import Callable, Iterable

from oxy.errors import CorruptionError
from oxy_git.reader.git import Git

OID: int = 20


class MissingObjectError(CorruptionError):
    """The Git repository lacks an object that it refers to."""

    def __init__(self, oid: bytes, where: str) -> None:
        super().__init__(f"the Git repository lacks object {oid.hex()}, {where}")
        self.oid = oid
        self.where = where


def object_id(kind: bytes, data: bytes) -> bytes:
    """Return the id, 20 bytes, that Git gives an object."""
    return hashlib.sha1(b"%s %d\0" % (kind, len(data)) + data, usedforsecurity=False).digest()


def blob_oid(pieces: Iterable[bytes], size: int) -> bytes:
    """Return the id of a blob that comes in pieces."""
    summed = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    for piece in pieces:
        summed.update(piece)
    return summed.digest()


class Objects:
    """Reads objects when they are asked for. Cost: a round trip each."""

    __slots__ = ("_git", "_pipe")

    def __init__(self, git: Git) -> None:
        self._git = git
        self._pipe = git.start("cat-file", "--batch")

    def read(self, oid: bytes, where: str = "") -> bytes:
        """Return the bytes of an object.

        Raises:
            MissingObjectError: the repository lacks it.
        """
        self._pipe.stdin.write(oid.hex().encode() + b"\n")
        self._pipe.stdin.flush()
        return take_object(self._pipe.stdout.readline, self._pipe.stdout.read, oid, where)

    def close(self) -> None:
        """End the process."""
        self._pipe.close()


def take_object(
    readline: Callable[[], bytes], read: Callable[[int], bytes], oid: bytes, where: str
) -> bytes:
    """Return the next object that a `cat-file` prints.

    Raises:
        MissingObjectError: it says that the object is missing.
    """
    head = readline().split()
    if len(head) != 3 or head[1] == b"missing":  # noqa: PLR2004 - id, kind, size
        raise MissingObjectError(oid, where)
    size = int(head[2])
    data = read(size + 1)
    if len(data) != size + 1:
        raise MissingObjectError(oid, where)
    return data[:-1]
