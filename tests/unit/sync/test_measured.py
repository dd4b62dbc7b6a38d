from collections.abc import Iterator

from oxy.model.digest import BlobId, ChangeId
from oxy.store.protocol import BLOB, Whole
from oxy.store.record import RECORD_HEAD, Place
from oxy.sync.measured import measured
from oxy.sync.part import BlobPart, ChangePart, FramePart, Part

NAME = b"x" * 32


class Heard:
    """Progress that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[int, int]] = []

    def update(self, done: int, _total: int | None, what: str, size: int = 0) -> None:
        assert what == "objects sent"
        self.told.append((done, size))


def test_what_passes_is_counted_with_its_bytes() -> None:
    raw = bytes(RECORD_HEAD) + b"12345"
    frame = FramePart(Whole(b"packed", raw), [(BLOB, NAME, Place(0, 0, 0, 5))] * 3)
    parts: list[Part] = [
        ChangePart(ChangeId(NAME), b"1234"),
        BlobPart(BlobId(NAME), 5, iter((b"123", b"45"))),
        frame,
    ]
    heard = Heard()
    taken = [
        b"".join(part.chunks) if isinstance(part, BlobPart) else part
        for part in measured(parts, heard, "objects sent")
    ]
    assert taken == [parts[0], b"12345", frame]
    assert heard.told == [(1, 4), (1, 7), (1, 9), (2, 9), (5, 9 + len(raw))]


def test_a_part_is_told_once_it_was_taken() -> None:
    heard = Heard()

    def coming() -> Iterator[Part]:
        yield ChangePart(ChangeId(NAME), b"1")
        assert heard.told == [(1, 1)]
        yield ChangePart(ChangeId(NAME), b"2")

    assert len(list(measured(coming(), heard, "objects sent"))) == 2
