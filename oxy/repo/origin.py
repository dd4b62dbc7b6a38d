"""Where a change came from, as bridges note it in its extra fields (spec: git-bridge)."""

from oxy.typed import Final

from oxy.model.change import Header
from oxy.repo.headers import headers_of
from oxy.store.protocol import Reader

COMMIT: Final = b"git:commit"
"""The raw Git commit up to its message."""

MESSAGE: Final = b"git:message"
"""The raw message, where that of the change is not byte for byte the same."""


PARTIAL: Final = b"git:partial"
"""What a change lacks of its commit: it, or one beneath it, was not imported whole."""

TAG_OBJECT: Final = b"git:tag"
"""The raw Git tag object, in the field of a tag."""


def git_commit(header: Header) -> bytes | None:
    """Return the id of the Git commit that a change was made of, 20 bytes, or None.

    Cost: a SHA-1 of the commit, where there is one.
    """
    if not header.extra:
        return None
    extra = dict(header.extra)
    head = extra.get(COMMIT)
    if head is None:
        return None
    from hashlib import sha1

    raw = head + extra.get(MESSAGE, header.message)
    return sha1(b"commit %d\0" % len(raw) + raw, usedforsecurity=False).digest()


def git_parents(header: Header) -> tuple[bytes, ...]:
    """Return the ids of the parents of the Git commit that a change was made of, in order."""
    head = dict(header.extra).get(COMMIT, b"") if header.extra else b""
    named = (line.partition(b" ") for line in head.split(b"\n"))
    return tuple(bytes.fromhex(name.decode()) for key, _, name in named if key == b"parent")


def is_imported(reader: Reader, change: int) -> bool:
    """Return whether a change was made of a Git commit. Cost: its header."""
    ((_, _, header),) = headers_of(reader, [change])
    return COMMIT in dict(header.extra)
