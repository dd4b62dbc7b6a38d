"""Header rows of neighbouring changes, compressed together (spec: store, ST44, ST61).

A header has its own row when its change arrives. `gc` puts the rows of SPAN changes into one:
they share authors, trees of names and ways to say things, so it takes a third.

    msgpack, compressed by zstd: [[number of a change, its row], ...]
"""

from collections.abc import Iterable, Iterator
from oxy.typed import Final, cast

import msgpack

from oxy.codec.form import byte_string, integer, many
from oxy.codec.form import row as fields
from oxy.repo.tables import HEADER, HEADERS, key
from oxy.store.protocol import IndexWriter, Reader

SPAN: Final = 64
"""Changes of a row: those whose numbers, divided by it, are the same."""

_LEVEL: Final = 12
_FORM: Final = many(fields(integer, byte_string))
_LIMIT: Final = SPAN * (1 << 13)


def pack(rows: list[tuple[int, bytes]]) -> bytes:
    """Return the row of several."""
    from oxy.store.frame import packer

    return packer(_LEVEL).compress(msgpack.packb(rows))


def unpack(packed: bytes) -> list[tuple[int, bytes]]:
    """Return the rows that one holds; none, where it is damaged: changes have them too."""
    from oxy.store import zstd

    try:
        if zstd.get_frame_parameters(packed).content_size > _LIMIT:
            return []
        opener = zstd.ZstdDecompressor(max_window_size=_LIMIT)
        found: object = msgpack.unpackb(opener.decompress(packed), use_list=False)
    except (zstd.ZstdError, ValueError, TypeError):
        return []
    return list(cast("tuple[tuple[int, bytes], ...]", found)) if _FORM(found) else []


def header_rows(reader: Reader, changes: Iterable[int]) -> dict[int, bytes]:
    """Return the header rows of those changes that have one. Cost: two queries for many."""
    wanted = list(changes)
    own = reader.rows_many(HEADER, map(key, wanted))
    found = {int.from_bytes(row_key, "big"): row for row_key, row in own.items()}
    rest = {change for change in wanted if change not in found}
    if rest:
        spans = sorted({change // SPAN for change in rest})
        for packed in reader.rows_many(HEADERS, map(key, spans)).values():
            found.update((change, held) for change, held in unpack(packed) if change in rest)
    return found


def rows_down(reader: Reader, change: int) -> Iterator[tuple[int, bytes]]:
    """Yield (number, header row) of a change and of those before it, descending.

    Where some rows are missing they are passed over. Cost: a row for each, or for each SPAN.
    """
    for row_key, row in reader.rows(HEADER, reverse=True, after=key(change + 1)):
        yield int.from_bytes(row_key, "big"), row
    for span in range(change // SPAN, -1, -1):
        held = reader.row(HEADERS, key(span))
        for number, row in reversed(unpack(held)) if held is not None else ():
            if number <= change:
                yield number, row


def count_packed(reader: Reader) -> int:
    """Return how many header rows are in others. Cost: opens all of them."""
    return sum(len(unpack(row)) for _, row in reader.rows(HEADERS))


def pack_headers(writer: IndexWriter, newest: int) -> int:
    """Put the rows of full spans together; return how many rows went into others.

    Cost: the rows that are not together yet.
    """
    first = next(writer.rows(HEADER), None)
    begin = newest if first is None else int.from_bytes(first[0], "big")
    packed = 0
    for span in range(begin // SPAN, (newest + 1) // SPAN):
        numbers = range(span * SPAN, (span + 1) * SPAN)
        own = writer.rows_many(HEADER, map(key, numbers))
        if not own:
            continue
        rows = header_rows(writer, numbers)
        writer.put(HEADERS, key(span), pack(sorted(rows.items())))
        for row_key in own:
            writer.delete(HEADER, row_key)
        packed += len(own)
    return packed
