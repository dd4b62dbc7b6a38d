"""What the working copy was made from, without opening the store (spec: CP19, CP25).

A cache, so that a clean `status` loads no database. It holds what the store said, and a
witness: bytes that are others after any commit to the store. Where the witness is not the same,
or a commit is going on, the store has to be asked.
"""

import os
import struct
import zlib
from contextlib import suppress
from oxy.typed import Final, NamedTuple

MAGIC: Final = b"oxyhere4"
_NAME: Final = b"cache/here"
_CRC: Final = struct.Struct("<I")
_PARTS: Final = struct.Struct("<IIiIQQ??")
_STAT: Final = struct.Struct("<QQQ")
_NO_BOOKMARK: Final = -1

# The header of an SQLite database has a counter that every commit advances.
_HEADER: Final = 100
_IDLE: Final = bytes(8)


class Standing(NamedTuple):
    """How a bookmark stands to the one of its name that it follows, as that was last seen.

    Attributes:
        remote: whose that is.
        ahead: how many changes the bookmark has that the other has not.
        behind: the other way round.
    """

    remote: bytes
    ahead: int
    behind: int


class Here(NamedTuple):
    """The state that the files were made from, as the manifest names it, and the bookmark.

    `disputed` tells whether anything in that state is in conflict, `moved` whether the bookmark
    holds another state by now: somebody pushed to it. `standing` is the bookmark's to the one
    that it follows, None where it follows none, or that was not seen.
    """

    state: bytes
    bookmark: bytes | None
    disputed: bool = False
    moved: bool = False
    standing: Standing | None = None


def witness(control: bytes) -> bytes | None:
    """Return bytes that change with every commit to the store; None while one goes on.

    Args:
        control: the `.oxy` directory of the store.

    Cost: reads of two headers, and the names of the segments.
    """
    try:
        if _head(control + b"/index.db-journal", len(_IDLE)) not in (b"", _IDLE):
            return None
        header = _head(control + b"/index.db", _HEADER)
        status = os.stat(control + b"/index.db")
        segments = sorted(os.listdir(control + b"/segments"))
        last = os.stat(control + b"/segments/" + segments[-1]).st_size if segments else 0
    except OSError:
        return None
    if len(header) != _HEADER:
        return None
    return header + _STAT.pack(status.st_ino, len(segments), last)


def recall(control: bytes, store: bytes) -> Here | None:
    """Return what is remembered in the `.oxy` of a working copy, if it still stands."""
    try:
        content = _head(control + b"/" + _NAME, 1 << 16)
    except OSError:
        return None
    body = content[len(MAGIC) + _CRC.size :]
    if content[: -len(body)] != MAGIC + _CRC.pack(zlib.crc32(body)) or len(body) < _PARTS.size:
        return None
    seen_size, state_size, bookmark_size, remote_size, ahead, behind, disputed, moved = (
        _PARTS.unpack_from(body)
    )
    state_at = _PARTS.size + seen_size
    remote_at = state_at + state_size
    bookmark_at = remote_at + remote_size
    if witness(store) != body[_PARTS.size : state_at]:
        return None
    bookmark = None if bookmark_size == _NO_BOOKMARK else body[bookmark_at:]
    remote = body[remote_at:bookmark_at]
    standing = Standing(remote, ahead, behind) if remote else None
    return Here(body[state_at:remote_at], bookmark, disputed, moved, standing)


def remember(control: bytes, seen: bytes | None, here: Here) -> None:
    """Write down what the store said after the witness was taken, if that can be done."""
    if seen is None:
        return
    bookmark_size = _NO_BOOKMARK if here.bookmark is None else len(here.bookmark)
    remote, ahead, behind = here.standing or (b"", 0, 0)
    sizes = len(seen), len(here.state), bookmark_size, len(remote)
    body = _PARTS.pack(*sizes, ahead, behind, here.disputed, here.moved)
    body += seen + here.state + remote + (here.bookmark or b"")
    path = control + b"/" + _NAME
    temporary = b"%s.%d" % (path, os.getpid())
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(MAGIC + _CRC.pack(zlib.crc32(body)) + body)
        os.replace(temporary, path)


def _head(path: bytes, size: int) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(size) or b""
    except FileNotFoundError:
        return b""
