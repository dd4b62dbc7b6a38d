"""A target: what takes bytes, and good ones to begin from.

It may end in an `OxyError`, which is a refusal, and in nothing else. Where bytes are sealed by
a digest, the target seals them first: who forges can do that too.
"""

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from oxy.errors import OxyError

ID: Final = bytes(range(32))
"""The id of a change that nobody has."""


class Target(NamedTuple):
    """A decoder or parser, and what makes good bytes for it."""

    run: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]

    def feed(self, data: bytes) -> None:
        """Run it; a refusal is an answer."""
        try:
            self.run(data)
        except OxyError:
            return


class Folder:
    """A directory in which a target finds a file with its bytes."""

    def __init__(self) -> None:
        self._path: Path | None = None

    @contextmanager
    def holding(self, name: str, data: bytes) -> Iterator[bytes]:
        """Yield the directory while it holds a file."""
        if self._path is None:
            memory = Path("/dev/shm")  # noqa: S108 - a disk that others use is slow
            where = memory if memory.is_dir() else None
            self._path = Path(tempfile.mkdtemp(prefix="oxy-fuzz-", dir=where))
            atexit.register(shutil.rmtree, self._path, ignore_errors=True)
        (self._path / name).write_bytes(data)
        yield bytes(self._path)


FOLDER: Final = Folder()
