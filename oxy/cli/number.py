"""Numbers as arguments (spec: command-line, L5)."""

from __future__ import annotations


def positive(text: str) -> int:
    """Return a number from 1 up; argparse tells the user of a ValueError."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number
