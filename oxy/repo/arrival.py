"""Which changes numbers mean: a digest of all ids in order of their arrival (spec: CP28).

Numbers can come to mean other changes, where the last ones were lost with a power cut. What is
kept by numbers says with this digest as of which arrival it is, and is believed only there.
"""

from collections.abc import Iterable, Iterator
from oxy.typed import Final

from blake3 import blake3

from oxy.repo.tables import ARRIVAL, key
from oxy.store.protocol import CHANGE, IndexWriter, Reader

SPAN: Final = 64
"""Changes from one row to the next."""

SIZE: Final = 16


def arrival(reader: Reader, newest: int) -> bytes:
    """Return 16 bytes that tell the ids of all changes up to a number; none where it is free.

    Cost: a row, and the ids of fewer than SPAN changes.
    """
    return next(arrivals(reader, (newest,)))


def arrivals(reader: Reader, newest: Iterable[int]) -> Iterator[bytes]:
    """Yield for each number what `arrival` tells. Cost: that of one for some close together."""
    count, held, begun = reader.count(CHANGE), -1, b""
    ids: list[bytes] = []
    for number in newest:
        if number > count:
            yield b""
            continue
        whole = number - number % SPAN
        if whole != held or number - whole > len(ids):
            held, begun = whole, _whole(reader, whole)
            ids = list(reader.ids_of(CHANGE, range(whole + 1, number + 1)))
        rest = ids[: number - whole]
        yield blake3(begun + b"".join(rest)).digest(SIZE) if rest else begun


def note_arrival(writer: IndexWriter, change: int) -> None:
    """Write the row of a change that arrives, if it is one that has one."""
    if change % SPAN == 0:
        digest = _further(writer, _whole(writer, change - SPAN), change - SPAN, change)
        writer.put(ARRIVAL, key(change), digest)


def _whole(reader: Reader, at: int) -> bytes:
    """Return the digest up to a multiple of SPAN: its row, or what follows from one before.

    There is no row for a change that was damaged when the index was made anew.
    """
    start = at
    while start and reader.row(ARRIVAL, key(start)) is None:
        start -= SPAN
    digest = (reader.row(ARRIVAL, key(start)) if start else None) or bytes(SIZE)
    for begin in range(start, at, SPAN):
        digest = _further(reader, digest, begin, begin + SPAN)
    return digest


def _further(reader: Reader, digest: bytes, after: int, upto: int) -> bytes:
    ids = reader.ids_of(CHANGE, range(after + 1, upto + 1))
    return blake3(digest + b"".join(ids)).digest(SIZE)
