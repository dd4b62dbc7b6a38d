"""Tell of what travels how much has (spec: sync, SY63; command-line, L8)."""

from collections.abc import Iterable, Iterator

from oxy.progress import Progress
from oxy.sync.part import BlobPart, FramePart, Part


def measured(
    parts: Iterable[Part], progress: Progress, what: str, total: int | None = None
) -> Iterator[Part]:
    """Yield parts, and tell how many objects were taken and the bytes of their contents.

    Of a large blob its pieces are told as they pass. Cost: 0.3 us a part.
    """
    told = _Told(progress, what, total)
    for part in parts:
        if isinstance(part, BlobPart):
            yield part._replace(chunks=told.passing(part.chunks))
        else:
            yield part
            told.size += len(part.whole.raw if isinstance(part, FramePart) else part.payload)
        told.done += len(part.records) if isinstance(part, FramePart) else 1
        told.tell()


class _Told:
    """What was told last."""

    __slots__ = ("_progress", "_total", "_what", "done", "size")

    def __init__(self, progress: Progress, what: str, total: int | None) -> None:
        self._progress = progress
        self._what = what
        self._total = total
        self.done = 0
        self.size = 0

    def tell(self) -> None:
        self._progress.update(self.done, self._total, self._what, self.size)

    def passing(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            yield chunk
            self.size += len(chunk)
            self.tell()
