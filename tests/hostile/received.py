"""Rows of the corpus for what other repositories send (hostile 15 to 29, 65, 66, 69 to 79)."""

import struct
import subprocess
import sys
from binascii import crc32
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from blake3 import blake3

from oxy.actions.web import application, everybody
from oxy.codec.wire import pack
from oxy.model.digest import ChangeId, blob_id
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.frame import HEAD_SIZE, packer, seal
from oxy.store.protocol import BLOB, CHANGE
from oxy.store.record import first_piece, record
from oxy.store.zstd import ZstdCompressor
from oxy.sync.endpoint import Offered
from oxy.sync.frames import framed
from oxy.sync.message import Names, encode
from oxy.sync.part import BlobPart, ChangePart, Part
from oxy.sync.wire import START, packed
from tests.builders.forged import (
    BAD,
    BASE,
    BIG,
    BINARY,
    DELETION,
    EDIT,
    header,
    made,
    raw,
    text,
)
from tests.builders.web import serving
from tests.hostile.yard import Yard

OF: Final = {
    "an id that the bytes do not have": 15,
    "a blob of another digest": 15,
    "bytes that are no change": 21,
    "bytes that end too early": 20,
    "bytes behind the end": 20,
    "an encoding that is not the shortest": 20,
    "a float": 21,
    "a newer format": 24,
    "an array longer than its bytes": 66,
    "a line break in the author": 23,
    "a dependency that is missing": 18,
    "a context that is missing": 18,
    "an absent change that is missing": 18,
    "a node that its change does not create": 19,
    "the path ..": 1,
    "a slash": 1,
    "a control byte": 2,
    "the path .git": 3,
    "the path oxy~1": 3,
    "a directory .oxy": 3,
    "a path too deep": 11,
    "a path too long": 11,
    "a symlink above a file": 5,
    "a line outside its change": 19,
    "a line of another text": 19,
    "orders in a circle": 28,
    "a blob of another number of lines": 29,
    "a blob that is missing": 18,
}
"""The entries that forged parts are of; the rest of them break rules that no entry names."""

_PACK: Final = packer(3)


def bundle(parts: Iterable[Part], head: bytes | None = None) -> bytes:
    """Return a bundle of parts; the head promises no names, where none is given."""
    data = pack(((), ())) if head is None else head
    start = b"\x8foxybun\n" + (1).to_bytes(4, "big") + len(data).to_bytes(4, "big") + data
    return start + b"".join(framed(parts, start))


def stream(frames: bytes, changes: int, blobs: int) -> bytes:
    """Return frames with the end that a stream has."""
    stated = frames + b"\xf5OXE" + changes.to_bytes(8, "big") + blobs.to_bytes(8, "big")
    return stated + blake3(stated).digest()


def by_bundle(yard: Yard, data: bytes, because: str) -> None:
    """Hand a bundle in; nothing of it is kept."""
    (yard.stage / "in.bundle").write_bytes(data)
    for verb in ("verify", "apply"):
        yard.refuses("bundle", verb, str(yard.stage / "in.bundle"), code=4, because=because)


def by_ssh(yard: Yard, data: bytes, because: str) -> None:
    """Let a server send a stream, whatever it is asked."""
    offered = encode(Names((Offered(1, b"main", (ChangeId(b"\7" * 32),)),), b"main"))
    said = START + b"".join(packed((offered,))) + b"".join(packed((data,)))
    (yard.stage / "said").write_bytes(said)
    server = yard.stage / "ssh"
    server.write_text(f"#!/bin/sh\ncat '{yard.stage}/said'\ncat > /dev/null\n")
    server.chmod(0o755)
    yard.patch.setenv("OXY_SSH", str(server))
    yard.refuses("pull", "ssh://host/there", code=4, because=because)


