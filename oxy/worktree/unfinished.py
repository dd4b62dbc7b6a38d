"""Files that a first checkout left half-written when killed (spec: working-copy, W43)."""

from collections.abc import Iterator

from oxy.worktree.reader import TreeReader


def is_beginning(reader: TreeReader, path: bytes, whole: Iterator[bytes]) -> bool:
    """Tell whether a file holds a beginning of some content, or all of it.

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
            if not size or chunk[at : at + size] != held[:size]:
                return False
            at, held = at + size, held[size:]
    return True
