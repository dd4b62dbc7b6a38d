"""Each rule that a receiver checks, broken once: refused by name, and nothing is left."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from oxy.codec.encode import encode
from oxy.codec.limits import SIGNATURES
from oxy.codec.signed import encode_signature
from oxy.codec.wire import pack
from oxy.model.change import Context, Header, Moment, Operations
from oxy.model.digest import BlobId, ChangeId, blob_id
from oxy.model.operation import (
    BYTES,
    DIRECTORY,
    KIND,
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
from oxy.model.signature import ARMOR_END, ARMOR_START, Signature, signature_id
from oxy.repo.fsck import fsck
from oxy.repo.repository import Repository
from oxy.repo.signatures import numbers_of
from oxy.repo.states import Name
from oxy.repo.tables import TABLES
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.errors import RefusedObjectError
from oxy.sync.part import BlobPart, ChangePart, Part, SignaturePart
from tests.builders.exchange import Silent, singly, taken

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


def content(repository: Repository) -> object:
    segments = Path(repository.root.decode()) / ".oxy" / "segments"
    return (
        {path.name: path.read_bytes() for path in segments.iterdir()},
        {table: list(repository.store.rows(table)) for table in TABLES},
        [repository.store.count(kind) for kind in (CHANGE, BLOB)],
    )


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    made = Repository.create(bytes(tmp_path), "fast")
    yield made
    made.close()


@pytest.mark.parametrize("what", BAD)
def test_one_bad_object_refuses_all_is_named_and_leaves_nothing(
    repository: Repository, what: str
) -> None:
    taken(repository, [BASE, EDIT, BINARY, DELETION])
    before = content(repository)
    parts, rule = BAD[what]
    bad = parts()
    good = [made(header(author=b"%d" % at), text(b"n%d" % at)) for at in range(40)]
    with pytest.raises(RefusedObjectError) as caught:
        taken(repository, [*good, *bad])
    assert rule in caught.value.rule
    assert caught.value.object_id in {part.id for part in singly(bad)}
    assert caught.value.object_id.hex() in str(caught.value)
    assert content(repository) == before
    assert len(taken(repository, good).changes) == 40
    assert list(fsck(repository, Silent())) == []


def test_what_is_stored_already_is_skipped(repository: Repository) -> None:
    parts: list[Part] = [blob(BIG), made(header(), text(content=REF, lines=1000))]
    assert len(taken(repository, [BASE, EDIT]).changes) == 2
    assert taken(repository, parts).blobs == 1
    again = taken(repository, [BASE, blob(BIG), parts[1], EDIT])
    assert (len(again.changes), again.blobs) == (0, 0)


def test_a_blob_that_is_stored_is_not_taken_under_a_false_name(repository: Repository) -> None:
    parts: list[Part] = [blob(BIG), made(header(), text(content=REF, lines=1000))]
    taken(repository, parts)
    with pytest.raises(RefusedObjectError, match="content of another id"):
        taken(repository, [blob(BIG[::-1], name=REF.id), parts[1]])


def test_a_large_blob_passes_in_pieces_and_its_last_only_when_all_are_proven(
    repository: Repository,
) -> None:
    data = b"0123456789abcde\n" * 200_000
    pieces = [data[at : at + 700_001] for at in range(0, len(data), 700_001)]
    ref = BlobRef(blob_id(data), len(data))
    change = made(header(), text(content=ref, lines=200_000))
    before = content(repository)
    turned = iter([*pieces[:-1], pieces[-1][::-1]])
    with pytest.raises(RefusedObjectError, match="content of another id"):
        taken(repository, [BlobPart(ref.id, len(data), turned), change])
    assert content(repository) == before
    taken(repository, [BlobPart(ref.id, len(data), iter(pieces)), change])
    assert list(fsck(repository, Silent())) == []


def test_kinds_may_be_replaced_by_who_knows_the_creation(repository: Repository) -> None:
    turned = made(
        header(BASE.id),
        NodeEdit(NodeRef(1, 0), None, (Write(BYTES, b"\0"), Write(KIND, KIND_BINARY, (1,)))),
    )
    back = NodeEdit(
        NodeRef(1, 0),
        None,
        (Write(KIND, KIND_TEXT, ()),),
        TextEdit(1, (Insert(1, None, None),)),
        b"x\n",
    )
    to_text = made(header(BINARY.id), back)
    later = made(
        header(BINARY.id, context=Context((to_text.id,))),
        edited(TextEdit(1, (Insert(1, None, None),)), b"y\n"),
    )
    assert len(taken(repository, [BASE, turned, BINARY, to_text, later]).changes) == 5
    assert list(fsck(repository, Silent())) == []


def test_a_directory_may_be_moved_again(repository: Repository) -> None:
    move = NodeEdit(NodeRef(DIRECTORY, 1), None, (Write(PLACE, Place(0, b"e")),))
    first = made(header(), move, directories=(Directory(0, b"d"),))
    again = move._replace(writes=(Write(PLACE, Place(0, b"f"), (1,)),))
    second = made(header(first.id), again, directories=(Directory(0, b"d"),))
    assert len(taken(repository, [first, second]).changes) == 2
    other = made(header(first.id), again, directories=(Directory(0, b"x"),))
    with pytest.raises(RefusedObjectError, match="replaces what was never written"):
        taken(repository, [other])


def test_a_state_is_read_from_what_came(repository: Repository) -> None:
    taken(repository, [BASE, EDIT])
    state = repository.states.members(Name((2,)))
    assert b"".join(repository.nodes.content(1, state)) == b"a\nb\nc\nd\n"


def signed(change: ChangeId, text: str = "QUJD") -> SignaturePart:
    armor = ARMOR_START + text.encode() + b"\n" + ARMOR_END
    payload = encode_signature(Signature(change, armor))
    return SignaturePart(signature_id(payload), payload)


def test_a_signature_comes_behind_its_change_and_once(repository: Repository) -> None:
    taken(repository, [BASE, signed(BASE.id), signed(BASE.id), signed(BASE.id, "REVG")])
    taken(repository, [signed(BASE.id)])
    assert numbers_of(repository.store, 1) == [1, 2]
    assert list(fsck(repository, Silent())) == []


@pytest.mark.parametrize(
    ("part", "rule"),
    [
        (signed(GONE), "which is not stored"),
        (signed(BASE.id)._replace(id=GONE), "content of another id"),
        (SignaturePart(signature_id(b"x"), b"x"), "not a signature"),
    ],
)
def test_what_is_no_signature_of_what_is_here_is_refused(
    repository: Repository, part: SignaturePart, rule: str
) -> None:
    before = content(repository)
    with pytest.raises(RefusedObjectError, match=rule):
        taken(repository, [BASE, part])
    assert content(repository) == before


def test_a_flood_of_signatures_is_refused(repository: Repository) -> None:
    many: list[Part] = [signed(BASE.id, str(n)) for n in range(SIGNATURES)]
    taken(repository, [BASE, *many])
    with pytest.raises(RefusedObjectError, match="over 64 signatures"):
        taken(repository, [signed(BASE.id, "more")])
