"""Search files for lines: those of the working copy, or of a state (spec: L67)."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from oxy.typed import Final, NamedTuple

from oxy.actions.seeking import Around, Hit, Matcher, hits, pieces
from oxy.actions.status import require
from oxy.actions.tree import files_at
from oxy.model.operation import KIND_BINARY, KIND_TEXT
from oxy.repo.states import Name
from oxy.repo.textual import LOOKED_AT
from oxy.repo.trees import tree_of
from oxy.worktree.conflicted import content
from oxy.worktree.descent import Descent
from oxy.worktree.listing import RECORD, UnreadableError
from oxy.worktree.parallel import walk_whole
from oxy.worktree.vouched import OnDisk
from oxy.worktree.walk import Rules, walk
from oxy.worktree.workcopy import WorkingCopy

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK: Final = 1 << 20
_REGULAR: Final = 0o10


class Found(NamedTuple):
    """A file in which something matches, and its lines, to be taken before the next file.

    Of a binary file it is only told that it does, by one line.
    """

    path: bytes
    binary: bool
    hits: Iterator[Hit]


def grep(
    sources: Iterable[tuple[bytes, Iterable[bytes]]], matcher: Matcher, around: Around
) -> Iterator[Found]:
    """Yield the files that match, with their lines.

    Args:
        sources: paths, and the content of each in pieces.
        matcher: what is looked for.
        around: the lines to be shown around each that matches.
    """
    for path, chunks in sources:
        rest = iter(chunks)
        start = next(rest, b"")
        found = hits(matcher, pieces(chain((start,), rest)), around)
        first = next(found, None)
        if first is not None:
            binary = b"\0" in start[:LOOKED_AT]
            yield Found(path, binary, iter((first,)) if binary else chain((first,), found))


def working(
    copy: WorkingCopy, only: Sequence[bytes] = ()
) -> Iterator[tuple[bytes, Iterable[bytes]]]:
    """Yield the files of the working copy that are not ignored, as they are on disk.

    Each is to be read before the next. Cost: a stat a file, and reading it.

    Raises:
        NoSuchPathError: a path is nowhere.
        UnreadableError: a file cannot be read.
    """
    for path in only:
        require(copy, path)
    rules = Rules(copy.noted)
    if only:
        listings = walk(copy.fd, copy.manifest, only, rules=rules)
    else:
        listings = walk_whole(copy.fd, copy.manifest, rules)
    descent = Descent(copy.fd)
    try:
        for listing in listings:
            start = listing.path + b"/" if listing.path else b""
            for at, name in enumerate(listing.names):
                mode = RECORD.unpack_from(listing.stats, at * RECORD.size)[-1]
                if mode >> 12 == _REGULAR:
                    yield start + name, _read(descent, listing.path, name)
    finally:
        descent.close()


def _read(descent: Descent, directory: bytes, name: bytes) -> Iterator[bytes]:
    path = directory + b"/" + name if directory else name
    try:
        fd = os.open(name, _FLAGS, dir_fd=descent.at(directory))
    except FileNotFoundError:
        return
    except OSError as error:
        raise UnreadableError(path, error) from error
    try:
        while chunk := os.read(fd, _CHUNK):
            yield chunk
    except OSError as error:
        raise UnreadableError(path, error) from error
    finally:
        os.close(fd)


def recorded(
    copy: WorkingCopy, state: Name, only: Sequence[bytes] = ()
) -> Iterator[tuple[bytes, Iterable[bytes]]]:
    """Yield the files of a state, conflicts with their markers.

    Cost: reading every one, on disk where it is as there.

    Raises:
        NoPathError: the state has nothing at a path.
    """
    repository = copy.repository
    wanted = files_at(tree_of(repository, state), only)
    members = repository.states.members(state)
    disk = OnDisk(copy, state)
    try:
        for path, entry in wanted:
            if entry.kind in {KIND_TEXT, KIND_BINARY}:
                held = disk.read(path, entry)
                yield (
                    path,
                    content(repository, entry.node, members) if held is None else (held,),
                )
    finally:
        disk.close()
