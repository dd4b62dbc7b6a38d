"""Large objects in their frames: all of one, or a part of it (spec: store, ST7, ST36)."""

from __future__ import annotations

from oxy.typed import TYPE_CHECKING, NamedTuple

from oxy.store.errors import (
    FrameDamagedError,
    ObjectDamagedError,
    SegmentDamagedError,
    StoreIOError,
    called,
)
from oxy.store.frame import FIRST_PIECE, NEXT_PIECE
from oxy.store.record import FIRST_HEAD, NEXT_HEAD, Place, is_piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oxy.store.index import Located
    from oxy.store.segment import Frame, SegmentFiles, Step


class _Wanted(NamedTuple):
    """The object that is read."""

    kind: int
    object_id: bytes
    place: Place


class Pieces:
    """Reads objects that have frames of their own."""

    __slots__ = ("_files",)

    def __init__(self, files: SegmentFiles) -> None:
        self._files = files

    def whole(self, kind: int, located: Located) -> Iterator[bytes]:
        """Yield the pieces of an object, each proven to be as it was written and to belong.

        Raises:
            ObjectDamagedError: a piece is not there, damaged or something else's.
            StoreIOError: the system cannot read.
        """
        wanted = _Wanted(kind, *located[1:])
        frame: Frame | None = None
        got = index = 0
        while got < wanted.place.size or index == 0:
            try:
                where = (
                    wanted.place[:2]
                    if frame is None
                    else self._files.follow(frame.segment, frame.end)
                )
                frame = self._files.frame(*where)
            except (FrameDamagedError, SegmentDamagedError, StoreIOError) as error:
                raise refused(kind, wanted.object_id, wanted.place, error) from error
            data = frame.raw[_require_piece(wanted, index, frame) :]
            if got + len(data) > wanted.place.size:
                raise _strange(wanted, index)
            yield data
            got += len(data)
            index += 1

    def part(self, kind: int, located: Located, offset: int, size: int) -> bytes:
        """Return bytes of an object from a place on, fewer only at its end.

        Frames before them are stepped over by their heads, once; those that hold them are read
        and proven, and kept among the frames that were read last.
        Cost: two small reads for each piece before them that was never stepped over.

        Raises:
            ObjectDamagedError, StoreIOError: as `whole`.
        """
        wanted = _Wanted(kind, *located[1:])
        end = min(offset + size, wanted.place.size)
        parts: list[bytes] = []
        at = index = 0
        try:
            steps = self._files.steps(wanted.place.segment, wanted.place.offset)
            while at < end:
                if index == len(steps):
                    steps.append(self._step(wanted, steps))
                step = steps[index]
                after = at + step.raw - _head_size(index)
                if after > offset:
                    frame = self._files.frame(step.segment, step.offset, keep=True)
                    start = _require_piece(wanted, index, frame) - at
                    parts.append(frame.raw[start + max(offset, at) : start + min(end, after)])
                at = after
                index += 1
        except (FrameDamagedError, SegmentDamagedError, StoreIOError) as error:
            raise refused(kind, wanted.object_id, wanted.place, error) from error
        return b"".join(parts)

    def _step(self, wanted: _Wanted, steps: list[Step]) -> Step:
        """Return the step to the piece after those that are known."""
        if steps:
            step = self._files.step(*self._files.follow(steps[-1].segment, steps[-1].end))
        else:
            step = self._files.step(*wanted.place[:2])
        form = NEXT_PIECE if steps else FIRST_PIECE
        if step.form != form or step.raw <= _head_size(len(steps)):
            raise _strange(wanted, len(steps))
        return step


def _head_size(index: int) -> int:
    return NEXT_HEAD if index else FIRST_HEAD


def _require_piece(wanted: _Wanted, index: int, frame: Frame) -> int:
    """Return where the bytes of the piece begin, if it is the one that is wanted."""
    form = NEXT_PIECE if index else FIRST_PIECE
    stated = index or wanted.place.size
    if frame.form != form or not is_piece(frame.raw, *wanted[:2], index, stated):
        raise _strange(wanted, index)
    return _head_size(index)


def _strange(wanted: _Wanted, index: int) -> ObjectDamagedError:
    return damaged(*wanted, f"piece {index} is something else")


def damaged(kind: int, object_id: bytes, place: Place, what: str) -> ObjectDamagedError:
    """Return the error that says what is wrong with an object."""
    return ObjectDamagedError(kind, object_id, place.segment, place.offset, what)


def refused(
    kind: int,
    object_id: bytes,
    place: Place,
    error: FrameDamagedError | SegmentDamagedError | StoreIOError,
) -> ObjectDamagedError | StoreIOError:
    """Return the error that says which object could not be read for another error."""
    if isinstance(error, StoreIOError):
        doing = f"read {called(kind, object_id)} from"
        return StoreIOError(error.path, doing, error.errno, error.why)
    return damaged(kind, object_id, place, error.what)
