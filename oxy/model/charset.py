"""Text in a coding that its sender names, as UTF-8 (spec: GB10, L64). Pure.

Whoever sends text chooses the name too, so codings that take quadratic time are none here.
"""

import codecs
from oxy.typed import Final

_AS_IT_IS: Final = frozenset({"ascii", "utf-8", "idna", "punycode"})
"""Codings that need nothing done, and those that are slow on purpose."""


def recoded(text: bytes, coding: bytes | str) -> bytes:
    """Return text as UTF-8, or as it is where its coding is not known or not its own.

    Cost: linear.
    """
    try:
        named = coding if isinstance(coding, str) else coding.decode("ascii")
        name = codecs.lookup(named).name
        return text if name in _AS_IT_IS else text.decode(name).encode()
    except (LookupError, ValueError):
        return text
