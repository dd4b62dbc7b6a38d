"""Targets for what a store, its caches and the notes of a working copy hold."""

from collections.abc import Iterable
from typing import Final

import msgpack
from pyroaring import BitMap
from xxhash import xxh3_64_digest

from oxy.graph.pack import VERSION, pack, unpack
from oxy.graph.text import EDGE, Block, Deed, TextGraph
from oxy.graph.weave import SHIFT
from oxy.repo.operations import said
from oxy.repo.packs import pack as pack_rows
from oxy.repo.packs import unpack as unpack_rows
from oxy.repo.place import Home, pointer, pointing
from oxy.repo.refs import Target as Held
from oxy.repo.refs import pack_target, unpack_target
from oxy.repo.states import Link, Name, applied, pack_link, unpack_link
from oxy.store.frame import (
    FIRST_PIECE,
    HEAD_SIZE,
    RECORDS,
    packer,
    parse_head,
    seal,
    unpacker,
    unseal,
)
from oxy.store.protocol import BLOB
from oxy.store.record import (
    first_piece,
    next_piece,
    parse_first,
    parse_next,
    record,
    records_in,
)
from oxy.store.segment import pack_header, parse_header
from oxy.worktree import moves, resolutions, switching, tracking
from oxy.worktree.listing import RECORD
from oxy.worktree.manifest import Manifest
from oxy.worktree.row import Entry, Row
from tests.fuzz.received import try_each
from tests.fuzz.target import FOLDER, ID, Target

_PACK: Final = packer(3)
_UNPACK: Final = unpacker()


def _frame(data: bytes) -> None:
    head = parse_head(data, 1, 0)
    unseal(head, data[:HEAD_SIZE], data[HEAD_SIZE:], _UNPACK, 1, 0)


def _frame_seeds() -> Iterable[bytes]:
    yield seal(RECORDS, record(BLOB, ID, b"text\n" * 90), _PACK)
    yield seal(FIRST_PIECE, first_piece(BLOB, ID, 9, b"x"), _PACK)


def _record(data: bytes) -> None:
    for read in (records_in, parse_first, parse_next):
        try_each(lambda raw, read=read: read(raw, 1, 0), data)  # type: ignore[misc]


def _record_seeds() -> Iterable[bytes]:
    yield record(BLOB, ID, b"text") + record(BLOB, ID[::-1], b"")
    yield first_piece(BLOB, ID, 9, b"x")
    yield next_piece(BLOB, ID, 1, b"x")


def _sealed(body: bytes) -> bytes:
    return bytes([VERSION]) + xxh3_64_digest(body) + body


def _graph(data: bytes) -> None:
    try_each(unpack, data)
    graph = unpack(_sealed(data))
    for change in graph.touched:
        graph.deeds[change]


def _graph_seeds() -> Iterable[bytes]:
    graph = TextGraph()
    graph.apply(1, Deed((), (Block(1 << SHIFT, 3, EDGE, EDGE),)))
    packed = pack(graph)
    yield packed[1 + 8 :]


def _manifest(data: bytes) -> None:
    with FOLDER.holding("manifest", data) as folder:
        manifest = Manifest.load(folder + b"/manifest")
        for directory in manifest.directories():
            row = manifest.row(directory)
            if row is not None:
                list(row.entries())


def _manifest_seeds() -> Iterable[bytes]:
    with FOLDER.holding("fresh", b"") as folder:
        manifest = Manifest(folder + b"/fresh")
        entry = Entry(b"f", bytes(RECORD.size), bytes(16), bytes(32))
        manifest.update([Row.of(b"d", [entry], 1)], (), b"state")
        with open(folder + b"/fresh", "rb") as file:
            yield file.read()


def _notes(data: bytes) -> None:
    for name, read in (
        ("moves", moves.read),
        ("switching", switching.read),
        ("tracked", tracking.read),
    ):
        with FOLDER.holding(name, data) as folder:
            read(folder)
    with FOLDER.holding("resolutions", data) as folder:
        resolutions.read(folder, b"state")
    with FOLDER.holding("store", data) as folder:
        pointer(folder)


def _note_seeds() -> Iterable[bytes]:
    yield msgpack.packb([(ID, b"old", b"new")])
    yield msgpack.packb((b"state", [(b"path", 1)]))
    yield b"61 62 63\nswitch\n\0" + msgpack.packb([(b"p", b"data", [(1, 2, 3)])])
    yield b"+kept\0-left\0"
    yield pointing(Home(b"/store/.oxy", b"name"))


def _operation_seeds() -> Iterable[bytes]:
    held = ((ID,), (), ((b"k", b"v"),), b"main")
    yield msgpack.packb((1, 5, 60, b"ada", b"commit", None, ((1, b"main", None, held),)))


TARGETS: Final = {
    "frame": Target(_frame, _frame_seeds),
    "record": Target(_record, _record_seeds),
    "header-rows": Target(
        lambda data: unpack_rows(data) + unpack_rows(_PACK.compress(data)),
        lambda: (pack_rows([(1, b"row"), (2, b"")]), msgpack.packb([(1, b"row"), (2, b"")])),
    ),
    "segment": Target(lambda data: parse_header(data, 1), lambda: (pack_header(1, (0, 0)),)),
    "graph": Target(_graph, _graph_seeds),
    "manifest": Target(_manifest, _manifest_seeds),
    "notes": Target(_notes, _note_seeds),
    "operation": Target(said, _operation_seeds),
    "name-row": Target(
        unpack_target, lambda: (pack_target(Held(Name((1,)), ((b"k", b"v"),))),)
    ),
    "state-row": Target(
        lambda data: applied(BitMap([1, 2, 9]), 5, data),
        lambda: (
            b"=" + BitMap([1, 2, 70_000]).serialize(),
            b"~\1\0\0\0\1" + BitMap([3]).serialize(),
        ),
    ),
    "link-row": Target(unpack_link, lambda: (pack_link(Link(Name((1, 2), (3,)), (1,))),)),
}
