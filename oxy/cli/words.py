"""Which words of lines changed, shown beside the lines or in place of them (spec: L61)."""

from __future__ import annotations

from itertools import groupby

from oxy.cli.output import Styled
from oxy.diff.words import refine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oxy.cli.output import Output, Part, Style
    from oxy.diff.words import Span

LF = b"\n"


def write_lines(out: Output, lines: Sequence[bytes]) -> None:
    """Write the lines of a hunk in colour; words that changed stand out."""
    for parts in marked(lines):
        out.verbatim(*parts)


def marked(lines: Sequence[bytes]) -> Iterator[tuple[Part, ...]]:
    """Yield each line of a hunk in parts: what is other than before in a style of its own."""
    for removed, added, others in replaced(lines):
        old, new = _joined(removed), _joined(added)
        spans = refine(old, new) if removed and added else ([], [])
        yield from _styled(removed, spans[0], "removed")
        yield from _styled(added, spans[1], "added")
        yield from ((line,) for line in others)


def replaced(
    lines: Sequence[bytes],
) -> Iterator[tuple[list[bytes], list[bytes], list[bytes]]]:
    """Yield (removed lines, added lines, lines that follow) of a hunk, with their prefixes.

    What says that a text ends without LF follows, wherever it stands.
    """
    runs = [(sign, list(run)) for sign, run in groupby(lines, lambda line: line[:1])]
    at = 0
    while at < len(runs):
        taken: dict[bytes, list[bytes]] = {b"-": [], b"+": []}
        others: list[bytes] = []
        for sign in (b"-", b"+"):
            if at < len(runs) and runs[at][0] == sign:
                taken[sign] = runs[at][1]
                at += 1
                if sign == b"-" and at < len(runs) and runs[at][0] == b"\\":
                    break
        if at < len(runs) and runs[at][0] not in {b"-", b"+"}:
            others = runs[at][1]
            at += 1
        yield taken[b"-"], taken[b"+"], others


def _joined(lines: Sequence[bytes]) -> bytes:
    return b"".join(line[1:] + LF for line in lines)


def _styled(
    lines: Sequence[bytes], spans: Sequence[Span], style: Style
) -> Iterator[tuple[Part, ...]]:
    """Yield lines with the given spans of their joined text set apart, unless that is all."""
    word: Style = "added word" if style == "added" else "removed word"
    is_whole = sum(end - start for start, end in spans) >= len(_joined(lines))
    start = 0
    for line in lines:
        end = start + len(line) - 1
        parts: list[Part] = [Styled(style, line[:1])]
        at = start
        for first, last in () if is_whole else spans:
            low, high = max(first, at), min(last, end)
            if low < high:
                parts.append(Styled(style, line[at - start + 1 : low - start + 1]))
                parts.append(Styled(word, line[low - start + 1 : high - start + 1]))
                at = high
        parts.append(Styled(style, line[at - start + 1 :]))
        yield tuple(part for part in parts if not isinstance(part, Styled) or part.value)
        start = end + 1


def write_words(out: Output, lines: Sequence[bytes]) -> None:
    """Write the lines of a hunk with changed words inside them: `[-old-]{+new+}`.

    Where there is colour, that stands in place of the brackets.
    """
    for removed, added, others in replaced(lines):
        for parts in _merged(_joined(removed), _joined(added), coloured=out.is_coloured):
            out.verbatim(*parts)
        for line in others:
            out.verbatim(line[1:] if line.startswith(b" ") else line)


def _merged(old: bytes, new: bytes, *, coloured: bool) -> Iterator[tuple[Part, ...]]:
    """Yield the lines of two texts as one."""
    line: list[Part] = []
    for style, text in _stretches(old, new):
        pieces = text.split(LF)
        for number, piece in enumerate(pieces):
            if piece:
                line.append(_bracketed(style, piece, coloured=coloured))
            if number < len(pieces) - 1 and (line or style is None):
                yield tuple(line) or (b"",)
                line = []
    if line:
        yield tuple(line)


def _stretches(old: bytes, new: bytes) -> Iterator[tuple[Style | None, bytes]]:
    """Yield what both texts have, and what only one has, in order."""
    removed, added = refine(old, new)
    old_at = new_at = 0
    while removed or added:
        # What is common is as long in both, so the nearer change comes next.
        gaps = [
            spans[0].start - at for spans, at in ((removed, old_at), (added, new_at)) if spans
        ]
        gap = min(gaps)
        if gap:
            yield None, new[new_at : new_at + gap]
            old_at, new_at = old_at + gap, new_at + gap
        if removed and removed[0].start == old_at:
            yield "removed", old[old_at : removed[0].end]
            old_at = removed.pop(0).end
        if added and added[0].start == new_at:
            yield "added", new[new_at : added[0].end]
            new_at = added.pop(0).end
    if new[new_at:]:
        yield None, new[new_at:]


def _bracketed(style: Style | None, piece: bytes, *, coloured: bool) -> Part:
    if style is None:
        return piece
    if coloured:
        return Styled(style, piece)
    return b"[-%b-]" % piece if style == "removed" else b"{+%b+}" % piece
