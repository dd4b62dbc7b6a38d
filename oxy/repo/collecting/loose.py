"""Whether much was written since something was packed, without the store (spec: ST63)."""

import os
from oxy.typed import Final

TAIL: Final = 1 << 19
"""Bytes behind what is packed from which on a command packs them when it has ended."""


def is_loose(control: bytes) -> bool:
    """Tell whether the last segment of a store is long. Cost: its name and its length."""
    segments = os.path.join(control, b"segments")
    last = max(os.listdir(segments), default=None)
    return last is not None and os.stat(os.path.join(segments, last)).st_size >= TAIL
