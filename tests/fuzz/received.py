"""Targets for what others send: changes, frames, bundles, the wire, objects of Git."""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Final

from blake3 import blake3

from oxy.codec.decode import decode_sized, opened, read_blobs, read_header
from oxy.codec.encode import encode_sized
from oxy.codec.signed import decode_signature, encode_signature
from oxy.model.change import Context, Header, Moment, Operations
from oxy.model.digest import BlobId, ChangeId
from oxy.model.operation import (
    BYTES,
    KIND_BINARY,
    KIND_TEXT,
    MODE,
    PLACE,
    SELF,
    BlobRef,
    Directory,
    Hunk,
    Insert,
    Lines,
    NodeEdit,
    NodeRef,
    Place,
    TextEdit,
    Write,
)
from oxy.model.signature import ARMOR_END, ARMOR_START, Signature
from oxy.store.frame import packer, seal
from oxy.store.protocol import BLOB, CHANGE
from oxy.store.record import first_piece, next_piece, record
from oxy.sync.bundle import Bundle
from oxy.sync.endpoint import Offered
from oxy.sync.frames import END, Unframer
from oxy.sync.message import (
    AskKnown,
    AskMissing,
    AskNames,
    AskTake,
    Done,
    Known,
    Message,
    Names,
    decode,
    encode,
)
from oxy.sync.part import BlobPart, FramePart, Part
from oxy.sync.published import (
    Heads,
    Page,
    Parcel,
    decode_heads,
    decode_page,
    encode_heads,
    encode_page,
)
from oxy.sync.wire import START, begun, packed, unpacked
from oxy.sync.wish import Moved, Refused, State, Taken, Wish
from oxy_git.reader.commit import parse as parse_commit
from oxy_git.reader.trees import entries_of
from tests.fuzz.target import ID, Target

_ARMOR: Final = ARMOR_START + b"eA==\n" + ARMOR_END
_PACK: Final = packer(3)
_FORMS: Final = 4
"""Forms of frames, of which one is none."""


def _changes() -> Iterable[bytes]:
    new = NodeEdit(
        NodeRef(SELF, 0),
        KIND_TEXT,
        (Write(PLACE, Place(1, b"f")), Write(MODE, 1)),
        TextEdit(2, (Insert(2, None, None),)),
        b"a\nb\n",
    )
    big = NodeEdit(
        NodeRef(SELF, 1),
        KIND_BINARY,
        (Write(PLACE, Place(0, b"g")), Write(BYTES, BlobRef(BlobId(ID), 5000))),
    )
    operations = Operations((), (Directory(0, b"d"),), (new, big))
    header = Header(b"Ada <a@b>", Moment(1, 60), b"message", (), Context(), ((b"k:x", b"v"),))
    yield encode_sized(header, operations)[1]
    edit = NodeEdit(
        NodeRef(1, 0),
        None,
        (),
        TextEdit(1, (Insert(1, None, None),), (Hunk((Lines(1, 0, 1),), None),)),
        b"c\n",
    )
    later = Header(b"A <a>", Moment(0, 0), b"m", (ChangeId(ID),), Context((ChangeId(ID),)))
    yield encode_sized(later, Operations((), (), (edit,)))[1]


def _change(data: bytes) -> None:
    for read in (decode_sized, read_header):
        try_each(read, data)
    for _ in read_blobs(data):
        pass
    _, proving = opened(data)
    for _ in proving.edits():
        pass
    proving.operations()


def try_each(read: Callable[[bytes], object], data: bytes) -> None:
    """Run one of several that look at the same bytes."""
    Target(read, tuple).feed(data)


def _stream(data: bytes) -> bytes:
    """Return frames whose contents are parts of some bytes, with their end."""
    frames = b""
    while data:
        form, size, data = data[0] % _FORMS + 1, int.from_bytes(data[1:3], "big"), data[3:]
        frames += seal(form, data[:size], _PACK)
        data = data[size:]
    return frames


def _ended(frames: bytes, changes: int, blobs: int) -> bytes:
    end = frames + END + changes.to_bytes(8, "big") + blobs.to_bytes(8, "big")
    return end + blake3(end).digest()


def _take(parts: Iterator[Part]) -> None:
    for part in parts:
        if isinstance(part, FramePart):
            list(part.blobs())
        elif isinstance(part, BlobPart):
            for _ in part.chunks:
                pass


def _frames(data: bytes) -> None:
    _take(Unframer(BytesIO(data).read).parts())
    stream = _stream(data)
    for counts in ((0, 0), (1, 0), (0, 1), (1, 1)):
        try_each(
            lambda sent: _take(Unframer(BytesIO(sent).read).parts()), _ended(stream, *counts)
        )


