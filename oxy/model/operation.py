"""What a change does to nodes: creations, register writes, edits of text (spec: model). Pure.

Operations name other changes by *reference*: 0 is the change itself, 1 to D its dependencies in
order, above D the changes that it names weakly. While a change is being recorded its references
are change numbers instead, which `rewrite` turns into references. Ranges of lines are
(reference, first index, size).
"""

from collections.abc import Callable, Iterable
from oxy.typed import Final, NamedTuple, TypeAlias

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


def names_weakly(edit: NodeEdit) -> bool:
    """Tell whether an edit may name changes that it does not depend on (M22)."""
    text = edit.text
    return text is not None and bool(
        text.restores or text.unorders or text.settles or text.keeps
    )


Rename: TypeAlias = Callable[[int], int]


def _point(point: Point | None, ref: Rename) -> Point | None:
    return point and Point(ref(point.change), point.line, point.side)


def _lines(lines: Lines, ref: Rename) -> Lines:
    return Lines(ref(lines.change), lines.start, lines.size)


def _joined(ranges: Iterable[Lines]) -> tuple[Lines, ...]:
    """Return a set of lines as its fewest ranges, ascending."""
    joined: list[Lines] = []
    for lines in sorted(ranges):
        last = joined[-1] if joined else None
        if last is None or last.change != lines.change or last.start + last.size < lines.start:
            joined.append(lines)
        else:
            end = max(last.start + last.size, lines.start + lines.size)
            joined[-1] = last._replace(size=end - last.start)
    return tuple(joined)


def _restores(restores: Iterable[Restore], ref: Rename) -> tuple[Restore, ...]:
    alike: dict[tuple[int, ...], list[Lines]] = {}
    for lines, deletions in restores:
        named = tuple(sorted(map(ref, deletions)))
        alike.setdefault(named, []).append(_lines(lines, ref))
    joined = [Restore(part, named) for named, x in alike.items() for part in _joined(x)]
    return tuple(sorted(joined))


def _settles(settles: Iterable[Settle], ref: Rename) -> tuple[Settle, ...]:
    alike: dict[tuple[int, bool, int], list[Lines]] = {}
    for lines, deletion, keeper in settles:
        named = (ref(deletion), keeper is not None, 0 if keeper is None else ref(keeper))
        alike.setdefault(named, []).append(_lines(lines, ref))
    return tuple(
        Settle(part, deletion, keeper if kept else None)
        for (deletion, kept, keeper), ranges in sorted(alike.items())
        for part in _joined(ranges)
    )


def _hunk(hunk: Hunk, ref: Rename) -> Hunk:
    """Return the hunk renamed; its ranges keep their order, which is that of the text."""
    joined: list[Lines] = []
    for lines in hunk.lines:
        part = _lines(lines, ref)
        last = joined[-1] if joined else None
        if last and last.change == part.change and last.start + last.size == part.start:
            joined[-1] = last._replace(size=last.size + part.size)
        else:
            joined.append(part)
    return Hunk(tuple(joined), hunk.block)


def rewrite_text(edit: TextEdit, ref: Rename) -> TextEdit:
    """Return the edit with every change that it names passed through ref, in its one form.

    Sets of lines come out as their fewest ranges, ascending; hunks ascend by their first lines.
    Inserts and orders keep their positions, by which others name them. A line is to be in one
    restore at most.
    Cost: one call a reference, and sorts of what the edit lists.
    """
    return TextEdit(
        edit.lines,
        tuple(Insert(i.size, _point(i.left, ref), _point(i.right, ref)) for i in edit.inserts),
        tuple(sorted((_hunk(hunk, ref) for hunk in edit.hunks), key=_first_lines)),
        _restores(edit.restores, ref),
        tuple(
            Order(ref(o.a_change), o.a_index, ref(o.b_change), o.b_index, o.inside)
            for o in edit.orders
        ),
        tuple(sorted(Unorder(ref(u.change), u.position) for u in edit.unorders)),
        _settles(edit.settles, ref),
        _joined(_lines(lines, ref) for lines in edit.keeps),
    )


def _first_lines(hunk: Hunk) -> tuple[Lines, ...]:
    return hunk.lines
