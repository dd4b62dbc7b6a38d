"""Paths that stand in quotes in a patch, read (spec: command-line, diff). Pure."""

import re  # noqa: TID253 - what it is made of; loaded for that
from oxy.typed import Final

from oxy.diff.quoting import SPECIAL

_MEANT: Final = {letter: bytes([byte]) for byte, letter in SPECIAL.items()}
_QUOTED: Final = re.compile(rb'"((?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7][0-7])*)"')
_ESCAPE: Final = re.compile(rb'\\([abtnvfr"\\]|[0-3][0-7][0-7])')


def unquoted(text: bytes) -> tuple[bytes, int] | None:
    """Return the path that a text begins with in quotes, and where that ends; None if none."""
    found = _QUOTED.match(text)
    if found is None:
        return None
    return _ESCAPE.sub(_meant, found[1]), found.end()


def _meant(found: re.Match[bytes]) -> bytes:
    escape = found[1]
    if escape.isdigit():
        return bytes([int(escape, 8)])
    return _MEANT.get(escape, escape)
