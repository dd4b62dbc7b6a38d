"""Paths as Git writes them in a patch (spec: command-line, diff). Pure."""

from oxy.typed import Final

SPECIAL: Final = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r"}
"""Bytes that are escaped by a letter."""


def quoted(path: bytes) -> bytes:
    """Return a path as Git writes it in a patch: quoted where it holds what would mislead."""
    if path.isascii() and path.decode().isprintable() and not {0x22, 0x5C} & set(path):
        return path
    return b'"%b"' % b"".join(map(_escaped, path))


def _escaped(byte: int) -> bytes:
    if byte in SPECIAL:
        return b"\\" + SPECIAL[byte]
    if byte in {0x22, 0x5C}:
        return b"\\%c" % byte
    return b"%c" % byte if 0x20 <= byte < 0x7F else b"\\%03o" % byte  # noqa: PLR2004 - ASCII
