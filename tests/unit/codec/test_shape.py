import pytest

from oxy.codec.limits import (
    AUTHOR,
    BLOB,
    DEPTH,
    INLINE,
    INLINE_TOTAL,
    KEY,
    LINES,
    MESSAGE,
    NAME,
    TEXT,
)
from oxy.codec.shape import check_header, check_operations
from oxy.model.change import Context, Header, Moment, Operations
from oxy.model.digest import BlobId, ChangeId
from oxy.model.operation import (
    BYTES,
    DIRECTORY,
    FINAL_LF,
    KIND,
    KIND_BINARY,
    KIND_SUBREPO,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PIN,
    PLACE,
    SELF,
    TARGET,
    BlobRef,
    Directory,
    Hunk,
    Insert,
    Lines,
    NodeEdit,
    NodeRef,
    Place,
    TextEdit,
    Value,
    Write,
)

IDS = tuple(ChangeId(bytes([n]) * 32) for n in range(6))
NOW = Moment(0, 0)
PLAIN = Header(b"Ann", NOW, b"m")
TWO = Header(b"Ann", NOW, b"m", IDS[:2])
AT_ROOT = Write(PLACE, Place(0, b"f"))
GONE = Write(PLACE, None)
BIG = BlobRef(BlobId(bytes(32)), INLINE)


def _new(*writes: Write, kind: int | None = KIND_TEXT, position: int = 0) -> NodeEdit:
    return NodeEdit(NodeRef(SELF, position), kind, writes)


def _known(*writes: Write, change: int = 1, position: int = 0) -> NodeEdit:
    return NodeEdit(NodeRef(change, position), None, writes)


def _ops(*nodes: NodeEdit, directories: tuple[Directory, ...] = ()) -> Operations:
    return Operations((), directories, nodes)


def _text(edit: TextEdit, content: bytes | BlobRef | None) -> Operations:
    return _ops(_new(AT_ROOT)._replace(text=edit, content=content))


def _block(lines: int) -> TextEdit:
    return TextEdit(lines, (Insert(lines, None, None),))


def _many(*held: int | BlobRef) -> Operations:
    """Create binaries and texts by turns, inline where only a size is given."""
    nodes: list[NodeEdit] = []
    for position, each in enumerate(held):
        content = b"x" * (each - 1) + b"\n" if isinstance(each, int) else each
        if position % 2:
            new = _new(AT_ROOT, position=position)
            nodes.append(new._replace(text=_block(1), content=content))
        else:
            writes = (AT_ROOT, Write(BYTES, content))
            nodes.append(_new(*writes, kind=KIND_BINARY, position=position))
    return _ops(*nodes)


