"""The differences between two texts, for recording: trimmed, then Python's own differ."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple


class Edit(NamedTuple):
    """A stretch of old lines and the stretch of new lines that is there instead."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


def edits_between(old: Sequence[str], new: Sequence[str]) -> tuple[Edit, ...]:
    """Return the edits that make the new text of the old one, in order, none adjacent."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = SequenceMatcher(None, old_middle, new_middle, autojunk=False)
    return tuple(
        Edit(head + i1, i2 - i1, head + j1, j2 - j1)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines two texts share at their start."""
    pairs: Iterator[tuple[str, str]] = zip(one, other, strict=False)
    return next(
        (n for n, (mine, theirs) in enumerate(pairs) if mine != theirs),
        min(len(one), len(other)),
    )


def apply_edits(old: Sequence[str], new: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """Return what the edits make of the old text, with the new lines taken from the new one."""
    made: list[str] = []
    position = 0
    for edit in edits:
        made.extend(old[position : edit.old_start])
        made.extend(new[edit.new_start : edit.new_start + edit.new_count])
        position = edit.old_start + edit.old_count
    made.extend(old[position:])
    return made
