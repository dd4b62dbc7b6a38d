"""Resolve conflicts of texts by what stands in their place (spec: conflicts, C27).

This writes the working file; what it says is recorded by the next commit.
"""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.actions.conflicts import has_text, in_conflict
from oxy.errors import RequestError
from oxy.repo.sides import came
from oxy.repo.textual import with_final_lf
from oxy.worktree.conflicted import marked_in
from oxy.worktree.item import executable
from oxy.worktree.listing import UnreadableError
from oxy.worktree.marked import Block, Marked
from oxy.worktree.markers import Side
from oxy.worktree.reader import Content, NotAFileError, TreeReader
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.unmarked import MarkersLeftError, ReadBack, read_back
from oxy.worktree.workcopy import WorkingCopy
from oxy.worktree.writer import TreeWriter

LEFT: Final = "left"
RIGHT: Final = "right"
BOTH: Final = "both"
BASE: Final = "base"
CHOICES: Final = (LEFT, RIGHT, BOTH, BASE)


class ManySidesError(RequestError):
    """A conflict has more than one side that could be meant."""

    def __init__(self, path: bytes, number: int, choice: str, sides: int) -> None:
        super().__init__(
            f"conflict {number} of {os.fsdecode(path)} has {sides} sides that are {choice}"
        )
        self.path = path
        self.number = number


class NoConflictError(RequestError):
    """A conflict that is to be resolved does not stand in the file."""

    def __init__(self, path: bytes, number: int | None) -> None:
        which = "no conflict" if number is None else f"no conflict {number}"
        super().__init__(f"there is {which} in {os.fsdecode(path)}")
        self.path = path
        self.number = number


class Standing(NamedTuple):
    """A conflict that stands in a file untouched.

    `number` counts the conflicts of the base state's text from 1, so it stays what it is when
    others are resolved. `first` and `last` are lines of the file, from 1. `right` are the sides
    that came with what was merged in.
    """

    number: int
    first: int
    last: int
    left: tuple[Side, ...]
    right: tuple[Side, ...]
    base: bytes


class Opened(NamedTuple):
    """A file with conflicts of its text: what is on disk, and what that says."""

    path: bytes
    content: Content
    text: Marked
    back: ReadBack
    standing: tuple[Standing, ...]


class Taken(NamedTuple):
    """A file that was written, and the numbers of the conflicts that are resolved in it."""

    path: bytes
    numbers: tuple[int, ...]


def opened_texts(
    copy: WorkingCopy, snapshot: Snapshot, only: Sequence[bytes] = (), besides: int = 0
) -> Iterator[Opened]:
    """Yield the files whose text is in conflict, by path, at some paths or everywhere.

    A file that is not there, or no text, is passed over: it resolves the conflict so. So are
    those of which something else is in conflict that `besides` has a bit of.

    Raises:
        ChangedError: a file was written meanwhile.
    """
    repository, state = copy.repository, copy.content.state
    theirs = came(repository, copy.target)
    reader = TreeReader(copy.fd)
    try:
        for path, entry in in_conflict(copy, snapshot, only):
            if not has_text(entry) or entry.disputed & besides:
                continue
            try:
                content = reader.read(path)
            except (UnreadableError, NotAFileError):
                continue
            text = marked_in(repository, entry.node, state)
            back = read_back(text, content.data)
            yield Opened(path, content, text, back, tuple(_standing(text, back, theirs)))
    finally:
        reader.close()


def _standing(text: Marked, back: ReadBack, theirs: BitMap) -> Iterator[Standing]:
    for index, line in back.untouched:
        block = text.blocks[index]
        last = line + block.marked.count(b"\n")
        yield Standing(index + 1, line + 1, last, *_parted(block, theirs), block.shown.base)


def _parted(block: Block, theirs: BitMap) -> tuple[tuple[Side, ...], tuple[Side, ...]]:
    """Return the sides of one's own and those that came.

    Where that tells nothing apart, the side of the smallest change id is one's own.
    """
    sides = tuple(block.shown.sides)
    left = tuple(side for side in sides if side.change not in theirs)
    right = tuple(side for side in sides if side.change in theirs)
    return (left, right) if left and right else (sides[:1], sides[1:])


def take(
    copy: WorkingCopy,
    snapshot: Snapshot,
    choice: str,
    only: Sequence[bytes] = (),
    number: int | None = None,
) -> list[Taken]:
    """Put one of `CHOICES` in the place of conflicts, and write the files.

    Args:
        copy: the working copy.
        snapshot: how its files differ from the base state.
        choice: which; `both` is one's own side, then the other.
        only: the paths; none is everything.
        number: which conflict of each file; None is all that stand in it.

    Raises:
        MarkersLeftError: files have other markers in them; nothing was written.
        ManySidesError: more than one side is meant; nothing was written.
        NoConflictError: a conflict that was named does not stand in its file.
        ChangedError: a file was written meanwhile.
    """
    results = planned(copy, snapshot, choice, only, number)
    write(copy, [(file, replaced(file, chosen)) for file, chosen in results])
    return [Taken(file.path, tuple(chosen)) for file, chosen in results]


