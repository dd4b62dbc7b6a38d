"""Fixed changes that together hold every operation, kind, register and width of integer."""

from typing import Final

from oxy.codec.limits import INLINE, LINES
from oxy.model.change import Context, Header, Moment, Operations
from oxy.model.digest import ChangeId, blob_id, digest
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
    Write,
)

IDS: Final = tuple(sorted(ChangeId(digest(bytes([n]))) for n in range(8)))
BLOB: Final = BlobRef(blob_id(b"x\n" * 3000), 6000)

FIRST: Final = (
    Header(b"Ann <ann@x>", Moment(1_700_000_000_000_000, 60), b"Start\n"),
    Operations(
        nodes=(
            NodeEdit(
                NodeRef(SELF, 0),
                KIND_TEXT,
                (Write(PLACE, Place(0, b"f")),),
                TextEdit(1, (Insert(1, None, None),)),
                b"x\n",
            ),
        )
    ),
)

EVERY_KIND: Final = (
    Header(
        "Zoë <zoe@example.org>".encode(),
        Moment(-1, -570),
        b"Add one of each kind\n\nWith a body.\n",
        extra=((b"git:commit", b"tree 0\n" * 50), (b"git:tree", b"")),
    ),
    Operations(
        directories=(
            Directory(0, b"doc"),
            Directory(1, b"img", 1),
            Directory(1, b"img", 300),
            Directory(0, b"src"),
        ),
        nodes=(
            NodeEdit(
                NodeRef(SELF, 0),
                KIND_TEXT,
                (Write(PLACE, Place(4, b"a.c")), Write(MODE, 1), Write(FINAL_LF, 0)),
                TextEdit(3000, (Insert(3000, None, None),)),
                BLOB,
            ),
            NodeEdit(
                NodeRef(SELF, 1),
                KIND_BINARY,
                (Write(PLACE, Place(2, b"\xff.png")), Write(BYTES, b"\0\1\2")),
            ),
            NodeEdit(
                NodeRef(SELF, 2),
                KIND_BINARY,
                (
                    Write(PLACE, Place(3, b"big")),
                    Write(MODE, 0),
                    Write(BYTES, BlobRef(BLOB.id, 1 << 40)),
                ),
            ),
            NodeEdit(
                NodeRef(SELF, 3),
                KIND_SYMLINK,
                (Write(PLACE, Place(0, b"link")), Write(TARGET, b"src/a.c")),
            ),
            NodeEdit(
                NodeRef(SELF, 4),
                KIND_SUBREPO,
                (Write(PLACE, Place(0, b"lib")), Write(PIN, b"\x01" * 32)),
            ),
            NodeEdit(NodeRef(SELF, 5), KIND_TEXT, (Write(PLACE, Place(0, b"empty")),)),
        ),
    ),
)

EVERY_OPERATION: Final = (
    Header(
        b"",
        Moment(1 << 62, 0),
        b"",
        IDS[:4],
        Context((IDS[3], IDS[6]), (IDS[7],)),
    ),
    Operations(
        IDS[4:6],
        (Directory(0, b"old"),),
        (
            NodeEdit(
                NodeRef(1, 0),
                None,
                (),
                TextEdit(
                    6,
                    (
                        Insert(1, None, Point(1, 0, IN)),
                        Insert(2, Point(2, 70_000, TEXT), Point(2, 70_000, OUT)),
                        Insert(3, Point(3, 1, OUT), None),
                    ),
                    (
                        Hunk((Lines(1, 200, 100), Lines(2, 70_000, 1)), 1),
                        Hunk((Lines(3, LINES - 1, 1),), None),
                    ),
                    (Restore(Lines(1, 5, 2), (2, 6)), Restore(Lines(1, 7, 1), (5,))),
                    (Order(1, 5, 0, 3, 0), Order(0, 0, 2, 9, 1)),
                    (Unorder(4, 0), Unorder(5, 300)),
                    (Settle(Lines(0, 1, 2), 3, None), Settle(Lines(2, 0, 4), 5, 6)),
                    (Lines(1, 5, 3), Lines(3, 0, 1)),
                ),
                b"a\nb\nc\nd\r\n\xe9\n\n",
            ),
            NodeEdit(
                NodeRef(1, 66_000),
                None,
                (
                    Write(PLACE, None, (1, 3)),
                    Write(MODE, 0, (2,)),
                    Write(BYTES, b"", (1,)),
                    Write(FINAL_LF, 1),
                    Write(TARGET, b"t", (1, 2)),
                    Write(PIN, b"p"),
                    Write(KIND, KIND_BINARY, (1,)),
                ),
            ),
            NodeEdit(NodeRef(4, 1), None, (Write(BYTES, BlobRef(BLOB.id, INLINE), (4,)),)),
            NodeEdit(NodeRef(DIRECTORY, 1), None, (Write(PLACE, Place(0, b"new")),)),
        ),
    ),
)

GOLDEN: Final = {
    "first": FIRST,
    "every-kind": EVERY_KIND,
    "every-operation": EVERY_OPERATION,
}
