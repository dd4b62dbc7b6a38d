"""Choose one side of what is in conflict, of values and texts (spec: conflicts, C27, C28).

The working copy is made to show the value, and the choice is noted, so that the next commit of
the file records it even where it showed that value already.
"""

import os
from collections.abc import Sequence
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.actions.conflicts import in_conflict
from oxy.actions.resolving import LEFT, RIGHT, Taken, planned, take
from oxy.actions.status import examined
from oxy.actions.values import CONTENT, Disputed, values
from oxy.errors import RequestError
from oxy.model.operation import (
    FINAL_LF,
    KIND,
    KIND_SUBREPO,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PLACE,
)
from oxy.repo.registers import Value
from oxy.repo.tree import DELETED_EDITED, Entry
from oxy.worktree import resolutions
from oxy.worktree.conflicted import content
from oxy.worktree.item import UNHASHED, Item, executable, is_symlink
from oxy.worktree.listing import UnreadableError
from oxy.worktree.reader import NotAFileError, TreeReader
from oxy.worktree.snapshot import RESOLVED, Changed, Snapshot
from oxy.worktree.workcopy import WorkingCopy
from oxy.worktree.writer import TreeWriter

SIDES: Final = (LEFT, RIGHT)
"""What a value can be chosen by."""


class ManyValuesError(RequestError):
    """More than one value of a register could be meant."""

    def __init__(self, path: bytes, name: str, side: str, count: int) -> None:
        super().__init__(
            f"the {name} of {os.fsdecode(path)} has {count} values that are {side}"
        )
        self.path = path
        self.name = name


class Chosen(NamedTuple):
    """A file and what of it was chosen."""

    path: bytes
    names: tuple[str, ...]


class _Pick(NamedTuple):
    """A register that is in conflict, and the value that was chosen."""

    one: Disputed
    value: Value


class _File(NamedTuple):
    """What is to stand in the working copy: no path is nothing, no data is not written."""

    path: bytes | None
    kind: int
    mode: int
    data: bytes


class Settled(NamedTuple):
    """The values that were chosen, and the conflicts of texts in whose place something is."""

    chosen: list[Chosen]
    taken: list[Taken]


def settle(
    copy: WorkingCopy, choice: str, only: Sequence[bytes] = (), number: int | None = None
) -> Settled:
    """Put one of `CHOICES` in the place of conflicts of texts, and of values if it is a side.

    Args: as `oxy.actions.resolving.take`; where one conflict is named, no value is chosen.

    Raises:
        MarkersLeftError, ManySidesError, ManyValuesError, NoConflictError: nothing is done; but
            texts that were deleted on a side are looked at only once they are whole.
        UnreadableError, ChangedError, UnwritableError: a file cannot be read or written.
    """
    chosen: list[Chosen] = []
    if number is None and choice in SIDES:
        snapshot = examined(copy, only)
        planned(copy, snapshot, choice, only, besides=DELETED_EDITED)
        chosen = choose(copy, snapshot, choice, only)
    return Settled(chosen, take(copy, examined(copy, only), choice, only, number))


def choose(
    copy: WorkingCopy, snapshot: Snapshot, side: str, only: Sequence[bytes] = ()
) -> list[Chosen]:
    """Choose the value of one side for every register that is in conflict.

    Args:
        copy: the working copy.
        snapshot: how its files differ from the base state.
        side: `LEFT` or `RIGHT`.
        only: the paths; none is everything.

    Raises:
        ManyValuesError: one has more than one value on that side; nothing is chosen.
        UnreadableError, ChangedError, UnwritableError: a file cannot be made to show its value.
    """
    found: dict[bytes, list[_Pick]] = {}
    for one in values(copy, snapshot, only):
        found.setdefault(one.path, []).append(_Pick(one, _value(one, side)))
    noted = set(resolutions.read(copy.control, copy.here.state))
    for path, picks in found.items():
        _show(copy, path, picks)
        node = copy.repository.nodes.origin(picks[0].one.entry.node)[0]
        noted |= {(node, one.register) for one, _ in picks}
    if found:
        resolutions.write(copy.control, copy.here.state, noted)
    return [Chosen(path, tuple(one.name for one, _ in picks)) for path, picks in found.items()]


def _value(one: Disputed, side: str) -> Value:
    held = one.left if side == LEFT else one.right
    if len(held) > 1:
        raise ManyValuesError(one.path, one.name, side, len(held))
    return held[0]


