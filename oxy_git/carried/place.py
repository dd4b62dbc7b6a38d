"""Where the changes lie in a Git repository (spec: git-bridge, GB49). Pure.

The payload of a change is at `changes/AB/CDEF...`, by its id in hex, and the bytes of a blob at
`blobs/AB/CDEF...`.
"""

import re
from typing import Final

REF: Final = b"refs/oxy/changes"
"""The ref of the commit whose tree has them; Git fetches and clones no such ref unasked."""

CHANGES: Final = b"changes"
BLOBS: Final = b"blobs"

_PATH: Final = re.compile(rb"(changes|blobs)/([0-9a-f]{2})/([0-9a-f]{62})")


def path_of(kind: bytes, name: bytes) -> bytes:
    """Return where an object lies."""
    digits = name.hex().encode()
    return b"%s/%s/%s" % (kind, digits[:2], digits[2:])


def named(path: bytes) -> tuple[bytes, bytes] | None:
    """Return the kind and the id of the object at a path; None of anything else."""
    found = _PATH.fullmatch(path)
    return None if found is None else (found[1], bytes.fromhex((found[2] + found[3]).decode()))
