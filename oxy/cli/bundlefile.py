"""The file of a bundle, or a standard stream in its place (spec: sync, SY28)."""

from __future__ import annotations

import contextlib
import os
import sys

from oxy.cli.front import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from oxy.cli.output import Output

STREAM = "-"
"""What stands for standard input or output."""


@contextlib.contextmanager
def reading(file: str) -> Iterator[BinaryIO]:
    """Open the file of a bundle, or take standard input.

    Raises:
        UsageError: a bundle is to be typed.
        OSError: it cannot be read.
    """
    if file != STREAM:
        with open(file, "rb") as stream:
            yield stream
        return
    if sys.stdin is None or sys.stdin.isatty():
        message = "a bundle is not typed: name a file, or lead one to standard input"
        raise UsageError(message)
    yield sys.stdin.buffer


def written(file: str, pieces: Iterable[bytes], out: Output) -> int:
    """Write a bundle; the file is there when it is whole, or not at all. Return its size.

    Raises:
        OSError: it cannot be written.
    """
    size = 0
    if file == STREAM:
        for piece in pieces:
            out.raw(piece)
            size += len(piece)
        return size
    beside = f"{file}.{os.getpid()}.part"
    try:
        with open(beside, "xb") as stream:
            for piece in pieces:
                stream.write(piece)
                size += len(piece)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, file)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
        raise
    return size
