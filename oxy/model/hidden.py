"""Characters that a terminal must not be given as they are (spec: threat-model, T11). Pure.

The table is fixed, so that what is made with it is the same everywhere and for ever.
"""

from oxy.typed import Final

HIDDEN: Final = (
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
"""First and last code point: controls, what takes no room, what turns the direction of text.

Ignorable ones are here too: two names must not look the same.
"""


def is_hidden(code: int) -> bool:
    """Tell whether a code point is one of them."""
    return any(first <= code <= last for first, last in HIDDEN)
