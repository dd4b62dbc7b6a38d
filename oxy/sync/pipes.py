"""A pair of pipes over which a wire runs, with a limit on silence (spec: sync, SY19, SY51)."""

import os
import select
import time
from collections.abc import Callable
from oxy.typed import Final

from oxy.sync import limits
from oxy.sync.errors import GoneError, LostError

_ROOM: Final = 4 * limits.PIECE


def _nothing() -> str:
    return ""


class Pipes:
    """Reads from one descriptor and writes to another: a `Read` and a `Write` of a wire.

    Memory: what one read brings, and a piece.
    """

    __slots__ = ("_in", "_limit", "_out", "_rest", "_why")

    def __init__(
        self,
        source: int,
        target: int,
        limit: float = limits.SILENCE,
        why: Callable[[], str] = _nothing,
    ) -> None:
        """Begin to use two descriptors, which stay the caller's to close.

        Args:
            source: read from.
            target: written to; it does not block from here on.
            limit: seconds in which what is wanted must have come, or been taken.
            why: what else is known of why the other side ended; nothing if nothing is.
        """
        self._in = source
        self._out = target
        self._limit = limit
        self._why = why
        self._rest = bytearray()
        os.set_blocking(target, False)

    def read(self, size: int) -> bytes:
        """Return exactly so many bytes, or none where the other side has ended.

        Raises:
            LostError: it ended before, or they did not come in time.
        """
        end = time.monotonic() + self._limit
        while len(self._rest) < size:
            self._wait(self._in, select.POLLIN, end, "nothing came")
            data = os.read(self._in, _ROOM)
            if not data:
                words = self._why()
                if not self._rest and not words:
                    return b""
                raise LostError(words or "the other side has ended in the middle")
            self._rest += data
        found = bytes(self._rest[:size])
        del self._rest[:size]
        return found

    def write(self, data: bytes) -> None:
        """Write all of some bytes.

        Raises:
            GoneError: nobody reads them any more.
            LostError: they were not taken in time.
        """
        end = time.monotonic() + self._limit
        left = memoryview(data)
        while left:
            self._wait(self._out, select.POLLOUT, end, "nothing was taken")
            try:
                left = left[os.write(self._out, left) :]
            except BlockingIOError:
                continue
            except (BrokenPipeError, ConnectionResetError) as error:
                why = "the other side has ended"
                raise GoneError(why) from error

    def _wait(self, descriptor: int, event: int, end: float, what: str) -> None:
        left = end - time.monotonic()
        poll = select.poll()
        poll.register(descriptor, event)
        if left <= 0 or not poll.poll(left * 1000):
            why = f"{what} for {self._limit:g} seconds"
            raise LostError(why)
