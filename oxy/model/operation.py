"""What a change does to nodes: creations, register writes, edits of text (spec: model). Pure.

Operations name other changes by *reference*: 0 is the change itself, 1 to D its dependencies in
order, above D the changes that it names weakly. While a change is being recorded its references
are change numbers instead, which `rewrite` turns into references. Ranges of lines are
(reference, first index, size).
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from oxy.model.digest import BlobId

SELF: Final = 0
"""The reference by which a change names itself."""

IN: Final = 0
TEXT: Final = 1
OUT: Final = 2

PLACE: Final = 1
MODE: Final = 2
BYTES: Final = 3
FINAL_LF: Final = 4
TARGET: Final = 5
PIN: Final = 6
KIND: Final = 7

KIND_TEXT: Final = 1
KIND_BINARY: Final = 2
KIND_SYMLINK: Final = 3
KIND_SUBREPO: Final = 4

DIRECTORY: Final = -1
"""In a node reference: the index is a position in the change's list of directories."""


class BlobRef(NamedTuple):
    """Bytes that are stored beside the change: their digest and their length."""

    id: BlobId
    length: int


Content: TypeAlias = bytes | BlobRef


class Point(NamedTuple):
    """One of the three points of a line: IN, TEXT or OUT (spec: graph)."""

    change: int
    line: int
    side: int


class Lines(NamedTuple):
    """Consecutive lines of one change."""

    change: int
    start: int
    size: int


class Insert(NamedTuple):
    """A block of new lines between two points; None is START on the left, END on the right."""

    size: int
    left: Point | None
    right: Point | None


class Hunk(NamedTuple):
    """Lines that were one stretch when they were deleted, and the block that replaced them."""

    lines: tuple[Lines, ...]
    block: int | None


class Restore(NamedTuple):
    """Lines whose deletions by the named changes no longer count."""

    lines: Lines
    deletions: tuple[int, ...]


class Order(NamedTuple):
    """Line a comes before line b; with inside, b lies between the text and the out of a."""

    a_change: int
    a_index: int
    b_change: int
    b_index: int
    inside: int


class Unorder(NamedTuple):
    """An earlier order operation, by its change and position, that no longer counts."""

    change: int
    position: int


class Settle(NamedTuple):
    """Pairs (or triples, with a keeper) of the conflict rules that are as meant."""

    lines: Lines
    deletion: int
    keeper: int | None


class TextEdit(NamedTuple):
    """All that one change does to one text; its new lines count from 0 through the blocks."""

    lines: int = 0
    inserts: tuple[Insert, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    restores: tuple[Restore, ...] = ()
    orders: tuple[Order, ...] = ()
    unorders: tuple[Unorder, ...] = ()
    settles: tuple[Settle, ...] = ()
    keeps: tuple[Lines, ...] = ()


class Place(NamedTuple):
    """Where a node is: a directory of the change's list (0 is the root) and a name in it."""

    parent: int
    name: bytes


Value: TypeAlias = Place | BlobRef | bytes | int | None


class Write(NamedTuple):
    """A register write: code, value, and the changes whose writes it replaces."""

    register: int
    value: Value
    replaces: tuple[int, ...] = ()


class NodeRef(NamedTuple):
    """The node at a position among those a change created, or (DIRECTORY, position)."""

    change: int
    position: int


class Directory(NamedTuple):
    """A directory that operations name: its parent's position (0 is the root), name and k."""

    parent: int
    name: bytes
    k: int = 0


class NodeEdit(NamedTuple):
    """All that one change does to one node; `created` is the kind where it creates it."""

    node: NodeRef
    created: int | None = None
    writes: tuple[Write, ...] = ()
    text: TextEdit | None = None
    content: Content | None = None


Rename: TypeAlias = Callable[[int], int]


def _point(point: Point | None, ref: Rename) -> Point | None:
    return point and Point(ref(point.change), point.line, point.side)


def _lines(lines: Lines, ref: Rename) -> Lines:
    return Lines(ref(lines.change), lines.start, lines.size)


def _settle(settle: Settle, ref: Rename) -> Settle:
    keeper = None if settle.keeper is None else ref(settle.keeper)
    return Settle(_lines(settle.lines, ref), ref(settle.deletion), keeper)


def rewrite_text(edit: TextEdit, ref: Rename) -> TextEdit:
    """Return the edit with every change that it names passed through ref.

    Cost: one call a reference.
    """
    return TextEdit(
        edit.lines,
        tuple(Insert(i.size, _point(i.left, ref), _point(i.right, ref)) for i in edit.inserts),
        tuple(Hunk(tuple(_lines(x, ref) for x in h.lines), h.block) for h in edit.hunks),
        tuple(
            Restore(_lines(r.lines, ref), tuple(sorted(map(ref, r.deletions))))
            for r in edit.restores
        ),
        tuple(
            Order(ref(o.a_change), o.a_index, ref(o.b_change), o.b_index, o.inside)
            for o in edit.orders
        ),
        tuple(sorted(Unorder(ref(u.change), u.position) for u in edit.unorders)),
        tuple(_settle(s, ref) for s in edit.settles),
        tuple(_lines(k, ref) for k in edit.keeps),
    )
