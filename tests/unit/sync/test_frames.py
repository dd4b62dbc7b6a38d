import os
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Final

import pytest
from zstandard import ZstdCompressor

from oxy.model.digest import BlobId, ChangeId, blob_id
from oxy.store.frame import FIRST_PIECE, NEXT_PIECE, RECORDS, packer, seal
from oxy.store.limits import FRAME_LIMIT, PIECE_SIZE
from oxy.store.protocol import BLOB, CHANGE, OPERATION
from oxy.store.record import first_piece, next_piece, record
from oxy.sync.errors import RefusedObjectError, RefusedTransferError
from oxy.sync.frames import END_SIZE, Counts, Unframer, framed
from oxy.sync.part import BlobPart, ChangePart, Part
from tests.builders.exchange import listed, singly

LARGE: Final = os.urandom(PIECE_SIZE * 2 + 5)
CHANGES: Final = tuple((bytes([at]) * 32, b"payload %d" % at * 400) for at in range(40))


def parts() -> list[Part]:
    return [
        *(ChangePart(ChangeId(name), data) for name, data in CHANGES),
        BlobPart(blob_id(LARGE), len(LARGE), iter([LARGE])),
        BlobPart(blob_id(b"small"), 5, iter([b"sm", b"all"])),
        ChangePart(ChangeId(b"\xff" * 32), LARGE),
    ]


def bundled(before: bytes = b"") -> bytes:
    return b"".join(framed(parts(), before))


def unframed(data: bytes, before: bytes = b"") -> list[tuple[bytes, bytes]]:
    return listed(Unframer(BytesIO(data).read, before).parts())


def test_what_was_framed_comes_out_as_it_was() -> None:
    unframer = Unframer(BytesIO(bundled()).read)
    assert listed(unframer.parts()) == listed(parts())
    assert unframer.counts == Counts(41, 2)
    assert unframed(b"".join(framed([]))) == []


def test_blobs_that_nobody_takes_are_passed_over() -> None:
    names = [part.id for part in singly(Unframer(BytesIO(bundled()).read).parts())]
    assert names == [part.id for part in singly(parts())]


def test_reading_takes_what_it_gets() -> None:
    source = BytesIO(bundled())
    unframer = Unframer(lambda size: source.read(min(size, 7777)))
    assert listed(unframer.parts()) == listed(parts())


def test_what_came_before_is_proven_too() -> None:
    data = bundled(b"head")
    assert unframed(data, b"head") == listed(parts())
    with pytest.raises(RefusedTransferError, match="its end fails its digest"):
        unframed(data, b"heap")


def test_every_cut_is_refused() -> None:
    data = b"".join(framed(parts()[:3]))
    for size in range(len(data)):
        with pytest.raises(RefusedTransferError, match="it is cut short"):
            unframed(data[:size])


def test_what_goes_on_behind_its_end_is_refused() -> None:
    with pytest.raises(RefusedTransferError, match="there is more behind its end"):
        unframed(bundled() + b"\0")


def test_every_flipped_byte_is_refused() -> None:
    data = b"".join(framed(parts()[:3]))
    for at in range(len(data)):
        with pytest.raises(RefusedTransferError):
            unframed(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])


def test_frames_in_another_order_or_left_out_are_refused() -> None:
    pieces = list(framed(parts()))
    for at in range(len(pieces) - 1):
        with pytest.raises((RefusedTransferError, RefusedObjectError)):
            unframed(b"".join((*pieces[:at], *pieces[at + 1 :])))


def sealed(*frames: tuple[int, bytes]) -> bytes:
    """Return frames with an end that proves them, whatever they hold."""
    from blake3 import blake3

    data = b"".join(seal(form, raw, packer(3)) for form, raw in frames)
    data += b"\xf5OXE" + bytes(16)
    return data + blake3(data).digest()


ID: Final = b"\1" * 32
BAD: Final[dict[str, tuple[Callable[[], Iterable[tuple[int, bytes]]], str]]] = {
    "an operation": (
        lambda: [(RECORDS, record(OPERATION, ID, b"x"))],
        "only changes, blobs and signatures",
    ),
    "a record cut short": (lambda: [(RECORDS, record(BLOB, ID, b"x")[:-1])], "longer than its"),
    "a stray piece": (
        lambda: [(NEXT_PIECE, next_piece(BLOB, ID, 1, b"x"))],
        "out of its place",
    ),
    "pieces that end": (
        lambda: [(FIRST_PIECE, first_piece(BLOB, ID, 9, b"x"))],
        "more, or less",
    ),
    "a piece of another": (
        lambda: [
            (FIRST_PIECE, first_piece(BLOB, ID, 9, b"x")),
            (NEXT_PIECE, next_piece(BLOB, b"\2" * 32, 1, b"x")),
        ],
        "a piece of it is another's",
    ),
    "a record amid pieces": (
        lambda: [
            (FIRST_PIECE, first_piece(BLOB, ID, 9, b"x")),
            (RECORDS, record(BLOB, ID, b"x")),
        ],
        "lacks pieces",
    ),
    "a change over its limits": (
        lambda: [(FIRST_PIECE, first_piece(CHANGE, ID, 1 << 30, b"x"))],
        "over the limits of a change",
    ),
    "an impossible size": (
        lambda: [(FIRST_PIECE, first_piece(BLOB, ID, 1 << 60, b"x"))],
        "impossible size",
    ),
    "fewer than it says": (list, ""),
    "more than it says": (lambda: [(RECORDS, record(BLOB, ID, b"x"))], "more, or less"),
}


@pytest.mark.parametrize("what", BAD)
def test_frames_that_lie_are_refused(what: str) -> None:
    frames, rule = BAD[what]
    data = sealed(*frames())
    if not rule:
        assert unframed(data) == []
        return
    with pytest.raises((RefusedTransferError, RefusedObjectError), match=rule):
        unframed(data)


def test_a_bomb_is_refused_before_it_is_opened() -> None:
    class Bomb:
        def compress(self, data: bytes, /) -> bytes:
            return ZstdCompressor(level=1).compress(b"\0" * (1 << 24) + data)

    frame = seal(RECORDS, b"\0" * FRAME_LIMIT, Bomb())
    with pytest.raises(RefusedTransferError, match="declares another size"):
        unframed(frame + bytes(END_SIZE))


def test_ids_are_those_that_were_stated() -> None:
    (part,) = singly(Unframer(BytesIO(sealed_one()).read).parts())
    assert part.id == BlobId(ID)


def sealed_one() -> bytes:
    return b"".join(framed([BlobPart(BlobId(ID), 1, iter([b"x"]))]))
