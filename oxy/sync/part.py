"""What travels, each after what it needs (spec: sync, SY4, SY34, SY83)."""

from collections.abc import Iterable, Iterator, Sequence
from oxy.typed import NamedTuple, TypeAlias

from oxy.model.digest import BlobId, ChangeId
from oxy.store.protocol import BLOB, Whole
from oxy.store.record import RECORD_HEAD, Place


class ChangePart(NamedTuple):
    """A change: the id that it is said to have, and its payload."""

    id: ChangeId
    payload: bytes


class BlobPart(NamedTuple):
    """A blob: its id, its size and its bytes in pieces, to be taken before the next part."""

    id: BlobId
    size: int
    chunks: Iterator[bytes]


class SignaturePart(NamedTuple):
    """A signature of a change that came before it, or is there: its id, and its payload."""

    id: bytes
    payload: bytes


class FramePart(NamedTuple):
    """Many small blobs, in a frame as it is stored; `records` are (kind, id, place) of each."""

    whole: Whole
    records: Sequence[tuple[int, bytes, Place]]

    def blobs(self) -> Iterator[BlobPart]:
        """Yield the blobs one by one."""
        for _, name, (_, _, slot, size) in self.records:
            start = slot + RECORD_HEAD
            data = self.whole.raw[start : start + size]
            yield BlobPart(BlobId(name), size, iter((data,)))

    @property
    def is_of_blobs(self) -> bool:
        """Whether there are blobs in it and nothing else."""
        return bool(self.records) and all(kind == BLOB for kind, _, _ in self.records)


Single: TypeAlias = ChangePart | BlobPart | SignaturePart
Part: TypeAlias = Single | FramePart


def pass_over(parts: Iterable[Part]) -> None:
    """Take parts that nobody wants: what is sent behind them can be read then."""
    for part in parts:
        if isinstance(part, BlobPart):
            for _ in part.chunks:
                pass
