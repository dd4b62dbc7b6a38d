"""Paths as Git writes them in a patch (spec: command-line, diff). Pure."""

import re
from oxy.typed import Final

_SPECIAL: Final = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r"}
_MEANT: Final = {letter: bytes([byte]) for byte, letter in _SPECIAL.items()}
_QUOTED: Final = re.compile(rb'"((?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7][0-7])*)"')
_ESCAPE: Final = re.compile(rb'\\([abtnvfr"\\]|[0-3][0-7][0-7])')


def quoted(path: bytes) -> bytes:
    """Return a path as Git writes it in a patch: quoted where it holds what would mislead."""
    if path.isascii() and path.decode().isprintable() and not {0x22, 0x5C} & set(path):
        return path
    return b'"%b"' % b"".join(map(_escaped, path))


def unquoted(text: bytes) -> tuple[bytes, int] | None:
    """Return the path that a text begins with in quotes, and where that ends; None if none."""
    found = _QUOTED.match(text)
    if found is None:
        return None
    return _ESCAPE.sub(_meant, found[1]), found.end()


def _escaped(byte: int) -> bytes:
    if byte in _SPECIAL:
        return b"\\" + _SPECIAL[byte]
    if byte in {0x22, 0x5C}:
        return b"\\%c" % byte
    return b"%c" % byte if 0x20 <= byte < 0x7F else b"\\%03o" % byte  # noqa: PLR2004 - ASCII


def _meant(found: re.Match[bytes]) -> bytes:
    escape = found[1]
    if escape.isdigit():
        return bytes([int(escape, 8)])
    return _MEANT.get(escape, escape)
