"""A request that is taken whole before it is answered (spec: sync, SY74).

Short ones stay in memory. A long one is put into a file without a name, which is gone with the
process whatever happens.
"""

import os
from oxy.typed import TYPE_CHECKING, Final

from oxy.sync import limits
from oxy.sync.errors import LostError

if TYPE_CHECKING:
    from types import TracebackType
    from typing import IO, Self

_START: Final = 0


class Spool:
    """What came of a request: written once, then read as a wire reads (`Read`)."""

    __slots__ = ("_file", "_is_cut", "_is_read", "size")

    def __init__(self, directory: bytes) -> None:
        """Begin one.

        Args:
            directory: where the file is, on a disk that has room for it.
        """
        from tempfile import SpooledTemporaryFile

        self._file: IO[bytes] = SpooledTemporaryFile(  # noqa: SIM115 -- closed with this
            limits.IN_MEMORY, dir=os.fsdecode(directory)
        )
        self._is_cut = False
        self._is_read = False
        self.size = 0

    def __enter__(self) -> "Self":
        """Use it until the block ends."""
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        """Drop it."""
        self._file.close()

    @property
    def is_short(self) -> bool:
        """Whether one more piece leaves it in memory, so that to write it takes no time."""
        return self.size + 4 * limits.PIECE < limits.IN_MEMORY

    def write(self, data: bytes) -> None:
        """Put what came behind what came before."""
        self._file.write(data)
        self.size += len(data)

    def cut(self) -> None:
        """Say that the rest of it will not come."""
        self._is_cut = True

    def read(self, size: int) -> bytes:
        """Return exactly so many bytes, or none at the end.

        Raises:
            LostError: it was cut, and they did not come.
        """
        if not self._is_read:
            self._file.seek(_START)
            self._is_read = True
        data = self._file.read(size)
        if len(data) < size and (data or self._is_cut):
            why = "the other side has ended in the middle"
            raise LostError(why)
        return data
