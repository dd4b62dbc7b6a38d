"""Progress shown on a terminal (spec: command-line, L8).

One line of standard error, rewritten in place. Work that ends within a second shows none.
"""

from __future__ import annotations

import os
import time

from oxy.cli.escape import escape
from oxy.model.width import clipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

PATIENCE = 1.0
INTERVAL = 0.1
ERASE = b"\r\x1b[K"
MINUTE = 60
WIDTH = 80
SHORT = 1000


class Silent:
    """Progress that nobody watches."""

    __slots__ = ()

    def update(self, done: int, total: int | None, what: str, size: int = 0) -> None:
        """Show nothing."""


class Watcher:
    """Progress on a terminal: how much is done, how fast, and how long the rest will take."""

    __slots__ = ("_clock", "_columns", "_next", "_shows", "_started", "_stream", "_what")

    def __init__(self, stream: BinaryIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        # A line that wraps could not be rewritten.
        self._columns = columns_of(stream) - 1
        self._clock = clock
        self._what = ""
        self._started = clock()
        self._next = self._started + PATIENCE
        self._shows = False

    def update(self, done: int, total: int | None, what: str, size: int = 0) -> None:
        """Show how far it is, unless that was shown a moment ago."""
        now = self._clock()
        if what != self._what:
            self._what, self._started = what, now
        if now < self._next:
            return
        self._next = now + INTERVAL
        line = clipped(
            escape(described(done, total, what, now - self._started, size)), self._columns
        )
        self._put(ERASE + line.encode())
        self._shows = True

    def clear(self) -> None:
        """Take the line away before something else is written."""
        if self._shows:
            self._put(ERASE)
            self._shows = False

    def _put(self, data: bytes) -> None:
        # A terminal that has gone away is no reason to stop work.
        try:
            self._stream.write(data)
            self._stream.flush()
        except OSError:
            self._next = float("inf")


def columns_of(stream: BinaryIO) -> int:
    """Return how wide a terminal is; 80 where it does not say."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDTH
    except OSError:
        return WIDTH


def described(done: int, total: int | None, what: str, seconds: float, size: int = 0) -> str:
    """Return one line on the progress after so many seconds of this kind of work."""
    rate = done / seconds if seconds > 0 else 0.0
    speed = f"{rate:.0f}/s"
    if size:
        speed = f"{bytes_of(size)}, {bytes_of(size / seconds if seconds > 0 else 0)}/s"
    if total is None:
        return f"{done} {what}, {speed}"
    line = f"{done} of {total} {what}, {speed}"
    if rate == 0 or done > total:
        return line
    minutes, rest = divmod(round((total - done) / rate), MINUTE)
    return f"{line}, {minutes}:{rest:02d} left"


def bytes_of(size: float) -> str:
    """Return a number of bytes, shortly: of a thousand or more in units of 1,024."""
    units = ("bytes", "KiB", "MiB", "GiB", "TiB")
    step = 0
    while size >= SHORT and step < len(units) - 1:
        size /= 1024
        step += 1
    return f"{size:.1f} {units[step]}" if step else f"{size:.0f} {units[step]}"
