"""How much room text takes on a terminal (spec: command-line, L39). Pure."""

from __future__ import annotations

COMBINING = {"Mn", "Me"}
WIDE = {"W", "F"}


def width(text: str) -> int:
    """Return how many columns escaped text takes.

    Cost: one look over ASCII.
    """
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def padded(text: str, columns: int) -> str:
    """Return escaped text with spaces behind it, so that it takes that many columns or more."""
    return text + " " * (columns - width(text))


def clipped(text: str, columns: int) -> str:
    """Return as much of escaped text as has room."""
    if text.isascii():
        return text[:columns]
    taken = 0
    for at, letter in enumerate(text):
        taken += _columns(letter)
        if taken > columns:
            return text[:at]
    return text


def _columns(letter: str) -> int:
    from unicodedata import category, east_asian_width

    if category(letter) in COMBINING:
        return 0
    return 2 if east_asian_width(letter) in WIDE else 1
