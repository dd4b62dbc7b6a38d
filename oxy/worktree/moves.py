"""The note of files that were moved for sure, and the snapshot with them (spec: N30, N42).

Each says where the base state has a node and where its file is now. It holds as long as the
base state has that node there, the file is where it was moved to, and what it was moved away
from is gone or was taken by another that was moved. So two files can have changed names.
"""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from oxy.typed import Final, NamedTuple, TypeAlias, cast

import msgpack

from oxy.codec.form import byte_string, many, row
from oxy.model.operation import KIND_SUBREPO
from oxy.repo import durable
from oxy.repo.tree import Directory, differences
from oxy.worktree.item import Item
from oxy.worktree.listing import pack
from oxy.worktree.snapshot import DELETED, RENAMED, Changed, Snapshot
from oxy.worktree.workcopy import MOVES, WorkingCopy

_RawMoves: TypeAlias = tuple[tuple[bytes, bytes, bytes], ...]
_FORM: Final = many(row(byte_string, byte_string, byte_string))


class Move(NamedTuple):
    """The id of a node, the path at which the base state has it, and that of its file now."""

    node: bytes
    old: bytes
    new: bytes


class Standing(NamedTuple):
    """A move that holds: paths, what the base state has, and the record of the file."""

    old: bytes
    new: bytes
    item: Item
    record: bytes


def read(control: bytes) -> tuple[Move, ...]:
    """Return what was noted, whether or not it still holds."""
    try:
        with open(control + MOVES, "rb") as file:
            held: object = msgpack.unpackb(file.read(), use_list=False)
    except (FileNotFoundError, ValueError):
        return ()
    return tuple(Move(*move) for move in cast("_RawMoves", held)) if _FORM(held) else ()


def write(control: bytes, moves: Iterable[Move]) -> None:
    """Note moves in place of all that were."""
    held = sorted(move for move in moves if move.old != move.new)
    if not held:
        durable.remove(control + MOVES)
        return
    durable.put(control + MOVES, msgpack.packb(held))


def forget(control: bytes, olds: Iterable[bytes | None]) -> None:
    """Forget the moves away from paths, which are recorded or taken back."""
    known = read(control)
    gone = set(olds)
    if any(move.old in gone for move in known):
        write(control, (move for move in known if move.old not in gone))


def note_between(copy: WorkingCopy, base: Directory, there: Directory) -> None:
    """Note which files are elsewhere than the base state has them.

    Args:
        copy: the working copy, which is of the base state, or about to be.
        base: its tree.
        there: the tree that the files are of, but for moves that are noted already.

    Cost: the files at which the trees differ.
    """
    old, new = {}, {}
    for path, before, after in differences(base, there):
        if before is not None and before.kind != KIND_SUBREPO:
            old[before.node] = path
        if after is not None:
            new[after.node] = path
    known = {move.old: move for move in read(copy.control)}
    found: dict[bytes, Move] = {}
    for node, path in old.items():
        now = new.get(node, path)
        if now != path:
            name = copy.repository.nodes.origin(node)[0]
            further = known.pop(now, None)
            is_same = further is not None and further.node == name
            found[path] = Move(name, path, further.new if further and is_same else now)
    if found:
        write(copy.control, {**known, **found}.values())


def standing(copy: WorkingCopy) -> dict[bytes, Standing]:
    """Return the moves that hold, by their old paths. Cost: a stat for each."""
    found: dict[bytes, Standing] = {}
    for node, old, new in read(copy.control):
        item = item_at(copy, old)
        record = None if item is None else record_at(copy, new)
        if item is None or record is None or copy.noted.says(new) is False:
            continue
        if copy.repository.nodes.origin(item.node)[0] == node:
            found[old] = Standing(old, new, item, record)
    while True:
        taken = {move.new for move in found.values()}
        held = {
            old: move
            for old, move in found.items()
            if old in taken or record_at(copy, old) is None
        }
        if len(held) == len(found):
            return found
        found = held


def with_moves(copy: WorkingCopy, snapshot: Snapshot, only: Sequence[bytes] = ()) -> Snapshot:
    """Return a snapshot with the moves that were noted.

    Args:
        copy: the working copy.
        snapshot: what differs at some paths.
        only: these; none is everywhere. A move of which one end is asked for is there whole,
            and with it those that it changes names with.
    """
    moves = _asked(standing(copy), only)
    if not moves:
        return snapshot
    news = {move.new for move in moves.values()}
    changes = [
        change
        for change in snapshot.changes
        if change.path not in news and not (change.path in moves and change.kind == DELETED)
    ]
    for move in moves.values():
        lost = item_at(copy, move.new)
        if lost is not None and move.new not in moves:
            changes.append(Changed(move.new, DELETED, lost, None))
        changes.append(Changed(move.new, RENAMED, move.item, move.record, move.old))
    large = tuple(change for change in snapshot.large if change.path not in news)
    ordered = sorted(changes, key=lambda change: (change.path, change.kind != DELETED))
    return snapshot._replace(changes=tuple(ordered), large=large)


def tangled(copy: WorkingCopy) -> set[bytes]:
    """Return the paths at which a file lies that is another than the base state has there."""
    moves = standing(copy)
    return {
        path
        for move in moves.values()
        if move.new in moves or item_at(copy, move.new) is not None
        for path in (move.old, move.new)
    }


def _asked(moves: Mapping[bytes, Standing], only: Sequence[bytes]) -> Mapping[bytes, Standing]:
    if not only or b"" in only:
        return moves
    asked = {
        old: move for old, move in moves.items() if _is_in(old, only) or _is_in(move.new, only)
    }
    while True:
        ends = {path for move in asked.values() for path in (move.old, move.new)}
        more = {
            old: move
            for old, move in moves.items()
            if old not in asked and (old in ends or move.new in ends)
        }
        if not more:
            return asked
        asked |= more


def _is_in(path: bytes, only: Sequence[bytes]) -> bool:
    return any(path == asked or path.startswith(asked + b"/") for asked in only)


def item_at(copy: WorkingCopy, path: bytes) -> Item | None:
    """Return what the base state has at a path."""
    directory, _, name = path.rpartition(b"/")
    row = copy.manifest.row(directory)
    entries = row.entries() if row is not None else ()
    return next((Item.of(entry) for entry in entries if entry.name == name), None)


def record_at(copy: WorkingCopy, path: bytes) -> bytes | None:
    """Return the record of the file or symlink at a path, if there is one."""
    try:
        status = os.lstat(os.path.join(copy.root, path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    is_file = stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)
    return pack(status) if is_file else None
