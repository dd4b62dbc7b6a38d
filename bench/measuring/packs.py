"""Packs of Git made of given blobs, so that a bench hands both systems the same content."""

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from typing import Final

BLOB: Final = 3
_LOW: Final = 0x0F
_SEVEN: Final = 0x7F
_MORE: Final = 0x80


def entry_head(size: int) -> bytes:
    """Return the head of a blob's entry: its kind and its size, seven bits a byte."""
    made = bytearray()
    byte, size = BLOB << 4 | size & _LOW, size >> 4
    while size:
        made.append(byte | _MORE)
        byte, size = size & _SEVEN, size >> 7
    made.append(byte)
    return bytes(made)


def pack(contents: Sequence[bytes], level: int = 1) -> bytes:
    """Return a pack of blobs, none of them a delta."""
    parts = [b"PACK", (2).to_bytes(4), len(contents).to_bytes(4)]
    for content in contents:
        parts += (entry_head(len(content)), zlib.compress(content, level))
    body = b"".join(parts)
    return body + hashlib.sha1(body, usedforsecurity=False).digest()


def names(contents: Iterable[bytes]) -> list[str]:
    """Return the ids that Git gives blobs."""
    return [
        hashlib.sha1(b"blob %d\0%b" % (len(each), each), usedforsecurity=False).hexdigest()
        for each in contents
    ]
