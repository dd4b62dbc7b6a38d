"""Changes that obey every rule of the encoding, of every operation and register."""

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from oxy.codec.limits import INLINE, LINES
from oxy.model.change import Context, Header, Moment, Operations
from oxy.model.digest import BlobId, ChangeId
from oxy.model.operation import (
    BYTES,
    DIRECTORY,
    FINAL_LF,
    IN,
    KIND,
    KIND_BINARY,
    KIND_SUBREPO,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    OUT,
    PIN,
    PLACE,
    SELF,
    TARGET,
    TEXT,
    BlobRef,
    Content,
    Directory,
    Hunk,
    Insert,
    Lines,
    NodeEdit,
    NodeRef,
    Order,
    Place,
    Point,
    Restore,
    Settle,
    TextEdit,
    Unorder,
    Value,
    Write,
    rewrite_text,
)

Cell = tuple[int, int]
Path = tuple[tuple[bytes, int], ...]

LAST_NODE = LINES
"""The position of a node that comes after all others of its change."""

digests = st.binary(min_size=32, max_size=32)
indexes = st.integers(0, 9) | st.sampled_from((127, 128, 255, 256, 65535, 65536, LINES - 1))
names = st.binary(min_size=1, max_size=4)


class Reach(NamedTuple):
    """The references in sight: up to strong are dependencies, up to every weak ones."""

    strong: int
    every: int


def _sorted_ids(low: int, high: int) -> st.SearchStrategy[list[bytes]]:
    return st.lists(digests, min_size=low, max_size=high, unique=True).map(sorted)


def _cells(low: int, high: int) -> st.SearchStrategy[Cell]:
    return st.tuples(st.integers(low, high), indexes)


def _lines(cell: Cell) -> Lines:
    return Lines(*cell, 1)


@st.composite
def _hunks(draw: st.DrawFn, reach: Reach) -> list[list[Cell]]:
    cells = draw(st.lists(_cells(1, reach.strong), max_size=6, unique=True))
    hunks: list[list[Cell]] = []
    for cell in cells:
        if not hunks or draw(st.booleans()):
            hunks.append([])
        hunks[-1].append(cell)
    return hunks


@st.composite
def _between(draw: st.DrawFn, reach: Reach) -> Insert:
    size = draw(st.integers(1, 3))
    if not reach.strong:
        return Insert(size, None, None)
    left = draw(st.none() | _cells(1, reach.strong))
    right = draw(st.none() | _cells(1, reach.strong).filter(lambda cell: cell != left))
    return Insert(
        size,
        None if left is None else Point(*left, draw(st.sampled_from((TEXT, OUT)))),
        None if right is None else Point(*right, IN),
    )


@st.composite
def _replacing(draw: st.DrawFn, reach: Reach) -> tuple[list[Insert], list[Hunk]]:
    """Draw blocks and hunks, some of these replaced by one of those."""
    inserts = draw(st.lists(_between(reach), max_size=3))
    hunks: list[Hunk] = []
    for cells in draw(_hunks(reach)) if reach.strong else []:
        block = None
        if draw(st.booleans()):
            block = len(inserts)
            left, right = Point(*cells[-1], TEXT), Point(*cells[-1], OUT)
            inserts.append(Insert(draw(st.integers(1, 3)), left, right))
        hunks.append(Hunk(tuple(map(_lines, cells)), block))
    return inserts, hunks


@st.composite
def _orders(draw: st.DrawFn, reach: Reach, own: int) -> tuple[Order, ...]:
    known = [(SELF, index) for index in range(own)]
    if reach.strong:
        known += draw(st.lists(_cells(1, reach.strong), max_size=3))
    known = sorted(set(known))
    pairs = [(a, b) for place, a in enumerate(known) for b in known[place + 1 :]]
    if not pairs:
        return ()
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=3, unique=True))
    return tuple(Order(*a, *b, draw(st.integers(0, 1))) for a, b in chosen)


@st.composite
def text_edits(draw: st.DrawFn, reach: Reach) -> TextEdit:
    inserts, hunks = draw(_replacing(reach))
    own = sum(insert.size for insert in inserts)
    edit = TextEdit(own, tuple(inserts), tuple(hunks), orders=draw(_orders(reach, own)))
    if reach.strong:
        refs = st.integers(1, reach.every)
        line = _cells(1, reach.every)
        some = st.lists(refs, min_size=1, max_size=3, unique=True)
        restored = draw(st.dictionaries(_cells(1, reach.strong), some, max_size=3))
        unordered = draw(st.lists(st.tuples(refs, indexes), max_size=2, unique=True))
        settled = draw(st.lists(st.tuples(line, refs, st.none() | refs), max_size=3))
        edit = edit._replace(
            restores=tuple(Restore(_lines(c), tuple(d)) for c, d in restored.items()),
            unorders=tuple(Unorder(*one) for one in unordered),
            settles=tuple(Settle(_lines(c), d, k) for c, d, k in settled),
            keeps=tuple(map(_lines, draw(st.lists(line, max_size=3)))),
        )
    return rewrite_text(edit, lambda ref: ref)


@st.composite
def contents(draw: st.DrawFn, lines: int) -> Content | None:
    if not lines:
        return None
    if draw(st.booleans()):
        return BlobRef(BlobId(draw(digests)), draw(st.integers(INLINE, 1 << 20)))
    line = st.binary(max_size=5).map(lambda text: text.replace(b"\n", b"\r") + b"\n")
    return b"".join(draw(st.lists(line, min_size=lines, max_size=lines)))


