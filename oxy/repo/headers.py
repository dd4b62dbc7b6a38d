"""Headers of changes, read without their operations (spec: store, ST44).

The id of a change follows from the digests of its two parts. So a row that holds the header and
the digest of the operations is proven by the id, and many headers cost a query.

    32 bytes   BLAKE3 of the encoded operations
    the rest   the encoded header
"""

from collections.abc import Iterator, Sequence
from oxy.typed import Final

from blake3 import blake3

from oxy.codec.decode import header_end, parts, read_bare_header, read_header
from oxy.model.change import Header
from oxy.model.digest import DIGEST_SIZE, id_of_digests
from oxy.repo.packs import header_rows
from oxy.store.protocol import CHANGE, Reader

MOST: Final = 4096
"""Bytes of a header above which there is no row of it: it is read with its change."""

_TOGETHER: Final = 256


def header_row(payload: bytes) -> bytes | None:
    """Return the row of a change's header, or None where it is too large for one."""
    header, operations = parts(payload)
    return blake3(operations).digest() + header if len(header) <= MOST else None


def headers_of(reader: Reader, changes: Sequence[int]) -> Iterator[tuple[int, bytes, Header]]:
    """Yield (number, id, header) of changes, each proven by its id.

    Cost: two queries for many; where there is no row, or a wrong one, the part of the change
    that holds its header.
    """
    for start in range(0, len(changes), _TOGETHER):
        some = changes[start : start + _TOGETHER]
        rows = header_rows(reader, some)
        for change, name in zip(some, reader.ids_of(CHANGE, some), strict=True):
            row = rows.get(change)
            if row is None or not _is_proven(row, name):
                yield change, name, _read(reader, change)
            else:
                yield change, name, read_bare_header(row[DIGEST_SIZE:])


def _is_proven(row: bytes, name: bytes) -> bool:
    header = blake3(row[DIGEST_SIZE:]).digest()
    return id_of_digests(header, row[:DIGEST_SIZE]) == name


def _read(reader: Reader, change: int) -> Header:
    start = next(reader.read_starts(CHANGE, [change]))
    end = header_end(start)
    return read_header(start if end <= len(start) else reader.read_part(CHANGE, change, 0, end))
