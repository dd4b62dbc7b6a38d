"""Numbers as arguments (spec: command-line, L5)."""

from __future__ import annotations

_DIGITS = 18


def positive(text: str) -> int:
    """Return a number from 1 up.

    Raises:
        ArgumentTypeError: it is none.
    """
    return _number(text, 1)


def whole(text: str) -> int:
    """Return a number from 0 up.

    Raises:
        ArgumentTypeError: it is none.
    """
    return _number(text, 0)


def _number(text: str, least: int) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    if not is_number or int(text) < least:
        from argparse import ArgumentTypeError

        message = f"'{text}' is no whole number from {least} up"
        raise ArgumentTypeError(message)
    return int(text)
