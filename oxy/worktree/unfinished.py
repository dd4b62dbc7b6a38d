"""Files that an interrupted switch left half-written (spec: working-copy, W43, W57).

A killed process leaves a beginning. Power that fails leaves a file with its length and without
some of its bytes, which read as zeros, or without any.
"""

from collections.abc import Iterator

from oxy.worktree.reader import TreeReader


def is_remainder(reader: TreeReader, path: bytes, whole: Iterator[bytes]) -> bool:
    """Tell whether a file holds a beginning of some content, or all of it, perhaps with zeros.

    Cost: both are read as far as they are alike; memory for a piece of each.

    Raises:
        ChangedError, NotAFileError, UnreadableError: as `TreeReader.chunks`.
    """
    held = b""
    for chunk in reader.chunks(path, []):
        at = 0
        while at < len(chunk):
            held = held or next(whole, b"")
            size = min(len(held), len(chunk) - at)
            if not size or not _is_left_of(chunk[at : at + size], held[:size]):
                return False
            at, held = at + size, held[size:]
    return True


def _is_left_of(part: bytes, whole: bytes) -> bool:
    """Tell whether bytes are those of others, or zero."""
    if part == whole:
        return True
    return all(byte in (0, other) for byte, other in zip(part, whole, strict=True))