FULL = (*[INLINE - 1] * (INLINE_TOTAL // (INLINE - 1)), INLINE_TOTAL % (INLINE - 1))
"""Sizes that fill the room for inline content."""

IDS_RULE = "dependencies, heads or absent ids are not ascending ids"
SIZE_RULE = f"the author is over {AUTHOR} bytes, or the message over {MESSAGE}"
TIME_RULE = "the time does not fit 64 bits, or the UTC offset 32"
BREAK_RULE = "the author has a line break or NUL"
ORDER_RULE = "extra fields are not ascending by key"
KEY_RULE = "the key of an extra field is not namespace:name"

HEADERS = {
    "a dependency of 31 bytes": (PLAIN._replace(deps=(ChangeId(bytes(31)),)), IDS_RULE),
    "dependencies descend": (PLAIN._replace(deps=IDS[1::-1]), IDS_RULE),
    "a dependency twice": (PLAIN._replace(deps=(IDS[0], IDS[0])), IDS_RULE),
    "heads descend": (PLAIN._replace(context=Context(IDS[1::-1])), IDS_RULE),
    "absent ids descend": (PLAIN._replace(context=Context(IDS[3:4], IDS[1::-1])), IDS_RULE),
    "a head is absent": (
        PLAIN._replace(context=Context(IDS[:2], IDS[1:3])),
        "a head of the context is absent from it",
    ),
    "a long author": (PLAIN._replace(author=b"a" * (AUTHOR + 1)), SIZE_RULE),
    "a long message": (PLAIN._replace(message=bytes(MESSAGE + 1)), SIZE_RULE),
    "LF in the author": (PLAIN._replace(author=b"a\nb"), BREAK_RULE),
    "CR in the author": (PLAIN._replace(author=b"a\rb"), BREAK_RULE),
    "NUL in the author": (PLAIN._replace(author=b"a\0b"), BREAK_RULE),
    "a late time": (PLAIN._replace(time=Moment(1 << 63, 0)), TIME_RULE),
    "an early time": (PLAIN._replace(time=Moment(-(1 << 63) - 1, 0)), TIME_RULE),
    "a far offset east": (PLAIN._replace(time=Moment(0, 1 << 31)), TIME_RULE),
    "a far offset west": (PLAIN._replace(time=Moment(0, -(1 << 31) - 1)), TIME_RULE),
    "keys descend": (PLAIN._replace(extra=((b"b:b", b""), (b"a:a", b""))), ORDER_RULE),
    "a key twice": (PLAIN._replace(extra=((b"a:a", b""), (b"a:a", b""))), ORDER_RULE),
    "a key without namespace": (PLAIN._replace(extra=((b":a", b""),)), KEY_RULE),
    "a key without name": (PLAIN._replace(extra=((b"a:", b""),)), KEY_RULE),
    "a key without colon": (PLAIN._replace(extra=((b"a", b""),)), KEY_RULE),
    "a space in a key": (PLAIN._replace(extra=((b"a:b c", b""),)), KEY_RULE),
    "a byte beyond ASCII in a key": (PLAIN._replace(extra=((b"a:\xff", b""),)), KEY_RULE),
    "a long key": (PLAIN._replace(extra=((b"a:" + b"b" * (KEY - 1), b""),)), KEY_RULE),
}


@pytest.mark.parametrize("case", HEADERS)
def test_a_header_breaks_its_rule(case: str) -> None:
    header, rule = HEADERS[case]
    assert check_header(header) == rule


def test_a_header_at_every_limit_passes() -> None:
    header = Header(
        b"a" * AUTHOR,
        Moment((1 << 63) - 1, -(1 << 31)),
        bytes(MESSAGE),
        IDS[:2],
        Context(IDS[2:3], IDS[3:4]),
        ((b"a:" + b"b" * (KEY - 2), b""), (b"b:b", b"")),
    )
    assert check_header(header) is None


WEAK_RULE = "weak ids are not ascending ids, or name dependencies"
USE_RULE = "a dependency or a weak id is listed and nothing names it"
PATH_RULE = "directories do not follow their parents, ascending by path"
DIR_NAME_RULE = f"the name of a directory is empty or over {NAME} bytes, or its k too large"
REF_RULE = "a node reference names no dependency, no directory, or not the next new node"
NODES_RULE = "nodes are not ascending"
KIND_RULE = "a created node has no kind, or no kind has that code"
HOLDS_RULE = "a created node has not its place and exactly what its kind holds"
REPLACES_RULE = "a register write replaces what is not a dependency"
FIT_RULE = "a value does not fit its register"
IDLE_RULE = "a directory is listed and nothing names it"
DIRECTORY_RULE = "a directory has only a place"
CONTENT_RULE = (
    f"content is inline under {INLINE} bytes while all of it is at most {INLINE_TOTAL}, and a"
    " blob from there on"
)
BLOB_RULE = f"a blob has no digest, no bytes, or over {BLOB} bytes"
COUNT_RULE = "the content does not have the lines that the edit says"
PAIR_RULE = "there is content where lines are inserted, and only there"
TEXT_RULE = f"a text is over {TEXT} bytes or has more lines than bytes"
CODES_RULE = "register writes are not ascending by code"

IN_A = _new(Write(PLACE, Place(1, b"f")))
IN_B = _new(Write(PLACE, Place(2, b"f")))
DEEP = tuple(Directory(n, b"d") for n in range(DEPTH + 1))


def _value(register: int, value: Value) -> Operations:
    return _ops(_known(Write(register, value)), _known(GONE, change=2))


OPERATIONS = {
    "weak ids descend": (PLAIN, Operations(IDS[1::-1]), WEAK_RULE),
    "a weak id of 33 bytes": (PLAIN, Operations((ChangeId(bytes(33)),)), WEAK_RULE),
    "a weak id is a dependency": (TWO, Operations(IDS[1:3]), WEAK_RULE),
    "a dependency is idle": (TWO, _ops(_known(GONE)), USE_RULE),
    "a weak id is idle": (PLAIN, Operations(IDS[:1], (), (_new(AT_ROOT),)), USE_RULE),
    "a directory without name": (PLAIN, _ops(directories=(Directory(0, b""),)), DIR_NAME_RULE),
    "a directory of a long name": (
        PLAIN,
        _ops(directories=(Directory(0, b"d" * (NAME + 1)),)),
        DIR_NAME_RULE,
    ),
    "a negative k": (PLAIN, _ops(directories=(Directory(0, b"d", -1),)), DIR_NAME_RULE),
    "a large k": (PLAIN, _ops(directories=(Directory(0, b"d", LINES + 1),)), DIR_NAME_RULE),
    "a directory above itself": (PLAIN, _ops(directories=(Directory(1, b"d"),)), PATH_RULE),
    "a directory of a later one": (
        PLAIN,
        _ops(directories=(Directory(2, b"d"), Directory(0, b"e"))),
        PATH_RULE,
    ),
    "directories descend": (
        PLAIN,
        _ops(directories=(Directory(0, b"e"), Directory(0, b"d"))),
        PATH_RULE,
    ),
    "a directory twice": (
        PLAIN,
        _ops(directories=(Directory(0, b"d"), Directory(0, b"d"))),
        PATH_RULE,
    ),
    "a directory after its parent's sibling": (
        PLAIN,
        _ops(directories=(Directory(0, b"d"), Directory(0, b"e"), Directory(1, b"f"))),
        PATH_RULE,
    ),
    "a directory too deep": (
        PLAIN,
        _ops(directories=DEEP),
        f"a directory is over {DEPTH} levels deep",
    ),
    "a directory is idle": (PLAIN, _ops(IN_A, directories=DEEP[:2]), IDLE_RULE),
    "two created nodes of one number": (
        PLAIN,
        _ops(IN_A, IN_A, directories=DEEP[:1]),
        REF_RULE,
    ),
    "created nodes from 1": (PLAIN, _ops(_new(AT_ROOT, position=1)), REF_RULE),
    "a node of no dependency": (TWO, _ops(_known(GONE, change=3)), REF_RULE),
    "a node beyond 32 bits": (TWO, _ops(_known(GONE, position=LINES + 1)), REF_RULE),
    "a node below zero": (TWO, _ops(_known(GONE, position=-1)), REF_RULE),
    "a change below a directory": (TWO, _ops(_known(GONE, change=-2)), REF_RULE),
    "the root as a node": (PLAIN, _ops(_known(AT_ROOT, change=DIRECTORY)), REF_RULE),
    "a directory that is not listed": (
        PLAIN,
        _ops(_known(AT_ROOT, change=DIRECTORY, position=1)),
        REF_RULE,
    ),
    "nodes descend": (TWO, _ops(_known(GONE, change=2), _known(GONE)), NODES_RULE),
    "a node twice": (TWO, _ops(_known(GONE), _known(GONE)), NODES_RULE),
    "a created node after others": (TWO, _ops(_known(GONE), _new(AT_ROOT)), NODES_RULE),
    "a created node without kind": (PLAIN, _ops(_new(AT_ROOT, kind=None)), KIND_RULE),
    "a kind of no code": (PLAIN, _ops(_new(AT_ROOT, kind=5)), KIND_RULE),
    "a kind for a known node": (
        TWO,
        _ops(_known(GONE)._replace(created=KIND_TEXT)),
        "a kind is given for exactly the nodes that are created",
    ),
    "a created node without place": (PLAIN, _ops(_new()), HOLDS_RULE),
    "a created node that is nowhere": (PLAIN, _ops(_new(GONE)), HOLDS_RULE),
    "a binary without bytes": (PLAIN, _ops(_new(AT_ROOT, kind=KIND_BINARY)), HOLDS_RULE),
    "a symlink without target": (PLAIN, _ops(_new(AT_ROOT, kind=KIND_SYMLINK)), HOLDS_RULE),
    "a subrepo without pin": (PLAIN, _ops(_new(AT_ROOT, kind=KIND_SUBREPO)), HOLDS_RULE),
    "a text with bytes": (PLAIN, _ops(_new(AT_ROOT, Write(BYTES, b""))), HOLDS_RULE),
    "a created node writes its kind": (
        PLAIN,
        _ops(_new(AT_ROOT, Write(KIND, KIND_TEXT))),
        HOLDS_RULE,
    ),
    "a created node replaces": (
        TWO,
        _ops(_new(AT_ROOT._replace(replaces=(1, 2)))),
        "a created node replaces what was written before it",
    ),
    "a symlink with lines": (
        PLAIN,
        _ops(_new(AT_ROOT, Write(TARGET, b""), kind=KIND_SYMLINK)._replace(text=TextEdit())),
        "only a text has lines",
    ),
    "a known node left alone": (
        TWO,
        _ops(_known()),
        "a node is named and nothing is done to it",
    ),
    "a directory with a mode": (
        PLAIN,
        _ops(
            _known(Write(MODE, 0), change=DIRECTORY, position=1),
            directories=(Directory(0, b"d"),),
        ),
        DIRECTORY_RULE,
    ),
    "a directory with a text": (
        PLAIN,
        _ops(
            _known(AT_ROOT, change=DIRECTORY, position=1)._replace(text=_block(1)),
            directories=(Directory(0, b"d"),),
        ),
        DIRECTORY_RULE,
    ),
    "registers descend": (TWO, _ops(_known(Write(MODE, 0), GONE)), CODES_RULE),
    "a register twice": (TWO, _ops(_known(GONE, GONE)), CODES_RULE),
    "a register below the first": (TWO, _value(0, 0), CODES_RULE),
    "a register beyond the last": (TWO, _value(KIND + 1, 1), FIT_RULE),
    "replaced writes descend": (
        TWO._replace(deps=IDS[:3]),
        _ops(_known(GONE._replace(replaces=(1, 3, 2, 3)))),
        "what a register write replaces is not ascending",
    ),
    "a write replaces its own": (
        TWO,
        _ops(_known(GONE._replace(replaces=(0,)))),
        REPLACES_RULE,
    ),
    "a write replaces a weak one": (
        TWO,
        Operations(IDS[2:3], (), (_known(GONE._replace(replaces=(3,))),)),
        REPLACES_RULE,
    ),
    "a place in no directory": (TWO, _value(PLACE, Place(1, b"f")), FIT_RULE),
    "a place below the root": (TWO, _value(PLACE, Place(-1, b"f")), FIT_RULE),
    "a place without name": (TWO, _value(PLACE, Place(0, b"")), FIT_RULE),
    "a place of a long name": (TWO, _value(PLACE, Place(0, b"f" * (NAME + 1))), FIT_RULE),
    "bytes as a place": (TWO, _value(PLACE, b"f"), FIT_RULE),
    "a place as a mode": (TWO, _value(MODE, Place(0, b"f")), FIT_RULE),
    "a mode of 2": (TWO, _value(MODE, 2), FIT_RULE),
    "no mode": (TWO, _value(MODE, None), FIT_RULE),
    "a final LF of -1": (TWO, _value(FINAL_LF, -1), FIT_RULE),
    "a kind of 0": (TWO, _value(KIND, 0), FIT_RULE),
    "a kind of 5": (TWO, _value(KIND, 5), FIT_RULE),
    "a number as bytes": (TWO, _value(BYTES, 1), FIT_RULE),
    "long bytes inline": (TWO, _value(BYTES, bytes(INLINE)), CONTENT_RULE),
    "short bytes as a blob": (
        TWO,
        _value(BYTES, BIG._replace(length=INLINE - 1)),
        CONTENT_RULE,
    ),
    "no bytes as a blob": (TWO, _value(BYTES, BIG._replace(length=0)), FIT_RULE),
    "a blob over the limit": (TWO, _value(BYTES, BIG._replace(length=BLOB + 1)), FIT_RULE),
    "a blob of a short id": (TWO, _value(BYTES, BIG._replace(id=BlobId(b"x"))), FIT_RULE),
    "a blob as a target": (TWO, _value(TARGET, BIG), FIT_RULE),
    "no pin": (TWO, _value(PIN, None), FIT_RULE),
    "a blank edit": (PLAIN, _text(TextEdit(), None), "an edit of a text edits nothing"),
    "content without edit": (
        PLAIN,
        _ops(_new(AT_ROOT)._replace(content=b"a\n")),
        "there is content and no edit that inserts it",
    ),
    "lines without content": (PLAIN, _text(_block(1), None), PAIR_RULE),
    "content without lines": (
        TWO,
        _ops(
            _known(GONE)._replace(
                text=TextEdit(hunks=(Hunk((Lines(2, 0, 1),), None),)), content=b""
            )
        ),
        PAIR_RULE,
    ),
    "long content inline": (PLAIN, _text(_block(1), b"a" * INLINE + b"\n"), CONTENT_RULE),
    "short content as a blob": (
        PLAIN,
        _text(_block(1), BIG._replace(length=INLINE - 1)),
        CONTENT_RULE,
    ),
    "a byte more inline than all may be": (PLAIN, _many(*FULL, 1), CONTENT_RULE),
    "a blob that would fill the room": (
        PLAIN,
        _many(*FULL[:-1], BIG._replace(length=FULL[-1])),
        CONTENT_RULE,
    ),
    "a blob that fits behind one that does not": (
        PLAIN,
        _many(*FULL[:-1], BIG, BIG._replace(length=1)),
        CONTENT_RULE,
    ),
    "a text of no bytes": (PLAIN, _text(_block(1), BIG._replace(length=0)), BLOB_RULE),
    "a text of a short id": (PLAIN, _text(_block(1), BIG._replace(id=BlobId(b"x"))), BLOB_RULE),
    "an enormous text": (PLAIN, _text(_block(1), BIG._replace(length=TEXT + 1)), TEXT_RULE),
    "more lines than bytes": (PLAIN, _text(_block(INLINE + 1), BIG), TEXT_RULE),
    "a line too few": (PLAIN, _text(_block(2), b"a\n"), COUNT_RULE),
    "a last line without end": (PLAIN, _text(_block(1), b"a\nb"), COUNT_RULE),
    "a new text edits old lines": (
        TWO,
        _text(TextEdit(hunks=(Hunk((Lines(1, 0, 1),), None),)), None),
        "a hunk deletes nothing, or what is not of a dependency",
    ),
}


@pytest.mark.parametrize("case", OPERATIONS)
def test_operations_break_their_rule(case: str) -> None:
    header, operations, rule = OPERATIONS[case]
    assert check_operations(header, operations) == rule


WELL = {
    "nothing at all": (PLAIN, _ops()),
    "an empty text": (PLAIN, _ops(_new(AT_ROOT))),
    "as deep as may be": (
        PLAIN,
        _ops(_new(Write(PLACE, Place(DEPTH, b"f"))), directories=DEEP[:DEPTH]),
    ),
    "one name with several k": (
        PLAIN,
        _ops(
            IN_A,
            _known(AT_ROOT, change=DIRECTORY, position=2),
            directories=(Directory(0, b"d"), Directory(0, b"d", LINES)),
        ),
    ),
    "a sibling after a deep one": (
        PLAIN,
        _ops(
            IN_B,
            _known(AT_ROOT, change=DIRECTORY, position=3),
            directories=(Directory(0, b"d"), Directory(1, b"z"), Directory(0, b"e")),
        ),
    ),
    "a blob of the least length": (TWO, _value(BYTES, BIG)),
    "all that may be inline, and blobs": (
        PLAIN,
        _many(*FULL[:-1], BIG, FULL[-1], BIG._replace(length=1)),
    ),
    "the longest bytes inline": (TWO, _value(BYTES, bytes(INLINE - 1))),
    "a text of the greatest length": (PLAIN, _text(_block(1), BIG._replace(length=TEXT))),
}


@pytest.mark.parametrize("case", WELL)
def test_operations_in_shape_pass(case: str) -> None:
    assert check_operations(*WELL[case]) is None