def _frame_seeds() -> Iterable[bytes]:
    payload = next(iter(_changes()))
    name = decode_sized(payload)[0].id
    text = b"text\n" * 9
    contents = (
        (1, record(CHANGE, name, payload)),
        (
            1,
            record(BLOB, blake3(text).digest(), text) + record(BLOB, blake3(b"").digest(), b""),
        ),
        (2, first_piece(BLOB, ID, 12, b"abcd")),
        (3, next_piece(BLOB, ID, 1, b"efgh")),
    )
    frames = b"".join(seal(form, raw, _PACK) for form, raw in contents[:2])
    yield _ended(frames, 1, 2)
    yield b"".join(
        bytes([form - 1]) + len(raw).to_bytes(2, "big") + raw for form, raw in contents
    )


def _bundle(data: bytes) -> None:
    bundle = Bundle(BytesIO(data).read)
    _take(bundle.unframer.parts())


def _bundle_seeds() -> Iterable[bytes]:
    head = encode(Names((), b""))[3:4] + b"\x90"
    start = b"\x8foxybun\n" + (1).to_bytes(4, "big")
    needs = b"\x92\x91\xc4\x20" + ID + head[1:]
    yield _ended(start + len(needs).to_bytes(4, "big") + needs, 0, 0)
    empty = start + (3).to_bytes(4, "big") + b"\x92\x90\x90"
    frames = next(iter(_frame_seeds()))
    yield _ended(empty + frames[: frames.rindex(END)], 1, 2)


def _messages() -> Iterable[Message]:
    name = ChangeId(ID)
    yield AskNames()
    yield Names((Offered(1, b"main", (name,), (), ()), Offered(2, b"1.0", (name,))), b"main")
    yield AskKnown((name,))
    yield Known(b"\0\1")
    yield AskMissing((name,), ())
    yield AskTake((Wish(1, b"main", State((name,)), None, ((b"k", b"v"),)),))
    yield Done(Taken(1, (Moved(1, b"main", 0, 1, 0),), (Refused(2, b"t", 1),)))


def _message(data: bytes) -> None:
    message = decode(data)
    if encode(message) != data:
        what = "a message has two forms"
        raise AssertionError(what)


def _wire(data: bytes) -> None:
    stream = BytesIO(data)

    def read(size: int) -> bytes:
        got = stream.read(size)
        return got if len(got) == size else b""

    if begun(read):
        for _ in unpacked(read):
            pass


def _wire_seeds() -> Iterable[bytes]:
    for message in _messages():
        yield START + b"".join(packed((encode(message),)))
    yield START + b"\x03\x00\x00\x00\x06\x92\x01\xc4\x02no"


def _commit_seeds() -> Iterable[bytes]:
    lines = (
        b"tree " + b"1" * 40,
        b"parent " + b"2" * 40,
        b"author A U Thor <a@b.c> 1700000000 +0130",
        b"committer C <c@d> 1700000000 -0800",
        b"encoding latin1",
        b"gpgsig -----BEGIN",
        b" more",
    )
    yield b"\n".join(lines) + b"\n\nsubject\n\nbody \xe9\n"
    yield b"tree " + b"1" * 40 + b"\nauthor <> 0 +0000\n\n"


def _tree(data: bytes) -> None:
    for _ in entries_of(data):
        pass


def _published_seeds() -> Iterable[bytes]:
    page = Page(ID, 100, (ChangeId(ID),))
    yield encode_heads(Heads((Offered(1, b"main", (ChangeId(ID),)),), b"main", (page,)))


TARGETS: Final = {
    "signature": Target(
        decode_signature,
        lambda: (
            encode_signature(Signature(ChangeId(ID), ARMOR_START + b"eA==\n" + ARMOR_END)),
        ),
    ),
    "published": Target(decode_heads, _published_seeds),
    "page": Target(
        decode_page,
        lambda: (encode_page((Parcel(ID, 9, (ChangeId(ID),), (), ()),)),),
    ),
    "change": Target(_change, _changes),
    "frames": Target(_frames, _frame_seeds),
    "bundle": Target(_bundle, _bundle_seeds),
    "message": Target(_message, lambda: map(encode, _messages())),
    "wire": Target(_wire, _wire_seeds),
    "git-commit": Target(parse_commit, _commit_seeds),
    "git-tree": Target(
        _tree, lambda: (b"100644 name\0" + bytes(20) + b"40000 dir\0" + bytes(range(20)),)
    ),
}
