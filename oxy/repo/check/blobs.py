"""What blobs are like, seen once while they are proven (spec: store, ST26)."""

from array import array
from collections.abc import Iterable
from oxy.typed import Final, NamedTuple

from oxy.repo.check.neighbours import numbered
from oxy.store.protocol import BLOB, Reader

UNSEEN: Final = -1
UNENDED: Final = -2
LOST: Final = -3
"""In place of a number of lines: nobody has looked; the last line does not end in LF; the
bytes cannot be read, or are others."""


class Seen(NamedTuple):
    """A blob: its number, its length, and its lines or one of the above."""

    number: int
    size: int
    lines: int


def lines_in(pieces: Iterable[bytes]) -> int:
    """Return how many lines there are in the pieces of a text, or `UNENDED`."""
    count, last = 0, b""
    for piece in pieces:
        count += piece.count(b"\n")
        last = piece[-1:]
    return count if last == b"\n" else UNENDED


class Blobs:
    """The blobs of a store. Memory: 16 bytes for each."""

    __slots__ = ("_found", "_lines", "_sizes")

    def __init__(self, reader: Reader) -> None:
        total = reader.count(BLOB) + 1
        self._lines = array("q", [UNSEEN]) * total
        self._sizes = array("q", [UNSEEN]) * total
        self._found = numbered(reader, BLOB)

    def note(self, number: int, size: int, lines: int) -> None:
        """Remember a blob that was proven; one that came since this was made is passed over."""
        if number < len(self._lines):
            self._sizes[number] = size
            self._lines[number] = lines

    def lose(self, number: int) -> None:
        """Remember a blob that is not what its id says."""
        self.note(number, UNSEEN, LOST)

    def find(self, object_id: bytes) -> Seen | None:
        """Return what is known of a blob; None where there is none."""
        number = self._found.find(object_id)
        if number is None:
            return None
        if number >= len(self._lines):
            return Seen(number, UNSEEN, UNSEEN)
        return Seen(number, self._sizes[number], self._lines[number])
