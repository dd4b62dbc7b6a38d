"""How much of a text another one holds, in lines (spec: diff). Pure.

A fingerprint weighs the distinct lines of a text by their bytes. Lines are named by CRC-32,
which is the same in every process; two lines of one name can only make texts look more alike,
and only a guess ever rests on it.
"""

from collections import Counter
from oxy.typed import NamedTuple
from zlib import crc32

MAX_LINES = 100_000
"""Lines that are looked at; what follows counts as unlike everything."""
MIN_BYTES = 16
"""A text of fewer bytes is never like another: there is too little to go by."""


class Fingerprint(NamedTuple):
    """The size of a text in bytes, and the bytes in the lines of each name."""

    size: int
    weights: dict[int, int]


def fingerprint(text: bytes) -> Fingerprint:
    """Return the fingerprint of a text.

    Cost: linear in its first 100,000 lines.
    """
    lines = text.split(b"\n", MAX_LINES)
    if len(lines) > MAX_LINES or not lines[-1]:
        lines.pop()
    weights: dict[int, int] = {}
    for line, times in Counter(lines).items():
        name = crc32(line)
        weights[name] = weights.get(name, 0) + (len(line) + 1) * times
    return Fingerprint(len(text), weights)


def similarity(one: Fingerprint, other: Fingerprint) -> int:
    """Return the bytes in common lines, per mille of the larger text; symmetric.

    A text shorter than 16 bytes is like nothing. Cost: linear in the lines of the smaller
    fingerprint.
    """
    smaller, larger = sorted((one.size, other.size))
    if smaller < MIN_BYTES:
        return 0
    few, many = one.weights, other.weights
    if len(few) > len(many):
        few, many = many, few
    common = sum(min(weight, many.get(name, 0)) for name, weight in few.items())
    return min(common, larger) * 1000 // larger