def by_store(label: str) -> Callable[[Yard], None]:
    """Return what puts objects into another store, past every check: `fsck` finds them.

    Who pulls from there gets nothing that is bad.
    """

    def run(yard: Yard) -> None:
        other = yard.stage / "other"
        yard.works("init", str(other), where=yard.stage)
        repository = Repository.at(bytes(other))
        last = b""
        with repository.store.transaction() as transaction:
            for part in before(BAD[label][0]()):
                if isinstance(part, ChangePart):
                    transaction.append(CHANGE, part.id, part.payload)
                    last = part.id
                elif isinstance(part, BlobPart):
                    transaction.append(BLOB, part.id, b"".join(part.chunks))
        repository.close()
        # Rows are made as far as they can be, and a name that holds the last of them.
        yard.oxy("fsck", "--rebuild", where=other)
        with closing(Repository.at(bytes(other))) as repository:
            number = repository.store.number_of(CHANGE, last)
            with writing(repository, Stamp(1, 0, b"a", b"forge")) as work:
                if number is not None:
                    work.move(Ref(BOOKMARK, b"main"), Target(Name((number,))))
        assert yard.oxy("fsck", where=other).code == 4
        yard.oxy("pull", str(other))
        yard.sound()
        with serving(application(str(other), everybody)) as address:
            yard.oxy("pull", f"http://{address}")
        yard.sound()

    return run


