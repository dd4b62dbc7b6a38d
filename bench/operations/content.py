"""Content and bytes that operations are measured on; all of it follows from a seed. Pure."""

import random
from typing import Final

SEED: Final = 20_261_201
REPEATED: Final = "repeated"
NOISE: Final = "noise"
KINDS: Final = (REPEATED, NOISE)
KIB: Final = 1 << 10
MIB: Final = 1 << 20
_HEAD: Final = 8


def chance(seed: int = 0) -> random.Random:
    """Return a source of the same numbers each time."""
    return random.Random(SEED + seed)  # noqa: S311 - the same each time is what is wanted


def contents(kind: str, length: int, count: int) -> list[bytes]:
    """Return contents that are all different: of a repeated pattern, or of noise."""
    if kind == NOISE:
        source = chance(length)
        return [source.randbytes(length) for _ in range(count)]
    pattern = (b"the same words again and again; " * (length // 32 + 1))[: length - _HEAD]
    return [b"%08d" % number + pattern for number in range(count)]


def source_text(lines: int, seed: int = 0) -> bytes:
    """Return lines that look like source, no two alike."""
    numbers = chance(seed)
    words = ("value", "count", "return", "index", "if", "line", "state", "for", "name")
    return b"".join(
        f"    {' '.join(numbers.choices(words, k=5))} = {number}\n".encode()
        for number in range(lines)
    )


def size_told(length: int) -> str:
    """Return a length as it is called in a table."""
    for unit, name in ((MIB, "MiB"), (KIB, "KiB")):
        if length >= unit and not length % unit:
            return f"{length // unit} {name}"
    return f"{length} B"
