"""A file with conflicts read back (spec: conflicts, C22, C23). Pure.

What stands in the file as it was written is a conflict that is left alone. One whose markers
are all gone is resolved by what stands in its place. Anything else is refused.
"""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.diff.lines import Edit, edits, edits_of_lines
from oxy.errors import RequestError
from oxy.phase import phase
from oxy.repo.textual import with_final_lf
from oxy.worktree.marked import Marked


class MarkersLeftError(RequestError):
    """Files hold markers of conflicts that are neither untouched nor resolved.

    `left` are (path, line from 1): the first such line of each file.
    """

    def __init__(self, left: Sequence[tuple[bytes, int]]) -> None:
        named = ", ".join(f"{os.fsdecode(path)}:{line}" for path, line in left)
        super().__init__(f"markers of conflicts are left at {named}")
        self.left = tuple(left)


class NotAloneError(RequestError):
    """A conflict stands in a file untouched, and cannot be left alone beside the edits."""

    def __init__(self, path: bytes, line: int, rule: str) -> None:
        where = f"{os.fsdecode(path)}:{line}"
        super().__init__(f"the conflict at {where} cannot be left as it is: {rule}")
        self.path = path
        self.line = line
        self.rule = rule


class Untouched(NamedTuple):
    """A conflict that stands in a file as it was written; `line` is its first, from 0."""

    conflict: int
    line: int


class ReadBack(NamedTuple):
    """What a file says of the text that it was made from.

    `edits` number the old lines as `oxy.graph.draft.flat` does, the new ones as the file has
    them. `left` is the number (from 1) of a line whose marker should not be there; where there
    is one, nothing else is said.
    """

    edits: tuple[Edit, ...]
    untouched: tuple[Untouched, ...] = ()
    left: int | None = None

    @property
    def kept(self) -> tuple[int, ...]:
        """The indexes of the conflicts that are left alone."""
        return tuple(one.conflict for one in self.untouched)


def read_back(text: Marked, data: bytes) -> ReadBack:
    """Return what the bytes of a file say of a text.

    Cost: a diff; where the text has conflicts, also a look at each line.
    """
    new = with_final_lf(data)
    if not text.blocks:
        with phase("diff"):
            return ReadBack(tuple(edits(text.plain[0], new)))
    pieces = list(_pieces(text, new))
    left = text.lengths.pattern()
    for piece in pieces:
        marker = None if piece.is_block else left.search(piece.text)
        if marker is not None:
            above = piece.text.count(b"\n", 0, marker.start())
            return ReadBack((), (), piece.line + above + 1)
    blocks = [piece for piece in pieces if piece.is_block]
    found = _which(text, pieces, blocks)
    if len(found) < len(blocks):
        return ReadBack((), (), blocks[len(found)].line + 1)
    untouched = tuple(
        Untouched(index, piece.line) for index, piece in zip(found, blocks, strict=True)
    )
    return ReadBack(tuple(_between(text, pieces, found)), untouched)


def read_whole(text: Marked, data: bytes) -> ReadBack:
    """Return what the bytes of a file say if every marker in them is a line like any other."""
    return ReadBack(tuple(edits(_flat(text, 0, len(text.blocks)), with_final_lf(data))))


class _Piece(NamedTuple):
    """A whole block that was not touched, or lines between such; `line` counts from 0."""

    text: bytes
    line: int
    is_block: bool


def _pieces(text: Marked, new: bytes) -> Iterator[_Piece]:
    """Yield a file as untouched blocks and, before, between and after them, what is not."""
    wanted: dict[bytes, list[tuple[bytes, bytes]]] = {}
    for block in text.blocks:
        opening = block.marked[: block.marked.index(b"\n") + 1]
        for form in _forms(block.marked, opening):
            wanted.setdefault(opening, []).append((form, block.marked))
    done = line = 0
    for match in text.lengths.pattern().finditer(new):
        at = match.start()
        if at < done:
            continue
        opening = new[at : new.index(b"\n", at) + 1]
        whole = next(
            (one for one in wanted.get(opening, ()) if new.startswith(one[0], at)), None
        )
        if whole is None:
            continue
        form, marked = whole
        yield _Piece(new[done:at], line, is_block=False)
        line += new.count(b"\n", done, at)
        yield _Piece(marked, line, is_block=True)
        line += marked.count(b"\n")
        done = at + len(form)
    yield _Piece(new[done:], line, is_block=False)


