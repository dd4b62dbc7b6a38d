"""Hunks of a unified diff, as Git prints them, without file headers (spec: diff). Pure."""

from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.diff.lines import Edit, edits

CONTEXT = 3
_NO_LF = b"\\ No newline at end of file"


class Hunk(NamedTuple):
    """One hunk: line numbers from 0, and its lines with their prefix and without LF.

    After a line that ends the text without LF stands the line that says so.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: list[bytes]

    def header(self) -> bytes:
        """Return the `@@` line, without a function name and without LF."""
        old = _range(self.old_start, self.old_count)
        new = _range(self.new_start, self.new_count)
        return b"@@ -%b +%b @@" % (old, new)


def hunks(old: bytes, new: bytes, context: int = CONTEXT) -> list[Hunk]:
    """Return the hunks between two texts with `context` unchanged lines around each.

    Cost: that of `edits`, and splitting both texts.
    """
    return shown(old, new, list(grouped(edits(old, new), context)), context)


def shown(
    old: bytes, new: bytes, groups: Sequence[Sequence[Edit]], context: int = CONTEXT
) -> list[Hunk]:
    """Return hunks of edits that are grouped already; no context reaches into another group.

    Where the edits look past white space, unchanged lines are shown as the new text has them.
    """
    if not groups:
        return []
    old_lines, new_lines = _split(old), _split(new)
    ends = [0, *(group[-1].old_start + group[-1].old_count for group in groups[:-1])]
    starts = [*(group[0].old_start for group in groups[1:]), len(old_lines)]
    return [
        _hunk(old_lines, new_lines, group, _Around(context, first, last))
        for group, first, last in zip(groups, ends, starts, strict=True)
    ]


class _Around(NamedTuple):
    """How many lines are shown around edits, and the old lines among which they are."""

    context: int
    first: int
    last: int


def _split(text: bytes) -> list[bytes]:
    lines = text.split(b"\n")
    last = lines.pop()
    if last:
        lines.append(last + b"\n" + _NO_LF)
    return lines


def grouped(found: Sequence[Edit], context: int = CONTEXT) -> Iterator[list[Edit]]:
    """Yield groups of the edits whose context touches or overlaps."""
    if not found:
        return
    group = [found[0]]
    for edit in found[1:]:
        last = group[-1]
        if edit.old_start - (last.old_start + last.old_count) > 2 * context:
            yield group
            group = []
        group.append(edit)
    yield group


def _hunk(
    old_lines: Sequence[bytes],
    new_lines: Sequence[bytes],
    group: Sequence[Edit],
    around: _Around,
) -> Hunk:
    first, last = group[0], group[-1]
    before = min(around.context, first.old_start - around.first)
    start, new_start = first.old_start - before, first.new_start - before
    at = new_start
    lines: list[bytes] = []
    for edit in group:
        old_end = edit.old_start + edit.old_count
        new_end = edit.new_start + edit.new_count
        lines += [b" " + line for line in new_lines[at : edit.new_start]]
        lines += [b"-" + line for line in old_lines[edit.old_start : old_end]]
        lines += [b"+" + line for line in new_lines[edit.new_start : new_end]]
        at = new_end
    old_end = last.old_start + last.old_count
    after = min(around.context, around.last - old_end)
    lines += [b" " + line for line in new_lines[at : at + after]]
    shown = [part for line in lines for part in line.split(b"\n")]
    return Hunk(start, old_end + after - start, new_start, at + after - new_start, shown)


def _range(start: int, count: int) -> bytes:
    """Write a range as Git does: an empty one names the line before; a 1 is left out."""
    if count == 1:
        return b"%d" % (start + 1)
    return b"%d,%d" % (start + 1 if count else start, count)
