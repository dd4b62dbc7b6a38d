"""Which bytes changed inside a replaced hunk, for display only (spec: diff). Pure.

Nothing that is stored depends on it, so it is not covered by the rules' number.
"""

from oxy.typed import NamedTuple

from oxy.diff.lines import edits_of_lines

MAX_BYTES = 1 << 16
"""Hunks whose sides hold more bytes than this together are shown as wholly changed."""

_MIN_COMMON_PER_MILLE = 200


class Span(NamedTuple):
    """Bytes [start, end) of one side of a hunk."""

    start: int
    end: int


def refine(old: bytes, new: bytes) -> tuple[list[Span], list[Span]]:
    """Return the changed spans of both sides of a hunk: ascending, not touching.

    The units are words, runs of white space and single other bytes; a word holds letters,
    digits, underscores and bytes beyond ASCII, so that no character in UTF-8 is torn. Sides
    that share too little come back as wholly changed: their few common words
    would only confuse. Cost: bounded by 64 KiB of text.
    """
    if len(old) + len(new) > MAX_BYTES:
        return _wholly(old), _wholly(new)
    old_words, new_words = _words(old), _words(new)
    old_spans: list[Span] = []
    new_spans: list[Span] = []
    old_at, new_at = _offsets(old_words), _offsets(new_words)
    for x, old_count, y, new_count in edits_of_lines(old_words, new_words):
        if old_count:
            old_spans.append(Span(old_at[x], old_at[x + old_count]))
        if new_count:
            new_spans.append(Span(new_at[y], new_at[y + new_count]))
    common = len(old) - sum(span.end - span.start for span in old_spans)
    if common * 1000 < min(len(old), len(new)) * _MIN_COMMON_PER_MILLE:
        return _wholly(old), _wholly(new)
    return old_spans, new_spans


def _words(text: bytes) -> list[bytes]:
    import re

    return re.findall(rb"[0-9A-Za-z_\x80-\xff]+|[ \t]+|[^0-9A-Za-z_\x80-\xff \t]", text)


def _wholly(side: bytes) -> list[Span]:
    return [Span(0, len(side))] if side else []


def _offsets(words: list[bytes]) -> list[int]:
    offsets = [0]
    for word in words:
        offsets.append(offsets[-1] + len(word))
    return offsets
