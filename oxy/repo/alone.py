"""Nodes that only one change ever touched, read without graph or registers (spec: CP27).

After a first commit that is every node, and in most trees it is most of them. Nothing can be in
conflict in such a node: it is what the change made it, wherever the change is.
"""

from __future__ import annotations

from oxy.typed import TYPE_CHECKING, Final, NamedTuple

import msgpack

from oxy.model.operation import FINAL_LF, KIND_TEXT, MODE, PLACE, BlobRef
from oxy.repo.gathered import between
from oxy.repo.tables import NODE, TOUCH, WRITE, key, number, pair, unpair
from oxy.store.limits import PIECE_SIZE
from oxy.store.protocol import BLOB

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyroaring import BitMap

    from oxy.model.operation import Content, NodeEdit
    from oxy.repo.nodes import Nodes
    from oxy.store.protocol import Reader

BATCH: Final = 1024
"""Nodes whose rows are held at once."""

_KEY: Final = 4


class Made(NamedTuple):
    """A node as the change made it: its kind, the place that it was given, and its mode."""

    change: int
    kind: int
    place: bytes
    mode: int


def made_alone(reader: Reader, first: int, last: int) -> Iterator[tuple[int, Made]]:
    """Yield (node, what it is) of the nodes of a range that one change alone touches.

    Cost: the rows of the range, hundreds a query; memory for `BATCH` nodes.
    """
    for start in range(first, last + 1, BATCH):
        yield from _batch(reader, start, min(start + BATCH - 1, last))


def _batch(reader: Reader, first: int, last: int) -> Iterator[tuple[int, Made]]:
    touched: dict[bytes, bytes | None] = {}
    for row_key, _ in between(reader, TOUCH, pair(first, 0), last):
        node, change = row_key[:_KEY], row_key[_KEY:]
        touched[node] = None if node in touched else change
    written = dict(between(reader, WRITE, pair(first, 0), last))
    nodes = dict(between(reader, NODE, key(first - 1), last))
    for node, by in touched.items():
        row, write = nodes.get(node), written.get(node + (by or b""))
        if by is None or row is None or write is None:
            continue
        values = {register: value for register, value, _ in msgpack.unpackb(write)}
        if unpair(row[32:40])[0] == number(by) and isinstance(values.get(PLACE), bytes):
            made = Made(number(by), number(row), values[PLACE], values.get(MODE, 0))
            yield number(node), made


class Sole(NamedTuple):
    """What is in such a file: its kind, and its bytes, which end in LF if it says so.

    The LF after the last line of a text is among the bytes even where the file has none.
    """

    kind: int
    content: Content
    final_lf: int

    @property
    def digest(self) -> bytes | None:
        """The digest of the file's bytes, where its blob tells it."""
        if isinstance(self.content, BlobRef) and (self.kind != KIND_TEXT or self.final_lf):
            return self.content.id
        return None


def sole(nodes: Nodes, node: int, state: BitMap) -> Sole | None:
    """Return what is in a file that only one change touches, if a state has that.

    Cost: two rows, and the part of the change that is about the node.
    """
    rows = nodes.touching(node)
    first = next(rows, None)
    if first is None or first[0] not in state or next(rows, None) is not None:
        return None
    edit = nodes.edit_at(*first)
    return None if edit.created is None else _content(edit, edit.created)


def soles(nodes: Nodes, wanted: Sequence[int], state: BitMap) -> dict[int, Sole]:
    """Return what is in those of some files that only one change touches, if a state has it.

    Cost: a query for hundreds, where their numbers are close; else as `sole`.
    """
    nodes.gathered.load(wanted)
    found = ((node, sole(nodes, node, state)) for node in wanted)
    return {node: held for node, held in found if held is not None}


def _content(edit: NodeEdit, kind: int) -> Sole:
    held, final_lf = edit.content, 1
    for register, value, _ in edit.writes:
        if register == FINAL_LF:
            final_lf = int(value == 1)
        elif register not in (PLACE, MODE) and isinstance(value, bytes | BlobRef):
            held = value
    return Sole(kind, held or b"", final_lf)


def chunks(nodes: Nodes, found: Sole) -> Iterator[bytes]:
    """Yield the bytes of such a file in pieces. Cost: memory for two of them."""
    source = found.content
    return _shown(
        found, nodes.blob_chunks(source) if isinstance(source, BlobRef) else (source,)
    )


def _shown(found: Sole, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces of content as the file has them."""
    held = b""
    for chunk in pieces:
        if held:
            yield held
        held = chunk
    if found.kind == KIND_TEXT and not found.final_lf:
        held = held[:-1]
    if held:
        yield held


def read_together(nodes: Nodes, found: Sequence[Sole]) -> Iterator[Iterator[bytes]]:
    """Yield the bytes, in pieces, of many such files.

    Cost: two queries for hundreds; memory for a frame, and two pieces of one file.

    Raises:
        MissingBlobError: a blob is not stored.
    """
    refs = [each.content for each in found if isinstance(each.content, BlobRef)]
    small = [ref for ref in refs if ref.length <= PIECE_SIZE]
    nodes.stock.foresee(refs)
    numbers = nodes.reader.numbers_of(BLOB, [ref.id for ref in small])
    missing = next((ref for ref in small if ref.id not in numbers), None)
    if missing is not None:
        from oxy.repo.lacking import MissingBlobError

        raise MissingBlobError(missing)
    blobs = nodes.reader.read_many(BLOB, [numbers[ref.id] for ref in small])
    for each in found:
        source = each.content
        if not isinstance(source, BlobRef):
            yield _shown(each, (source,))
        elif source.length <= PIECE_SIZE:
            yield _shown(each, (next(blobs),))
        else:
            yield chunks(nodes, each)
