"""Throw local edits away so that `undo` brings them back (spec: working-copy, W38).

What is thrown away is recorded first, as a change that no bookmark holds and that the operation
log names; then the files are made what they are to be. A crash in between leaves edits in the
files that are recorded as well.
"""

from collections.abc import Sequence

from oxy.actions.clock import now
from oxy.actions.going import Went, require_unmoved
from oxy.actions.identity import NoIdentityError, identity, operator
from oxy.actions.placing import place, refuse_blocked, steps_of
from oxy.actions.shelves import HELD, HELD_NAME, united
from oxy.repo.operations import Move
from oxy.repo.recording import Intent
from oxy.repo.refs import Target
from oxy.repo.states import Name
from oxy.repo.tree import Entry, differences
from oxy.repo.trees import tree_of
from oxy.repo.writing import Stamp, writing
from oxy.worktree.carrying import Carrier
from oxy.worktree.checkout import WouldOverwriteError
from oxy.worktree.content import Content
from oxy.worktree.hunks import Rest
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.loading import Loaded, load
from oxy.worktree.moves import forget, record_at
from oxy.worktree.reader import TreeReader
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.travel import Step
from oxy.worktree.workcopy import WorkingCopy


def throw_away(
    copy: WorkingCopy, thrown: Snapshot, rests: Sequence[Rest], command: bytes
) -> None:
    """Record what is thrown away, and make the files what is left of them.

    Markers of conflicts that are left in a file are recorded as the lines that they are.

    Args:
        copy: the working copy.
        thrown: what is thrown away.
        rests: what is left of each file; it may be that of a file that is new.
        command: for the operation log.

    Raises:
        WouldOverwriteError: files that stay are in the way; nothing was done.
        ChangedError: a file was written meanwhile; what was recorded stays so.
        MovedError, OvertakenError: another process was faster.
    """
    from oxy.actions.recording import record_apart

    steps = steps_of(rests)
    refuse_blocked(copy, steps)
    why = b"Thrown away on " + (copy.here.bookmark or b"no bookmark")
    stamp = Stamp(*now(), operator(), command)
    record_apart(copy, thrown, Intent(_author(copy), now(), why), stamp, HELD, literal=True)
    place(copy, steps)
    forget(copy.control, (change.source for change, path, _ in rests if path == change.source))


def _author(copy: WorkingCopy) -> bytes:
    try:
        return identity(copy.store)
    except NoIdentityError:
        # Nobody but the user will ever see it.
        return operator() + b" <>"


def throw_again(copy: WorkingCopy, stamp: Stamp, moves: Sequence[Move], thrown: Target) -> Went:
    """Throw away again what was brought back, and move names; other edits stay.

    Raises:
        WouldOverwriteError: what was thrown away was edited so that it cannot be taken out.
        ShelfLacksError: it depends on what is not here.
        MovedMeanwhileError: another process was faster.
    """
    repository, base = copy.repository, copy.base
    files = united(repository, HELD_NAME, base.state, thrown)
    steps = _taken_out(copy, files)
    refuse_blocked(copy, steps)
    with writing(repository, stamp) as work:
        require_unmoved(work.repository, base, moves)
        for move in moves:
            work.move(move.ref, move.after)
    place(copy, steps)
    forget(copy.control, [step.path for step in steps if step.item is not None])
    removed = sum(step.item is None for step in steps)
    return Went(len(steps) - removed, removed)


class _Taker:
    """Takes the edits that a state has beyond the base state out of the files."""

    __slots__ = ("_base", "_carrier", "_reader", "_source", "blocked")

    def __init__(self, copy: WorkingCopy, source: Content, reader: TreeReader) -> None:
        self._base = copy.content
        self._source = source
        self._reader = reader
        self._carrier = Carrier(copy.repository, source, copy.content)
        self.blocked: list[bytes] = []

    def step(
        self, path: bytes, old: Entry | None, new: Entry | None, there: bytes | None
    ) -> Step | None:
        """Return what is to be done at a path; None where nothing is, or can be."""
        if there is None:
            if new is not None:
                self.blocked.append(path)
                return None
            return Step(path, _item(old), None)
        local = load(self._reader, path, there)
        if _is(local, new, self._source):
            return Step(path, _item(old), there)
        if _is(local, old, self._base):
            return None
        if old is not None and new is not None and old.node == new.node:
            carried = self._carrier.carried(_some(new), local, _some(old))
            if carried is not None:
                return Step(path, _item(old), there, carried)
        self.blocked.append(path)
        return None


def _taken_out(copy: WorkingCopy, files: Name) -> list[Step]:
    """Return what takes the edits of a state out of the files.

    Raises:
        WouldOverwriteError: other edits are in the way.
    """
    repository = copy.repository
    old, new = tree_of(repository, copy.base.state), tree_of(repository, files)
    reader = TreeReader(copy.fd)
    try:
        taker = _Taker(copy, Content(repository, files), reader)
        found = [
            taker.step(path, before, after, record_at(copy, path))
            for path, before, after in differences(old, new)
        ]
    finally:
        reader.close()
    if taker.blocked:
        raise WouldOverwriteError(taker.blocked)
    steps = [step for step in found if step is not None]
    return sorted(steps, key=lambda step: step.item is not None)


def _is(local: Loaded, entry: Entry | None, content: Content) -> bool:
    """Tell whether a file is what a state has at its path."""
    if entry is None:
        return False
    held = entry.kind, entry.mode, content.digest(_some(entry))
    return (local.kind, local.mode, local.digest) == held


def _item(entry: Entry | None) -> Item | None:
    return None if entry is None else _some(entry)


def _some(entry: Entry) -> Item:
    return Item(entry.node, entry.kind, entry.mode, entry.digest or UNHASHED)
