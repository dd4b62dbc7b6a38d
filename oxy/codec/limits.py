"""Every limit of the encoding in one place (spec: model, M46). Pure.

They are checked before memory is spent on what they bound.
"""

from oxy.typed import Final

INLINE: Final = 4096
"""Content of this many bytes or more is a blob beside the change."""

INLINE_TOTAL: Final = 1 << 20
"""Bytes of content that lie inside one change; what would exceed them is a blob."""

HEADER: Final = 16 << 20
"""Bytes of an encoded header."""

OPERATIONS: Final = 128 << 20
"""Bytes of encoded operations."""

MESSAGE: Final = 8 << 20
"""Bytes of a message."""

AUTHOR: Final = 4096
"""Bytes of an author."""

TEXT: Final = 256 << 20
"""Bytes of a text; what is longer is binary, so no text edit ever reads more."""

LINES: Final = (1 << 32) - 1
"""Lines that one change inserts into one node."""

DEPTH: Final = 1024
"""Components of a directory's path."""

NAME: Final = 255
"""Bytes of one name."""

PATHS: Final = 64 << 20
"""Bytes of the paths of all directories that one change lists."""

ITEMS: Final = 1 << 23
"""Items (integers, byte strings, arrays) of one part; each may cost 100 bytes once decoded."""

BLOB: Final = 1 << 40
"""Bytes of a blob that a change may name."""

KEY: Final = 255
"""Bytes of the key of an extra field."""

SIGNATURE: Final = 32 << 10
"""Bytes of an encoded signature; one made with a key of 16,384 bits is under 8 KiB."""

SIGNATURES: Final = 64
"""Signatures of one change that are taken in from elsewhere."""