@st.composite
def _edits(draw: st.DrawFn, reach: Reach) -> tuple[TextEdit | None, Content | None]:
    edit = draw(text_edits(reach))
    if edit == TextEdit():
        return None, None
    return edit, draw(contents(edit.lines))


def _held(register: int, directories: int) -> st.SearchStrategy[Value]:
    blob = st.builds(BlobRef, digests.map(BlobId), st.integers(INLINE, 1 << 40))
    every: dict[int, st.SearchStrategy[Value]] = {
        PLACE: st.builds(Place, st.integers(0, directories), names),
        MODE: st.integers(0, 1),
        BYTES: st.binary(max_size=8) | blob,
        FINAL_LF: st.integers(0, 1),
        TARGET: st.binary(max_size=8),
        PIN: st.binary(max_size=8),
        KIND: st.integers(KIND_TEXT, KIND_SUBREPO),
    }
    return every[register]


@st.composite
def _writes(
    draw: st.DrawFn, codes: Sequence[int], directories: int, strong: int
) -> tuple[Write, ...]:
    refs = st.sets(st.integers(1, strong), max_size=3) if strong else st.just(set[int]())
    return tuple(
        Write(code, draw(_held(code, directories)), tuple(sorted(draw(refs)))) for code in codes
    )


@st.composite
def _created(draw: st.DrawFn, position: int, directories: int) -> NodeEdit:
    kind = draw(st.integers(KIND_TEXT, KIND_SUBREPO))
    codes = {
        KIND_TEXT: ((PLACE,), (PLACE, MODE), (PLACE, MODE, FINAL_LF)),
        KIND_BINARY: ((PLACE, BYTES), (PLACE, MODE, BYTES)),
        KIND_SYMLINK: ((PLACE, TARGET),),
        KIND_SUBREPO: ((PLACE, PIN),),
    }
    writes = draw(_writes(draw(st.sampled_from(codes[kind])), directories, 0))
    node = NodeEdit(NodeRef(SELF, position), kind, writes)
    if kind != KIND_TEXT:
        return node
    text, content = draw(_edits(Reach(0, 0)))
    return node._replace(text=text, content=content)


@st.composite
def _known(draw: st.DrawFn, ref: NodeRef, reach: Reach, directories: int) -> NodeEdit:
    codes = sorted(draw(st.sets(st.integers(PLACE, KIND), min_size=1, max_size=3)))
    writes = draw(_writes(codes, directories, reach.strong))
    text, content = draw(_edits(reach))
    if text is not None and draw(st.booleans()):
        writes = ()
    elif writes[0].register == PLACE and draw(st.booleans()):
        writes = (writes[0]._replace(value=None), *writes[1:])
    return NodeEdit(ref, None, writes, text, content)


@st.composite
def _directories(draw: st.DrawFn) -> tuple[Directory, ...]:
    part = st.tuples(names, st.integers(0, 2))
    drawn = draw(st.lists(st.lists(part, min_size=1, max_size=3).map(tuple), max_size=3))
    paths: list[Path] = sorted({path[:size] for path in drawn for size in range(1, 4)})
    position = {path: place for place, path in enumerate(paths, 1)}
    return tuple(Directory(position.get(path[:-1], 0), *path[-1]) for path in paths)


def _used(reach: Reach) -> tuple[NodeEdit, ...]:
    """Return an edit that names every reference, as each that is listed must be."""
    if not reach.every:
        return ()
    unorders = tuple(Unorder(ref, 0) for ref in range(1, reach.every + 1))
    return (NodeEdit(NodeRef(1, LAST_NODE), None, (), TextEdit(unorders=unorders)),)


@st.composite
def _operations(draw: st.DrawFn, weak: tuple[ChangeId, ...], strong: int) -> Operations:
    reach = Reach(strong, strong + len(weak))
    directories = draw(_directories())
    size = len(directories)
    created = [draw(_created(n, size)) for n in range(draw(st.integers(0, 2)))]
    cells = draw(st.sets(_cells(1, strong), max_size=2)) if strong else ()
    known = [draw(_known(NodeRef(*cell), reach, size)) for cell in cells]
    moved = [
        NodeEdit(NodeRef(DIRECTORY, n), None, draw(_writes((PLACE,), size, strong)))
        for n in range(1, size + 1)
    ]
    return Operations(
        weak,
        directories,
        (*created, *sorted((*known, *_used(reach)), key=lambda edit: edit.node), *moved),
    )


@st.composite
def headers(draw: st.DrawFn, deps: tuple[ChangeId, ...]) -> Header:
    ids = draw(_sorted_ids(0, 3))
    split = draw(st.integers(0, len(ids)))
    keys = draw(st.sets(st.sampled_from((b"git:commit", b"git:tree", b"x:y")), max_size=2))
    author = draw(st.binary(max_size=12))
    return Header(
        author.translate(None, b"\n\r\0"),
        Moment(draw(st.integers(-(1 << 63), (1 << 63) - 1)), draw(st.integers(-900, 900))),
        draw(st.binary(max_size=40)),
        deps,
        Context(tuple(map(ChangeId, ids[:split])), tuple(map(ChangeId, ids[split:]))),
        tuple((key, draw(st.binary(max_size=300))) for key in sorted(keys)),
    )


@st.composite
def changes(draw: st.DrawFn) -> tuple[Header, Operations]:
    """Draw the parts of a change that `encode` takes."""
    ids = draw(_sorted_ids(0, 5))
    strong = draw(st.integers(min(1, len(ids)), len(ids)))
    order = draw(st.permutations(ids))
    deps = tuple(map(ChangeId, sorted(order[:strong])))
    weak = tuple(map(ChangeId, sorted(order[strong:])))
    return draw(headers(deps)), draw(_operations(weak, strong))
