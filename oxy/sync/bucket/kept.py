"""Objects of a bucket that never change, read and written by their keys (spec: sync, SY90)."""

import io
import os
from collections.abc import Iterable
from contextlib import closing
from oxy.typed import TYPE_CHECKING, Final, cast

from blake3 import blake3

from oxy.model.digest import DIGEST_SIZE
from oxy.sync import limits
from oxy.sync.bucket.index import (
    NONCE_SIZE,
    Load,
    Row,
    Stored,
    decode_branch,
    decode_leaf,
)
from oxy.sync.bucket.objects import PIECE, Objects
from oxy.sync.errors import LostError, RefusedTransferError
from oxy.sync.published import file_of
from oxy.sync.shelf import Proven

if TYPE_CHECKING:
    from typing import BinaryIO

_IN_MEMORY: Final = 4 << 20
"""Bytes of what is written that wait in memory; what is longer waits on the disk."""


class Kept:
    """The objects of a bucket that are named by what is in them.

    The name of each is new: so what is written now is never what somebody is about to delete.
    """

    __slots__ = ("_objects",)

    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def opened(self, what: Stored) -> Proven:
        """Open an object, which is proven at its end.

        Raises:
            LostError: it is not there, or does not come.
        """
        name = file_of(what.key)
        found = self._objects.open(name)
        if found is None:
            raise GoneMeanwhileError(name)
        return Proven(found, name, what.key[:DIGEST_SIZE], what.size)

    def read(self, what: Stored) -> bytes:
        """Return an object that lists others.

        Raises:
            RefusedTransferError: it is too large, or another.
            LostError: it does not come.
        """
        if what.size > limits.ENTRY:
            rule = f"what lists others is over {limits.ENTRY} bytes"
            raise RefusedTransferError(rule)
        with closing(self.opened(what)) as file:
            return b"".join(iter(lambda: file.read(PIECE), b""))

    def leaf(self, row: Row) -> tuple[Load, ...]:
        """Return the loads of a leaf."""
        return decode_leaf(self.read(Stored(row.key, row.size)))

    def branch(self, row: Row) -> tuple[Row, ...]:
        """Return the rows of a branch, all of which are of a lower level."""
        rows = decode_branch(self.read(Stored(row.key, row.size)))
        if any(each.level >= row.level for each in rows):
            rule = "a branch is below itself"
            raise RefusedTransferError(rule)
        return rows

    def keep(self, pieces: Iterable[bytes]) -> Stored:
        """Write an object."""
        import tempfile

        hasher = blake3()
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
            for piece in pieces:
                hasher.update(piece)
                spool.write(piece)
            size = spool.tell()
            spool.seek(0)
            key = hasher.digest() + os.urandom(NONCE_SIZE)
            self._objects.create(file_of(key), cast("BinaryIO", spool), size)
        return Stored(key, size)

    def keep_list(self, data: bytes) -> Stored:
        """Write an object that lists others."""
        key = blake3(data).digest() + os.urandom(NONCE_SIZE)
        self._objects.create(file_of(key), io.BytesIO(data), len(data))
        return Stored(key, len(data))


class GoneMeanwhileError(LostError):
    """An object is not there any more: what named it is older than the grace of the bucket."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not there; it may have been dropped meanwhile")
        self.name = name
