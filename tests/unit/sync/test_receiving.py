"""Each rule that a receiver checks, broken once: refused by name, and nothing is left."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.codec.limits import SIGNATURES
from oxy.codec.signed import encode_signature
from oxy.model.change import Context
from oxy.model.digest import ChangeId, blob_id
from oxy.model.operation import (
    BYTES,
    DIRECTORY,
    KIND,
    KIND_BINARY,
    KIND_TEXT,
    PLACE,
    BlobRef,
    Directory,
    Insert,
    NodeEdit,
    NodeRef,
    Place,
    TextEdit,
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
from oxy.sync.part import BlobPart, Part, SignaturePart
from tests.builders.exchange import Silent, singly, taken
from tests.builders.forged import (
    BAD,
    BASE,
    BIG,
    BINARY,
    DELETION,
    EDIT,
    GONE,
    REF,
    blob,
    edited,
    header,
    made,
    text,
)


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
