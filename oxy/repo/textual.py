"""What of a file is text, and how a graph sees it (spec: names, N8; model). Pure."""

from oxy.typed import Final

from oxy.codec.limits import TEXT
from oxy.model.operation import KIND_BINARY, KIND_TEXT

LOOKED_AT: Final = 8000
"""Bytes at the start in which a NUL makes a file binary."""


def kind_of(start: bytes, size: int) -> int:
    """Return whether a file of a size that begins so is text or binary."""
    return KIND_BINARY if size > TEXT or b"\0" in start[:LOOKED_AT] else KIND_TEXT


def with_final_lf(data: bytes) -> bytes:
    """Return a text as its graph sees it: every line ends in LF, and an empty text has none."""
    return data if not data or data.endswith(b"\n") else data + b"\n"
