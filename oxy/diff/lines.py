"""Two texts to the edits between them, line by line (spec: diff). Pure.

Lines end in LF; a last piece without LF is a line too. The common head and tail are cut off in
bytes, so that the cost follows the edit.
"""

from collections.abc import Sequence
from oxy.typed import NamedTuple

from oxy.diff.bounded import changed_keys
from oxy.diff.sift import Sifted, sift
from oxy.diff.slide import Block, places, slide
from oxy.diff.trim import middle_of
from oxy.diff.window import ListWindow, TextWindow, Window

DIFF_RULES = 1
"""The version of what `edits` returns.

Identities of imported changes depend on it: a change of any result needs a new number. So does
one of `oxy.diff.similarity` and `oxy.diff.renames`.
"""


class Edit(NamedTuple):
    """Lines of the old text that lines of the new one replace, by line number from 0."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


def edits(old: bytes, new: bytes) -> list[Edit]:
    """Return what differs between two texts: ascending edits that do not touch.

    Cost: comparisons of slices for what is common at the head and the tail; linear in the lines
    between, and quadratic only within a budget.
    """
    if old == new:
        return []
    middle = middle_of(old, new)
    head = middle.head
    start = old.count(b"\n", 0, head)
    return _between(
        TextWindow(old, start, head, middle.old_end, middle.old_stop),
        TextWindow(new, start, head, middle.new_end, middle.new_stop),
    )


def edits_of_lines(old: Sequence[bytes], new: Sequence[bytes]) -> list[Edit]:
    """Return what differs between two texts that are split into lines already.

    Lines are compared as they are. The whole tail is looked at, of which `edits` sees no more
    than about 1 KiB, so an edit that can slide may be placed lower. Cost: linear in the lines.
    """
    head = _common_lines(old, new, min(len(old), len(new)))
    limit = min(len(old), len(new)) - head
    tail = _common_lines(old[::-1], new[::-1], limit)
    if head == len(old) == len(new):
        return []
    return _between(
        ListWindow(old, head, len(old) - tail), ListWindow(new, head, len(new) - tail)
    )


def _common_lines(old: Sequence[bytes], new: Sequence[bytes], limit: int) -> int:
    for at, (old_line, new_line) in enumerate(zip(old[:limit], new[:limit], strict=False)):
        if old_line != new_line:
            return at
    return limit


def _between(old: Window, new: Window) -> list[Edit]:
    if old.middle and new.middle:
        dropped, added = _changed(old, new)
        if len(dropped) == len(added) == 1 and dropped[0].start == added[0].start:
            return [_edit(dropped[0], added[0])]
    else:
        dropped, added = _whole(old), _whole(new)
    dropped, added = slide(old, new, dropped, added)
    tightened = [tight(old, new, edit) for edit in _paired(dropped, added)]
    return [edit for edit in tightened if edit.old_count or edit.new_count]


def _whole(window: Window) -> list[Block]:
    count = len(window.middle)
    return [Block(window.start, window.start + count)] if count else []


def _changed(old: Window, new: Window) -> tuple[list[Block], list[Block]]:
    """Return the blocks of each side that a shortest edit does not keep."""
    old_sifted, new_sifted = sift(old, new)
    old_keys, new_keys = old_sifted.keys, new_sifted.keys
    if old_keys and new_keys:
        marks = changed_keys(old_keys, new_keys)
        dropped, added = marks.dropped, marks.added
    else:
        dropped, added = list(range(len(old_keys))), list(range(len(new_keys)))
    return _blocks(old_sifted, dropped, old.start), _blocks(new_sifted, added, new.start)


def _blocks(side: Sifted, marked: Sequence[int], start: int) -> list[Block]:
    changed, positions = side.set_aside, side.positions
    for at in marked:
        changed[positions[at]] = 1
    blocks: list[Block] = []
    begin = changed.find(1)
    while begin >= 0:
        end = changed.find(0, begin)
        end = len(changed) if end < 0 else end
        blocks.append(Block(start + begin, start + end))
        begin = changed.find(1, end)
    return blocks


def _edit(dropped: Block, added: Block) -> Edit:
    return Edit(
        dropped.start, dropped.end - dropped.start, added.start, added.end - added.start
    )


def tight(old: Window, new: Window, edit: Edit) -> Edit:
    """Return an edit without equal lines at its borders, which blocks that slid can leave."""
    x, old_count, y, new_count = edit
    while old_count and new_count and old.line(x) == new.line(y):
        x, y, old_count, new_count = x + 1, y + 1, old_count - 1, new_count - 1
    while (
        old_count and new_count and old.line(x + old_count - 1) == new.line(y + new_count - 1)
    ):
        old_count, new_count = old_count - 1, new_count - 1
    return Edit(x, old_count, y, new_count)


def _paired(dropped: Sequence[Block], added: Sequence[Block]) -> list[Edit]:
    """Join the blocks that stand at the same unchanged line."""
    result: list[Edit] = []
    dropped_at, added_at = places(dropped), places(added)
    shift = 0  # new line number less old line number of the unchanged lines
    changed = 0
    for place in sorted({*dropped_at, *added_at}):
        at = place + changed
        old_block = dropped_at.get(place) or Block(at, at)
        new_block = added_at.get(place) or Block(at + shift, at + shift)
        edit = _edit(old_block, new_block)
        changed += edit.old_count
        shift += edit.new_count - edit.old_count
        result.append(edit)
    return result
