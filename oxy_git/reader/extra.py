"""The extra fields that keep what Git wrote (spec: git-bridge, GB6 to GB9, GB17)."""

from collections.abc import Sequence
from typing import Final, cast

import msgpack

from oxy.model.change import Header
from oxy.repo import origin

COMMIT: Final = origin.COMMIT
"""The raw commit up to where its message begins."""

MESSAGE: Final = origin.MESSAGE
"""The raw message, where the change's own differs."""

RULES: Final = b"git:import-rules"
"""The version of the rules by which a commit became a change."""

PARTIAL: Final = origin.PARTIAL
"""What a change lacks of its commit."""

TREES: Final = b"git:trees"
"""Trees that are not written as oxy would: an array of (path, raw tree), in order of paths."""

BLOBS: Final = b"git:blobs"
"""Blobs that only trees kept raw name: an array of their bytes, in order of their ids."""

TAG: Final = origin.TAG_OBJECT
"""The raw tag object, in the field of a tag."""

REF: Final = b"git:ref"
"""The full name of a remote branch, in its field."""

KEPT: Final = b"git:kept"
"""Objects that a ref leads to which leads to no commit: an array of (kind, bytes)."""


def tag_fields(tags: Sequence[bytes]) -> tuple[tuple[bytes, bytes], ...]:
    """Return the fields of a tag: its tag object, and those that it leads through."""
    names = (TAG + (b".%d" % place if place else b"") for place in range(len(tags)))
    return tuple(zip(names, tags, strict=True))


def tags_of(fields: Sequence[tuple[bytes, bytes]]) -> tuple[bytes, ...]:
    """Return the tag objects among fields: the inverse of `tag_fields`."""
    return tuple(value for name, value in fields if name.startswith(TAG))


def things_of(fields: Sequence[tuple[bytes, bytes]]) -> tuple[tuple[bytes, bytes], ...]:
    """Return the objects that are kept among fields: (kind, bytes), the first the one named."""
    packed = dict(fields).get(KEPT, b"\x90")
    return cast("tuple[tuple[bytes, bytes], ...]", msgpack.unpackb(packed, use_list=False))


def raw_commit(header: Header) -> bytes | None:
    """Return the commit that a change came from, as it was written; None if from none."""
    fields = dict(header.extra)
    head = fields.get(COMMIT)
    return None if head is None else head + fields.get(MESSAGE, header.message)