def _show(copy: WorkingCopy, path: bytes, picks: Sequence[_Pick]) -> None:
    """Make the working copy show what was picked for a file."""
    reader, writer = TreeReader(copy.fd), TreeWriter(copy.fd)
    try:
        try:
            record, there = _there(reader, path)
        except UnreadableError as error:
            if not isinstance(error.error, FileNotFoundError):
                raise
            record, there = None, _gone(copy, picks[0].one.entry)
        wanted = _wanted(copy, picks, there)
        if wanted == there or wanted.kind == KIND_SUBREPO:
            return
        over = record if wanted.path == path else None
        if wanted.path is not None and wanted.kind == KIND_SYMLINK:
            writer.symlink(wanted.path, wanted.data, over=over)
        elif wanted.path is not None:
            mode = bool(wanted.mode)
            writer.write(wanted.path, [wanted.data], executable=mode, over=over)
        if wanted.path != path and record is not None:
            writer.remove(path, over=record)
    finally:
        reader.close()
        writer.close()


def _there(reader: TreeReader, path: bytes) -> tuple[bytes, _File]:
    """Return the record of a file, and what it is; the kind of what is no link is not told."""
    try:
        found = reader.read(path)
    except NotAFileError:
        found = reader.target(path)
    kind = KIND_SYMLINK if is_symlink(found.record) else KIND_TEXT
    return found.record, _File(path, kind, executable(found.record), found.data)


def _gone(copy: WorkingCopy, entry: Entry) -> _File:
    """Return a file that is not there, with what it would hold."""
    data = b"".join(content(copy.repository, entry.node, copy.content.state))
    return _File(None, KIND_TEXT, entry.mode, data)


def _wanted(copy: WorkingCopy, picks: Sequence[_Pick], there: _File) -> _File:
    """Return what a file is with the values that were picked."""
    picked = {one.register: value.value for one, value in picks}
    entry = picks[0].one.entry
    kind, path, mode = picked.get(KIND, entry.kind), there.path, there.mode
    if not isinstance(kind, int):
        return there
    if MODE in picked:
        mode = int(bool(picked[MODE]))
    if PLACE in picked:
        place = picked[PLACE]
        path = place if isinstance(place, bytes) else None
    data = _data(copy, picks, kind, there.data)
    if FINAL_LF in picked and kind == KIND_TEXT and data:
        data = data.removesuffix(b"\n") + (b"\n" if picked[FINAL_LF] else b"")
    if kind in (KIND_SYMLINK, KIND_SUBREPO):
        return _File(path, kind, 0, data)
    return _File(path, KIND_TEXT, mode, data)


def _data(copy: WorkingCopy, picks: Sequence[_Pick], kind: int, there: bytes) -> bytes:
    """Return the bytes of a file of a kind with the values that were picked."""
    picked = {one.register: value for one, value in picks}
    entry = picks[0].one.entry
    repository, state = copy.repository, copy.content.state
    register = CONTENT.get(kind)
    if KIND in picked and kind == KIND_TEXT != entry.kind:
        known_then = BitMap.union(*map(repository.states.of_change, picked[KIND].changes))
        return b"".join(content(repository, entry.node, known_then & state))
    if register in picked or KIND in picked:
        registers = repository.nodes.registers(entry.node)
        known = [] if register is None else registers.values(register, state)
        held = picked.get(register, known[0] if known else None) if register else None
        seen = repository.nodes.view(entry.node, state)
        shown = seen._replace(kind=kind, content=held.value if held else None)
        return b"".join(content(repository, entry.node, state, shown))
    if PLACE in picked and entry.disputed & DELETED_EDITED and kind == KIND_TEXT:
        return _undeleted(copy, entry, picked[PLACE], there)
    return there


def _undeleted(copy: WorkingCopy, entry: Entry, kept: Value, there: bytes) -> bytes:
    """Return the text that a deletion did not see, whole: what it deleted of it as well.

    Where the file was edited already, that is what it is to be.
    """
    repository, state = copy.repository, copy.content.state
    if kept.value is None or there != b"".join(content(repository, entry.node, state)):
        return there
    seen = BitMap.union(*map(repository.states.of_change, kept.changes))
    return b"".join(content(repository, entry.node, seen & state))


def with_chosen(copy: WorkingCopy, snapshot: Snapshot, only: Sequence[bytes] = ()) -> Snapshot:
    """Return the snapshot with the files of which something was chosen that they show anyway.

    Raises:
        UnreadableError, ChangedError: such a file cannot be read.
    """
    noted = resolutions.read(copy.control, copy.here.state)
    if not noted:
        return snapshot
    nodes = {node for node, _ in noted}
    changed = {change.path for change in snapshot.changes}
    more = []
    reader = TreeReader(copy.fd)
    try:
        for path, entry in in_conflict(copy, snapshot, only):
            node = copy.repository.nodes.origin(entry.node)[0]
            if node in nodes and path not in changed:
                item = Item(entry.node, entry.kind, entry.mode, entry.digest or UNHASHED)
                more.append(Changed(path, RESOLVED, item, _there(reader, path)[0]))
    finally:
        reader.close()
    return snapshot._replace(changes=tuple(sorted((*snapshot.changes, *more), key=_path)))


def _path(change: Changed) -> bytes:
    return change.path
