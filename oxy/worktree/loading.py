"""Read a file of the working copy to record it (spec: working-copy, reading; names, N8).

A file is text unless there is a NUL in its first 8,000 bytes or it is over the text limit.
"""

from collections.abc import Iterator
from itertools import chain
from oxy.typed import Final, NamedTuple

from blake3 import blake3

from oxy.model.operation import KIND_BINARY, KIND_SYMLINK
from oxy.repo.textual import kind_of
from oxy.worktree.item import executable, is_symlink, size_of
from oxy.worktree.reader import ChangedError, TreeReader

HELD: Final = 4 << 20
"""Bytes of a binary file that are held in memory; a larger one is read again to be stored."""


class Loaded(NamedTuple):
    """A file as it is: `data` is None for a binary that is too large to be held."""

    kind: int
    mode: int
    data: bytes | None
    size: int
    digest: bytes


def load(reader: TreeReader, path: bytes, record: bytes) -> Loaded:
    """Read a file, or where a symlink points.

    Cost: memory for a text, or for a binary of up to `HELD` bytes.

    Raises:
        ChangedError: it is not what the record says, or was written meanwhile.
        UnreadableError, NotAFileError: as TreeReader.
    """
    if is_symlink(record):
        content = reader.target(path)
        if content.record != record:
            raise ChangedError(path)
        digest = blake3(content.data).digest()
        return Loaded(KIND_SYMLINK, 0, content.data, len(content.data), digest)
    records: list[bytes] = []
    chunks = reader.chunks(path, records)
    size, mode = size_of(record), executable(record)
    first = next(chunks, b"")
    kind = kind_of(first, size)
    if kind == KIND_BINARY and size > HELD:
        data, digest = None, _hashed(chain((first,), chunks))
    else:
        data = b"".join(chain((first,), chunks))
        digest = blake3(data).digest()
    if records != [record]:
        raise ChangedError(path)
    return Loaded(kind, mode, data, size, digest)


def again(reader: TreeReader, path: bytes, record: bytes, digest: bytes) -> Iterator[bytes]:
    """Yield a file that was read before, and prove that it still is the same.

    Raises:
        ChangedError: it is not.
    """
    records: list[bytes] = []
    hasher = blake3()
    for chunk in reader.chunks(path, records):
        hasher.update(chunk)
        yield chunk
    if records != [record] or hasher.digest() != digest:
        raise ChangedError(path)


def _hashed(chunks: Iterator[bytes]) -> bytes:
    hasher = blake3()
    for chunk in chunks:
        hasher.update(chunk)
    return hasher.digest()
