"""The extra fields that keep what Git wrote (spec: git-bridge, GB6 to GB9, GB17)."""

from typing import Final

from oxy.model.change import Header
from oxy.repo import origin

COMMIT: Final = origin.COMMIT
"""The raw commit up to where its message begins."""

MESSAGE: Final = origin.MESSAGE
"""The raw message, where the change's own differs."""

RULES: Final = b"git:import-rules"
"""The version of the rules by which a commit became a change."""

TREES: Final = b"git:trees"
"""Trees that are not written as oxy would: an array of (path, raw tree), in order of paths."""

BLOBS: Final = b"git:blobs"
"""Blobs that only trees kept raw name: an array of their bytes, in order of their ids."""

TAG: Final = origin.TAG_OBJECT
"""The raw tag object, in the field of a tag."""


def raw_commit(header: Header) -> bytes | None:
    """Return the commit that a change came from, as it was written; None if from none."""
    fields = dict(header.extra)
    head = fields.get(COMMIT)
    return None if head is None else head + fields.get(MESSAGE, header.message)
