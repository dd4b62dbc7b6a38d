"""Differences that look past white space, for display only (spec: diff). Pure."""

import re  # noqa: TID253 - what it is made of; loaded for that
from collections.abc import Callable
from oxy.typed import Final

from oxy.diff.lines import Edit, edits_of_lines

ALL: Final = "all"
"""White space counts for nothing."""

AMOUNT: Final = "amount"
"""How much there is counts for nothing, and at the end of a line whether there is any."""

_BLANKS: Final = re.compile(rb"[ \t\r\f\v\n]+")


def edits_past(old: bytes, new: bytes, past: str) -> list[Edit]:
    """Return the edits between two texts that are more than white space.

    `past` is `ALL` or `AMOUNT`. Cost: linear in both texts.
    """
    key = _without if past == ALL else _squeezed
    return edits_of_lines(_keys(old, key), _keys(new, key))


def _keys(text: bytes, key: Callable[[bytes], bytes]) -> list[bytes]:
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return list(map(key, lines))


def _without(line: bytes) -> bytes:
    return _BLANKS.sub(b"", line)


def _squeezed(line: bytes) -> bytes:
    return _BLANKS.sub(b" ", line).rstrip(b" ")
