"""Git objects one at a time, and the ids of what we would write (spec: git-bridge)."""

import hashlib
from collections.abc import Callable
from typing import Final

from oxy.errors import CorruptionError
from oxy_git.reader.git import Git
from oxy_git.reader.limits import BLOB, OverLimitError

OID: Final = 20


class MissingObjectError(CorruptionError):
    """An object that the Git repository refers to is missing, or damaged."""

    def __init__(self, oid: bytes, commit: bytes = b"", path: bytes = b"") -> None:
        place = path.decode("utf-8", "backslashreplace")
        where = f", '{place}'" if place else ""
        where += f" in commit {commit.hex()}" if commit else ""
        super().__init__(f"the Git repository has no whole object {oid.hex()}{where}")
        self.oid = oid
        self.commit = commit
        self.path = path


class DamagedObjectError(MissingObjectError):
    """An object is there and cannot be read."""


def object_id(kind: bytes, data: bytes) -> bytes:
    """Return the id, 20 bytes, that Git gives an object."""
    return hashlib.sha1(b"%s %d\0" % (kind, len(data)) + data, usedforsecurity=False).digest()


class Objects:
    """Reads objects when they are asked for. Cost: a round trip each."""

    __slots__ = ("_git", "_pipe")

    def __init__(self, git: Git) -> None:
        self._git = git
        self._pipe = git.start("cat-file", "--batch")

    def read(self, oid: bytes, most: int = BLOB) -> bytes:
        """Return the bytes of an object.

        Raises:
            MissingObjectError: the repository lacks it.
            OverLimitError: it has more bytes than that.
        """
        self._pipe.stdin.write(oid.hex().encode() + b"\n")
        self._pipe.stdin.flush()
        stdout = self._pipe.stdout
        try:
            return take_object(stdout.readline, stdout.read, oid, most)
        except OverLimitError:
            # What git still says of it is for nobody.
            self.close()
            self._pipe = self._git.start("cat-file", "--batch")
            raise

    def close(self) -> None:
        """End the process."""
        self._pipe.close()


def take_object(
    readline: Callable[[], bytes], read: Callable[[int], bytes], oid: bytes, most: int = BLOB
) -> bytes:
    """Return the next object that a `cat-file` prints.

    Raises:
        MissingObjectError: it says that the object is missing.
        OverLimitError: it has more bytes than are taken; nothing of it was read.
    """
    head = readline().split()
    if head[1:] == [b"missing"]:
        raise MissingObjectError(oid)
    if len(head) != 3 or head[0] != oid.hex().encode():  # noqa: PLR2004 - id, kind, size
        raise DamagedObjectError(oid)
    size = int(head[2])
    if size > most:
        kind = head[1].decode("ascii")
        what = f"the {kind} {oid.hex()} has {size} bytes, and may have {most}"
        raise OverLimitError(what)
    data = read(size + 1)
    if len(data) != size + 1:
        raise DamagedObjectError(oid)
    return data[:-1]
