"""The extra fields that keep what Git wrote (spec: git-bridge, GB6 to GB9, GB17)."""

from typing import Final

COMMIT: Final = b"git:commit"
"""The raw commit up to where its message begins."""

MESSAGE: Final = b"git:message"
"""The raw message, where the change's own differs."""

RULES: Final = b"git:import-rules"
"""The version of the rules by which a commit became a change."""

TREES: Final = b"git:trees"
"""Trees that are not written as oxy would: an array of (path, raw tree), in order of paths."""

TAG: Final = b"git:tag"
"""The raw tag object, in the field of a tag."""
