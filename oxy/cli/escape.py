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

# First and last code point. Ignorable ones are here too: two names must not look the same.
HIDDEN = (
    (0x0000, 0x001F),
    (0x007F, 0x009F),
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xD800, 0xDFFF),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)


def shown(code: int) -> str:
    """Return how one code point is shown."""
    if code == TAB or not any(first <= code <= last for first, last in HIDDEN):
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
