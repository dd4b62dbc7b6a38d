r"""Text from anywhere, made safe for a terminal (spec: threat-model, T11).

Shown escaped: control characters but TAB (`\x1b`), C1 controls and all characters that take no
room or turn the direction of text (`\u202e`), and bytes that are not UTF-8 (`\xff`). A
backslash stands for itself: this is for reading, and JSON is for programs.
"""

TAB = 0x09
FIRST_BAD_BYTE = 0xDC80
LAST_BAD_BYTE = 0xDCFF
ESCAPED_BYTE = 0xDC00
LATIN = 0x80
PLANE = 0x10000


def shown(code: int) -> str:
    """Return how one code point is shown."""
    # Most output is ASCII and never comes here.
    from oxy.model.hidden import is_hidden

    if code == TAB or not is_hidden(code):
        return chr(code)
    if FIRST_BAD_BYTE <= code <= LAST_BAD_BYTE:
        return f"\\x{code - ESCAPED_BYTE:02x}"
    if code < LATIN:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < PLANE else f"\\U{code:08x}"


class Shown(dict[int, str]):
    """What `str.translate` looks up; filled when a code point is first met."""

    def __missing__(self, code: int) -> str:
        """Work one code point out, and keep it where that cannot fill memory."""
        text = shown(code)
        if code < PLANE:
            self[code] = text
        return text


SHOWN = Shown()


def escape(value: str | bytes) -> str:
    """Return text that is safe to show on one line of a terminal.

    Bytes are read as UTF-8. A str may carry bytes as `os.fsdecode` leaves them. The result can
    be encoded as UTF-8. Cost: one look over ASCII; else about 30 ns a character.
    """
    text = value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")
    if text.isascii() and text.replace("\t", " ").isprintable():
        return text
    return text.translate(SHOWN)
