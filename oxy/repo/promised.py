"""Blobs that changes here name and that are to be had from a remote (spec: sync, SY29, SY87).

A row for each tells what the changes say of it, so that it is checked when it comes as if it
had come with them. The rows follow from the changes and from what is not stored: `learn` makes
them again.
"""

from collections.abc import Iterator
from oxy.typed import NamedTuple

import msgpack

from oxy.codec.decode import read
from oxy.codec.inline import contents
from oxy.model.digest import BlobId
from oxy.model.operation import BlobRef, NodeEdit
from oxy.repo.tables import PROMISED
from oxy.store.protocol import BLOB, CHANGE, IndexWriter, Reader

_TOGETHER = 512


class Lacked(NamedTuple):
    """How many blobs are lacked, and their bytes."""

    blobs: int
    size: int


class Promises:
    """The rows of blobs that are lacked, in one transaction."""

    __slots__ = ("_writer",)

    def __init__(self, writer: IndexWriter) -> None:
        self._writer = writer

    def note(self, ref: BlobRef, lines: int | None) -> str | None:
        """Note what a change says of a blob that is not here; return the rule it breaks.

        Args:
            ref: the blob.
            lines: how many lines it is to have; None where it is no text.
        """
        row = self._writer.row(PROMISED, ref.id)
        length, known = (ref.length, None) if row is None else _unpack(row)
        if length != ref.length:
            return f"it says that blob {ref.id.hex()} has {ref.length} bytes"
        if None not in (known, lines) and known != lines:
            return f"it says that blob {ref.id.hex()} has {lines} lines"
        self._writer.put(PROMISED, ref.id, _pack(length, lines if known is None else known))
        return None

    def note_edit(self, edit: NodeEdit) -> None:
        """Note the blobs of an edit that are not here; its change is."""
        for content in contents(edit):
            if (
                isinstance(content, BlobRef)
                and self._writer.number_of(BLOB, content.id) is None
            ):
                self.note(content, _lines(edit, content))

    def settle(self, name: BlobId, size: int, lines: int, *, ends: bool) -> str | None:
        """Take a blob that came; return the rule that it breaks of those told by changes."""
        row = self._writer.row(PROMISED, name)
        if row is None:
            return None
        length, wanted = _unpack(row)
        if size != length:
            return f"a change says that it has {length} bytes"
        if wanted is not None and (lines != wanted or not ends):
            return f"a change says that it has {wanted} lines"
        self._writer.delete(PROMISED, name)
        return None


def lacked(reader: Reader) -> Iterator[BlobRef]:
    """Yield the blobs that are lacked, ascending. Cost: their rows, hundreds a query."""
    some: list[BlobRef] = []
    for name, row in reader.rows(PROMISED):
        some.append(BlobRef(BlobId(name), _unpack(row)[0]))
        if len(some) >= _TOGETHER:
            yield from _absent(reader, some)
            some = []
    yield from _absent(reader, some)


def count(reader: Reader) -> Lacked:
    """Return how much is lacked. Cost: as `lacked`."""
    sizes = [ref.length for ref in lacked(reader)]
    return Lacked(len(sizes), sum(sizes))


def learn(writer: IndexWriter) -> None:
    """Make the rows anew from the changes. Cost: reads every change, looks for blobs."""
    for name in [name for name, _ in writer.rows(PROMISED)]:
        writer.delete(PROMISED, name)
    promises = Promises(writer)
    gone = set(writer.all_gone(CHANGE))
    there = [at for at in range(1, writer.count(CHANGE) + 1) if at not in gone]
    for payload in writer.read_many(CHANGE, there):
        for edit in read(payload).operations.nodes:
            promises.note_edit(edit)


def _absent(reader: Reader, refs: list[BlobRef]) -> Iterator[BlobRef]:
    there = reader.numbers_of(BLOB, [ref.id for ref in refs])
    return (ref for ref in refs if ref.id not in there)


def _lines(edit: NodeEdit, content: BlobRef) -> int | None:
    return edit.text.lines if edit.text and content is edit.content else None


def _pack(length: int, lines: int | None) -> bytes:
    packed: bytes = msgpack.packb((length, lines))
    return packed


def _unpack(row: bytes) -> tuple[int, int | None]:
    length, lines = msgpack.unpackb(row)
    return length, lines
