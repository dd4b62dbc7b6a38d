"""What a stranger may send that breaks a rule, and what is said of it (spec: SY13, SY44)."""

from collections.abc import Callable
from typing import Final

from oxy.codec.encode import encode
from oxy.codec.wire import pack
from oxy.model.change import Context, Header, Moment, Operations
from oxy.model.digest import BlobId, ChangeId, blob_id
from oxy.model.operation import (
    BYTES,
    DIRECTORY,
    KIND_BINARY,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PLACE,
    TARGET,
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
    TextEdit,
    Value,
    Write,
)
from oxy.sync.part import BlobPart, ChangePart, Part

BIG: Final = b"line\n" * 1000
GONE: Final = ChangeId(b"\7" * 32)


def header(*deps: ChangeId, context: Context | None = None, author: bytes = b"a") -> Header:
    named = Context(deps if len(deps) < 2 else ()) if context is None else context
    return Header(author, Moment(1, 0), b"m", tuple(sorted(deps)), named)


def made(head: Header, *nodes: NodeEdit, **more: object) -> ChangePart:
    weak = more.get("weak", ())
    directories = more.get("directories", ())
    assert isinstance(weak, tuple)
    assert isinstance(directories, tuple)
    change, payload = encode(head, Operations(weak, directories, nodes))
    return ChangePart(change.id, payload)


def text(name: bytes = b"f", content: Content = b"a\nb\nc\n", lines: int = 3) -> NodeEdit:
    edit = TextEdit(lines, (Insert(lines, None, None),))
    return NodeEdit(NodeRef(0, 0), KIND_TEXT, (Write(PLACE, Place(0, name)),), edit, content)


def edited(edit: TextEdit, content: bytes | None = None, position: int = 0) -> NodeEdit:
    return NodeEdit(NodeRef(1, position), None, (), edit, content)


def deleted(*lines: Lines) -> NodeEdit:
    return edited(TextEdit(hunks=(Hunk(lines, None),)))


def inserted(left: Point | None, right: Point | None) -> NodeEdit:
    return edited(TextEdit(1, (Insert(1, left, right),)), b"x\n")


def written(register: int, value: Value, *replaces: int) -> NodeEdit:
    return NodeEdit(NodeRef(1, 0), None, (Write(register, value, replaces),))


def blob(data: bytes, name: bytes | None = None, size: int | None = None) -> BlobPart:
    return BlobPart(BlobId(name or blob_id(data)), size or len(data), iter([data]))


BASE: Final = made(header(), text())
EDIT: Final = made(
    header(BASE.id), edited(TextEdit(1, (Insert(1, Point(1, 2, 2), None),)), b"d\n")
)
REF: Final = BlobRef(blob_id(BIG), len(BIG))
BINARY: Final = made(
    header(),
    NodeEdit(NodeRef(0, 0), KIND_BINARY, (Write(PLACE, Place(0, b"b")), Write(BYTES, b"\0"))),
)


def raw(value: object, operations: object = ((), (), ())) -> ChangePart:
    head = pack(value)
    payload = len(head).to_bytes(4, "big") + head + pack(operations)
    return ChangePart(GONE, payload)


def long_form() -> ChangePart:
    """Return a change that is right but for an integer that is not in its shortest form."""
    size = int.from_bytes(BASE.payload[:4], "big")
    head, body = BASE.payload[4 : 4 + size], BASE.payload[4 + size :]
    assert head[:2] == b"\x98\x01"
    head = b"\x98\xcc\x01" + head[2:]
    return ChangePart(GONE, len(head).to_bytes(4, "big") + head + body)


def named(name: bytes) -> tuple[Part, ...]:
    return (made(header(), text(name)),)


def below(*names: bytes) -> ChangePart:
    directories = tuple(Directory(at, name) for at, name in enumerate(names))
    node = text()._replace(writes=(Write(PLACE, Place(len(names), b"f")),))
    return made(header(), node, directories=directories)


def linked_above() -> ChangePart:
    link = NodeEdit(
        NodeRef(0, 0), KIND_SYMLINK, (Write(PLACE, Place(0, b"d")), Write(TARGET, b"/etc"))
    )
    inside = text()._replace(node=NodeRef(0, 1), writes=(Write(PLACE, Place(1, b"f")),))
    return made(header(), link, inside, directories=(Directory(0, b"d"),))


