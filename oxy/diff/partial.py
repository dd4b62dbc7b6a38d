"""A text with some of the edits between it and another (spec: working-copy, W18). Pure."""

from collections.abc import Iterable

from oxy.diff.lines import Edit


def applied(old: bytes, new: bytes, chosen: Iterable[Edit]) -> bytes:
    """Return the old text with some of `edits(old, new)`, which ascend.

    A last line without LF stays last: what replaces it or follows it is one edit with it.
    Cost: splitting both texts.
    """
    old_lines, new_lines = _lines(old), _lines(new)
    parts: list[bytes] = []
    at = 0
    for old_start, old_count, new_start, new_count in chosen:
        parts += old_lines[at:old_start]
        parts += new_lines[new_start : new_start + new_count]
        at = old_start + old_count
    return b"".join((*parts, *old_lines[at:]))


def _lines(text: bytes) -> list[bytes]:
    # Not splitlines, which splits at a CR too.
    lines = [line + b"\n" for line in text.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