def before(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return parts with the changes that they may build on, where these are not among them."""
    known = (BASE, EDIT, BINARY, DELETION)
    is_own = any(isinstance(part, ChangePart) and part.id == BASE.id for part in parts)
    sent = {part.id for part in parts if isinstance(part, ChangePart)}
    return parts if is_own else (*(each for each in known if each.id not in sent), *parts)


def forged(label: str, send: Callable[[Yard, bytes, str], None]) -> Callable[[Yard], None]:
    """Return what sends forged parts through a door, behind what they build on."""
    parts, because = BAD[label]

    def run(yard: Yard) -> None:
        sent = before(parts())
        data = bundle(sent) if send is by_bundle else b"".join(framed(sent))
        send(yard, data, because)

    return run


def bomb(size: int, window: int | None, stated: int) -> bytes:
    """Return a frame whose zstd content is zeros of a size, and which states another."""
    raw = ZstdCompressor(level=1).compress(bytes(size))
    if window is not None:
        # A frame without its content's size, with a descriptor of a window.
        raw = b"\x28\xb5\x2f\xfd\x00" + bytes([window]) + raw[6:]
    head = struct.pack(">4sBBHIII", b"\xf5OXF", 1, 1, 0, 0, len(raw), stated)
    head += struct.pack(">I", crc32(head))
    digest = blake3(head + raw).digest(16)
    assert len(head + digest) == HEAD_SIZE
    return head + digest + raw


def bombs(send: Callable[[Yard, bytes, str], None]) -> Callable[[Yard], None]:
    """Return what sends frames that lie about what they unpack to."""

    def run(yard: Yard) -> None:
        start = bundle(())[: -(4 + 16 + 32)] if send is by_bundle else b""
        for frame, because in (
            (bomb(1 << 30, None, 1 << 20), "declares another size"),
            (bomb(1 << 20, 0xF8, 1 << 20), "too much memory"),
            (bomb(100, None, 1 << 31), "over the limit"),
        ):
            send(yard, stream(start + frame, 0, 0), because)

    return run


def lies(send: Callable[[Yard, bytes, str], None]) -> Callable[[Yard], None]:
    """Return what sends blobs that say that they are longer, or shorter, than they are."""

    def run(yard: Yard) -> None:
        start = bundle(())[: -(4 + 16 + 32)] if send is by_bundle else b""
        for stated, because in (
            (len(BIG) + 1, "lacks pieces"),
            (len(BIG) - 1, "impossible size"),
            (1 << 41, "impossible size"),
            ((1 << 36) - 1, "lacks pieces"),
        ):
            frame = seal(2, first_piece(BLOB, blob_id(BIG), stated, BIG), _PACK)
            send(yard, stream(start + frame, 0, 1), because)

    return run


def floods(yard: Yard) -> None:
    """Send messages of lengths that are not there, of depth, and of empty things."""
    for head, because in (
        (b"\xdd\xff\xff\xff\xff", "promises more than it holds"),
        (b"\xc6\xff\xff\xff\xff", "not"),
        (b"\x91" * 100_000 + b"\x90", ""),
        (b"\xdd\x00\x20\x00\x00" + b"\x90" * (1 << 21), "items"),
        (b"\xdf\x00\x00\x00\x01" + b"\x90\x90", "a type that is not in use"),
    ):
        by_bundle(yard, bundle((), head), because)


def many_good(yard: Yard) -> None:
    """One bad object behind many good ones refuses all; the next pull starts clean."""
    good = [made(header(author=b"a%d" % n), text(b"f%d" % n)) for n in range(400)]
    bad = ChangePart(ChangeId(b"\7" * 32), BASE.payload)
    before = yard.segment().read_bytes()
    by_bundle(yard, bundle([*good, bad]), "content of another id")
    assert yard.segment().read_bytes() == before
    (yard.stage / "in.bundle").write_bytes(bundle(good))
    yard.works("bundle", "apply", str(yard.stage / "in.bundle"))


def same_id(yard: Yard) -> None:
    """Other bytes under an id that is there: the first stay."""
    (yard.stage / "in.bundle").write_bytes(bundle([BASE]))
    yard.works("bundle", "apply", str(yard.stage / "in.bundle"))
    other = made(header(author=b"somebody else"), text())
    by_bundle(yard, bundle([ChangePart(BASE.id, other.payload)]), "content of another id")


def itself(yard: Yard) -> None:
    """A change that names itself cannot have the id that it names."""
    own = ChangeId(b"\7" * 32)
    for context, deps in (((own,), ()), ((), (own,)), ((own,), (own,))):
        change = raw((1, b"a", 0, 0, b"m", deps, (context, ()), ()))
        by_bundle(yard, bundle([ChangePart(own, change.payload)]), "is refused")


def names(yard: Yard) -> None:
    """Bookmarks that are options, paths, controls, or one where case folds."""
    for bad in ((b"-x",), (b"../x",), (b"a\x1b",), (b"",), (b"Main", b"main"), (b".oxy",)):
        offered = tuple((1, name, (BASE.id,), (), ()) for name in bad)
        by_bundle(yard, bundle([BASE], pack(((), offered))), "refused")


def promises(yard: Yard) -> None:
    """A bundle whose names reach what it does not hold, or whose end says more."""
    head = pack(((), ((1, b"main", (ChangeId(b"\7" * 32),), (), ()),)))
    by_bundle(yard, bundle([BASE], head), "")
    start = bundle(())[: -(4 + 16 + 32)]
    frame = seal(1, record(CHANGE, BASE.id, BASE.payload), _PACK)
    by_bundle(yard, stream(start + frame, 2, 0), "more, or less, than it does")
    by_bundle(yard, stream(start + frame, 1, 0)[:-40], "cut short")


def far_times(yard: Yard) -> None:
    """Times beyond any calendar are shown, clamped."""
    from oxy.model.change import Moment

    for moment in (Moment((1 << 62), 0), Moment(-(1 << 62), -(1 << 20))):
        change = made(header()._replace(time=moment), text(b"f%d" % moment.offset))
        offered = pack(((), ((1, b"t%d" % (moment.offset & 1), (change.id,), (), ()),)))
        (yard.stage / "in.bundle").write_bytes(bundle([change], offered))
        yard.works("bundle", "apply", str(yard.stage / "in.bundle"))
        name = f"t{moment.offset & 1}@bundle"
        assert yard.works("log", name).count(b"date:") == 1
        yard.works("log", "--json", name)


def not_allowed(yard: Yard) -> None:
    """What a server does not allow is refused in words, and nothing runs."""
    where = str(yard.here)
    questions = (pack((1, 99)), pack((1, 0, b"sh -c x")), encode(Names(()))[:-1], b"id\n")
    sent = [START + b"".join(packed((question,))) for question in questions]
    for words in (*sent, b"GET / HTTP/1.1\r\n\r\n"):
        done = subprocess.run(
            [sys.executable, "-m", "oxy", "serve", "--stdio", "--", where],
            input=words,
            check=False,
            capture_output=True,
            cwd=Path(__file__).parents[2],
        )
        assert done.returncode == 4, done
        assert b"Traceback" not in done.stderr
        assert b"\x03\x00\x00" in done.stdout
    yard.sound()