DELETION: Final = made(header(BASE.id), deleted(Lines(1, 1, 1)))
AFTER: Final = Context((DELETION.id,))
HEADS: Final = tuple(sorted((BASE.id, BINARY.id)))
KEEPS: Final = edited(TextEdit(keeps=(Lines(1, 0, 1),)))
RAW: Final = (1, b"a", 0, 0, b"m", (), ((), ()), ())
MOVE: Final = NodeEdit(NodeRef(DIRECTORY, 1), None, (Write(PLACE, Place(0, b"e"), (1,)),))

BAD: Final[dict[str, tuple[Callable[[], tuple[Part, ...]], str]]] = {
    "an id that the bytes do not have": (
        lambda: (ChangePart(GONE, BASE.payload),),
        "it has content of another id",
    ),
    "bytes that are no change": (lambda: (ChangePart(GONE, b"\0\0\0\1\xc1"),), "not in use"),
    "bytes that end too early": (lambda: (ChangePart(GONE, b"\0\0\1\0x"),), "shorter than"),
    "bytes behind the end": (
        lambda: (ChangePart(BASE.id, BASE.payload + b"\0"),),
        "do not end with its last item",
    ),
    "a float": (lambda: (raw((1, 1.5)),), "a type that is not in use"),
    "a newer format": (lambda: (raw((2, *RAW[1:])),), "upgrade oxy"),
    "an array longer than its bytes": (
        lambda: (ChangePart(GONE, b"\0\0\0\5\xdd\xff\xff\xff\xff"),),
        "promises more than it holds",
    ),
    "an encoding that is not the shortest": (
        lambda: (long_form(),),
        "not the canonical one",
    ),
    "a line break in the author": (
        lambda: (raw((1, b"a\nb", *RAW[2:])),),
        "the author has a line break",
    ),
    "a dependency that is missing": (
        lambda: (made(header(GONE, context=Context()), KEEPS),),
        f"it names change {GONE.hex()}, which is missing",
    ),
    "a context that is missing": (
        lambda: (made(header(context=Context((GONE,))), text(b"g")),),
        f"it names change {GONE.hex()}, which is missing",
    ),
    "an absent change that is missing": (
        lambda: (made(header(context=Context((BASE.id,), (GONE,))), text(b"g")),),
        f"it names change {GONE.hex()}, which is missing",
    ),
    "an absent change that nothing names": (
        lambda: (BINARY, made(header(context=Context((BASE.id,), (BINARY.id,))), text(b"g"))),
        "its context is not the name of a state",
    ),
    "a head that another head knows": (
        lambda: (made(header(context=Context(tuple(sorted((BASE.id, EDIT.id))))), text(b"g")),),
        "its context is not the name of a state",
    ),
    "a context without a dependency of its own": (
        lambda: (made(header(context=Context((EDIT.id,), (BASE.id,))), text(b"g")),),
        "its context is not the name of a state",
    ),
    "a dependency that the context lacks": (
        lambda: (made(header(BASE.id, context=Context()), written(MODE, 1)),),
        "it depends on a change that its context does not have",
    ),
    "a node that its change does not create": (
        lambda: (made(header(BASE.id), KEEPS._replace(node=NodeRef(1, 3))),),
        f"it edits node 3 of change {BASE.id.hex()}, which creates no such",
    ),
    "the path ..": (lambda: named(b".."), "is . or .."),
    "the path .git": (lambda: named(b".GiT"), "is a spelling of .oxy or .git"),
    "the path oxy~1": (lambda: named(b"OXY~1"), "is a spelling of .oxy or .git"),
    "a slash": (lambda: named(b"a/b"), "contains a slash"),
    "a control byte": (lambda: named(b"a\x1b[2J"), "contains a control byte"),
    "a directory .oxy": (lambda: (below(b"d", b".oxy"),), "is a spelling of .oxy or .git"),
    "a path too deep": (lambda: (below(*[b"d"] * 600),), "is deeper than 600 directories"),
    "a path too long": (lambda: (below(*[b"d" * 250] * 17),), "in a path longer than 4096"),
    "a symlink above a file": (lambda: (linked_above(),), "is that of a symlink"),
    "a move to a bad place": (
        lambda: (made(header(BASE.id), written(PLACE, Place(0, b".oxy"), 1)),),
        "is a spelling of .oxy or .git",
    ),
    "a register that was not written": (
        lambda: (made(header(BASE.id), written(MODE, 1, 1)),),
        "it replaces what was never written",
    ),
    "a register of another node": (
        lambda: (
            made(
                header(*HEADS, context=Context(HEADS)),
                NodeEdit(
                    NodeRef(1 + (BASE.id > BINARY.id), 0),
                    None,
                    (Write(PLACE, Place(0, b"x"), (1 + (BASE.id < BINARY.id),)),),
                ),
            ),
        ),
        "it replaces what was never written",
    ),
    "a directory that was not moved": (
        lambda: (made(header(BASE.id), MOVE, directories=(Directory(0, b"d"),)),),
        "it replaces what was never written",
    ),
    "a text edit of what is no text": (
        lambda: (made(header(BINARY.id), inserted(None, None)),),
        "it edits the text of what never was one",
    ),
    "a line outside its change": (
        lambda: (made(header(BASE.id), deleted(Lines(1, 2, 2))),),
        "names a line that is not there",
    ),
    "a point outside its change": (
        lambda: (made(header(BASE.id), inserted(Point(1, 9, 2), None)),),
        "names a line that is not there",
    ),
    "a line of another text": (
        lambda: (
            made(
                header(*sorted((BASE.id, EDIT.id)), context=Context((EDIT.id,))),
                NodeEdit(
                    NodeRef(1 + (BASE.id > EDIT.id), 0),
                    None,
                    (),
                    TextEdit(hunks=(Hunk((Lines(1 + (BASE.id < EDIT.id), 1, 1),), None),)),
                ),
            ),
        ),
        "names a line that is not there",
    ),
    "points in the wrong order": (
        lambda: (made(header(BASE.id), inserted(Point(1, 2, 2), Point(1, 0, 0))),),
        "it inserts between points without an order",
    ),
    "orders in a circle": (
        lambda: (made(header(BASE.id), edited(TextEdit(orders=(Order(1, 2, 1, 0, 0),)))),),
        "its orders contradict each other",
    ),
    "a restored line that is not there": (
        lambda: (
            made(header(*sorted((BASE.id, DELETION.id)), context=AFTER), _restored_nowhere()),
        ),
        "names a line that is not there",
    ),
    "a blob of another digest": (
        lambda: (blob(BIG, name=GONE),),
        "it has content of another id",
    ),
    "a blob that is too short": (
        lambda: (blob(BIG, size=len(BIG) + 1),),
        "it is shorter than it says",
    ),
    "a blob that is too long": (
        lambda: (blob(BIG, size=len(BIG) - 1),),
        "it is longer than it says",
    ),
    "a blob beyond every limit": (
        lambda: (blob(BIG, size=1 << 41),),
        "it has no bytes, or over",
    ),
    "a blob that nothing names": (
        lambda: (blob(BIG), made(header(), text(b"g"))),
        "the change that comes after it does not name it",
    ),
    "a blob at the end": (lambda: (blob(BIG),), "the change that comes after it does not name"),
    "a blob that is missing": (
        lambda: (made(header(), text(content=REF, lines=1000)),),
        f"it needs blob {REF.id.hex()}, which is missing",
    ),
    "a blob of another length": (
        lambda: (
            blob(BIG),
            made(header(), text(content=REF._replace(length=4999), lines=1000)),
        ),
        f"it says that blob {REF.id.hex()} has 4999 bytes",
    ),
    "a blob of another number of lines": (
        lambda: (blob(BIG), made(header(), text(content=REF, lines=999))),
        f"it says that blob {REF.id.hex()} has 999 lines",
    ),
    "a blob without a last line end": (
        lambda: (
            blob(BIG + b"x"),
            made(header(), text(content=BlobRef(blob_id(BIG + b"x"), 5001), lines=1000)),
        ),
        "has 1000 lines",
    ),
}


def _restored_nowhere() -> NodeEdit:
    first = 1 + (BASE.id > DELETION.id)
    restore = Restore(Lines(first, 7, 1), (3 - first,))
    return NodeEdit(NodeRef(first, 0), None, (), TextEdit(restores=(restore,)))