def planned(
    copy: WorkingCopy,
    snapshot: Snapshot,
    choice: str,
    only: Sequence[bytes] = (),
    number: int | None = None,
    besides: int = 0,
) -> list[tuple[Opened, dict[int, bytes]]]:
    """Return what `take` would put in the place of which conflict of which file, by number.

    Args: as `take`; `besides` as `opened_texts`.

    Raises:
        MarkersLeftError, ManySidesError, NoConflictError, ChangedError: as `take`.
    """
    results = []
    for file in _whole(copy, snapshot, only, besides):
        wanted = [one for one in file.standing if number in (None, one.number)]
        if number is not None and not wanted:
            raise NoConflictError(file.path, number)
        if wanted:
            chosen = {one.number: chosen_text(file.path, one, choice) for one in wanted}
            results.append((file, chosen))
    return results


def by_tool(
    copy: WorkingCopy,
    snapshot: Snapshot,
    only: Sequence[bytes] = (),
    tool: str | None = None,
    *,
    is_quiet: bool = False,
) -> list[bytes]:
    """Let the user merge the files whose text is in conflict with a tool, one after the other.

    Args:
        copy: the working copy.
        snapshot: how its files differ from the base state.
        only: the paths; none is everything.
        tool: its name; None is what the configuration says.
        is_quiet: whether what it writes goes to standard error.

    Returns: the paths of the files that are others then.

    Raises:
        MarkersLeftError: files have other markers in them; the tool was not run.
        ManySidesError: a conflict has more than one side of a kind; the tool was not run.
        NoToolError, ToolFailedError: the file is as it was; those before it are merged.
        ChangedError: a file was written meanwhile.
    """
    from oxy.actions.mergetool import Texts, merged_by_tool

    found = [file for file in _whole(copy, snapshot, only) if file.standing]
    sides = [
        [
            replaced(
                file, {one.number: chosen_text(file.path, one, choice) for one in file.standing}
            )
            for choice in (BASE, LEFT, RIGHT)
        ]
        for file in found
    ]
    done = []
    for file, (base, left, right) in zip(found, sides, strict=True):
        texts = Texts(base, left, right, file.content.data)
        merged = merged_by_tool(file.path, texts, tool, is_quiet=is_quiet)
        if merged != file.content.data:
            write(copy, [(file, merged)])
            done.append(file.path)
    return done


def _whole(
    copy: WorkingCopy, snapshot: Snapshot, only: Sequence[bytes], besides: int = 0
) -> list[Opened]:
    """Return the files whose text is in conflict, if no other markers are left in any."""
    found = list(opened_texts(copy, snapshot, only, besides))
    left = [(file.path, file.back.left) for file in found if file.back.left is not None]
    if left:
        raise MarkersLeftError(left)
    return found


def chosen_text(path: bytes, one: Standing, choice: str) -> bytes:
    """Return the lines that a choice puts in the place of a conflict.

    Raises:
        ManySidesError: more than one side is meant.
    """
    if choice == BASE:
        return one.base
    sides = {LEFT: one.left, RIGHT: one.right, BOTH: one.left + one.right}[choice]
    if choice != BOTH and len(sides) > 1:
        raise ManySidesError(path, one.number, choice, len(sides))
    return b"".join(side.text for side in sides)


def replaced(file: Opened, chosen: dict[int, bytes]) -> bytes:
    """Return a file with lines in the place of conflicts, by number.

    A file without final LF has none then either.
    """
    lines = with_final_lf(file.content.data).split(b"\n")[:-1]
    parts: list[bytes] = []
    done = 0
    for one in file.standing:
        if one.number in chosen:
            parts += [line + b"\n" for line in lines[done : one.first - 1]]
            parts.append(chosen[one.number])
            done = one.last
    parts += [line + b"\n" for line in lines[done:]]
    data = b"".join(parts)
    return data if file.content.data.endswith(b"\n") else data[:-1]


def write(copy: WorkingCopy, files: Sequence[tuple[Opened, bytes]]) -> None:
    """Write files over what they were read as.

    Raises:
        ChangedError: one was written meanwhile; those before it are as wanted.
        UnwritableError: the system refuses.
    """
    writer = TreeWriter(copy.fd)
    try:
        for file, data in files:
            record = file.content.record
            mode = bool(executable(record))
            writer.write(file.path, [data], executable=mode, over=record)
    finally:
        writer.close()