def _forms(marked: bytes, opening: bytes) -> Iterator[bytes]:
    """Yield how an untouched block may stand in the file.

    The last marker of a file without final LF has no end. Where one is put behind it, that is
    the end that lines of the file have.
    """
    yield marked
    if opening.endswith(b"\r\n") and not marked.endswith(b"\r\n"):
        yield marked[:-1] + b"\r\n"


def _which(text: Marked, pieces: Sequence[_Piece], blocks: Sequence[_Piece]) -> list[int]:
    """Return which conflict each untouched block is; the lines around tell equal ones apart.

    The result ends before a block that was moved or doubled.
    """
    known = [block.marked for block in text.blocks]
    if len(blocks) < len(known) and len(set(known)) < len(known):
        return _by_diff(text, pieces, len(blocks)) or _in_turn(known, blocks)
    return _in_turn(known, blocks)


def _by_diff(text: Marked, pieces: Sequence[_Piece], count: int) -> list[int]:
    """Return which conflict each untouched block is; nothing where a diff leaves one out.

    A block is one line of the diff. No true line equals it: it has more than one LF.
    """
    old: list[bytes] = []
    places: dict[int, int] = {}
    for index, plain in enumerate(text.plain):
        old += _lines(plain)
        if index < len(text.blocks):
            places[len(old)] = index
            old.append(text.blocks[index].marked)
    new: list[bytes] = []
    blocks: set[int] = set()
    for piece in pieces:
        if piece.is_block:
            blocks.add(len(new))
        new += [piece.text] if piece.is_block else _lines(piece.text)
    found = [
        places[place]
        for place, same in _same(edits_of_lines(old, new), len(old))
        if place in places and same in blocks
    ]
    return found if len(found) == count else []


def _lines(text: bytes) -> list[bytes]:
    return [line + b"\n" for line in text.split(b"\n")[:-1]]


def _same(found: Sequence[Edit], total: int) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the lines that edits keep, old and new."""
    old = new = 0
    for edit in found:
        yield from zip(range(old, edit.old_start), range(new, edit.new_start), strict=True)
        old = edit.old_start + edit.old_count
        new = edit.new_start + edit.new_count
    yield from ((old + at, new + at) for at in range(total - old))


def _in_turn(known: Sequence[bytes], blocks: Sequence[_Piece]) -> list[int]:
    """Return which conflict each block is, taking the next that is the same."""
    found: list[int] = []
    index = 0
    for piece in blocks:
        while index < len(known) and known[index] != piece.text:
            index += 1
        if index == len(known):
            break
        found.append(index)
        index += 1
    return found


def _between(text: Marked, pieces: Sequence[_Piece], kept: Sequence[int]) -> Iterator[Edit]:
    """Yield the edits of what lies between the conflicts that are left alone."""
    old_start = done = 0
    anchors = iter(kept)
    for piece in pieces:
        if piece.is_block:
            old_start += text.blocks[done - 1].flat.count(b"\n")
            continue
        index = next(anchors, len(text.blocks))
        old = _flat(text, done, index)
        for edit in edits(old, piece.text):
            yield edit._replace(
                old_start=edit.old_start + old_start, new_start=edit.new_start + piece.line
            )
        old_start += old.count(b"\n")
        done = index + 1


def _flat(text: Marked, first: int, last: int) -> bytes:
    """Return the text from after one conflict up to another, as `flat` has it."""
    parts = [text.plain[first]]
    for index in range(first, last):
        parts += [text.blocks[index].flat, text.plain[index + 1]]
    return b"".join(parts)
