"""What of a Git repository is too much, in one place (spec: git-bridge, GB70). Pure.

What comes from strangers may be made to fill memory, so each limit is checked before anything
of that size is read.
"""

from typing import Final

from oxy.errors import RequestError

REFS: Final = 250_000
"""Branches, tags, remote branches and notes."""

PARENTS: Final = 4096
"""Parents of one commit; the most in public repositories is 66."""

PATHS: Final = 400_000
"""Files and directories in which one commit differs from its first parent."""

PATH_BYTES: Final = 64 << 20
"""Bytes of the paths of those, and of one path."""

RECORD: Final = 15 << 20
"""Bytes of a commit or a tag; they are kept in a header."""

TREE: Final = 64 << 20
"""Bytes of one tree."""

BLOB: Final = 1 << 30
"""Bytes of one file."""

ALLOCATED: Final = 200 << 20
"""Bytes that git may ask for at once where it reads no files."""

SLACK: Final = 1 << 20
"""What it may ask for beyond the bytes of a file."""

KEPT: Final = 4 << 20
"""Bytes that are kept for a tag of a tree or of a blob."""


class OverLimitError(RequestError):
    """Something in a Git repository is larger than any import takes."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the Git repository cannot be imported: {what}")
        self.what = what
