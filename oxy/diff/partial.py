"""A text with some of the edits between it and another (spec: working-copy, W18). Pure."""

from collections.abc import Iterable, Sequence
from oxy.typed import TypeVar

from oxy.diff.lines import Edit

Line = TypeVar("Line", bytes, int)


def applied(old: bytes, new: bytes, chosen: Iterable[Edit]) -> bytes:
    """Return the old text with some of `edits(old, new)`, which ascend.

    A last line without LF stays last: what replaces it or follows it is one edit with it.
    Cost: splitting both texts.
    """
    return b"".join(edited(lines_of(old), lines_of(new), chosen))


def edited(old: Sequence[Line], new: Sequence[Line], chosen: Iterable[Edit]) -> list[Line]:
    """Return old lines with some of the edits that lead to the new, which ascend."""
    lines: list[Line] = []
    at = 0
    for old_start, old_count, new_start, new_count in chosen:
        lines += old[at:old_start]
        lines += new[new_start : new_start + new_count]
        at = old_start + old_count
    lines += old[at:]
    return lines


def lines_of(text: bytes) -> list[bytes]:
    """Return the lines of a text, each with its LF."""
    # Not splitlines, which splits at a CR too.
    lines = [line + b"\n" for line in text.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
