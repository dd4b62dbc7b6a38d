"""What is not as the base state has it (spec: command-line, status). Loads little."""

import os
from collections.abc import Sequence
from oxy.typed import TYPE_CHECKING, NamedTuple

from oxy.errors import RequestError
from oxy.worktree.here import Standing
from oxy.worktree.listing import LEFT_ALONE, Oddity
from oxy.worktree.snapshot import ADDED, DELETED, Snapshot
from oxy.worktree.switching import Note, interrupted
from oxy.worktree.workcopy import WorkingCopy

if TYPE_CHECKING:
    from oxy.actions.conflicts import Conflicted


class NoSuchPathError(RequestError):
    """A path that was named is neither in the base state nor on disk; `near` look like it."""

    def __init__(self, path: bytes, near: tuple[str, ...] = ()) -> None:
        super().__init__(f"there is no '{os.fsdecode(path)}', neither on disk nor recorded")
        self.path = path
        self.near = near


class Status(NamedTuple):
    """The bookmark, what differs, and the note of a switch that was interrupted.

    `moved` tells that the bookmark holds another state than the files are of.
    `heads` are the ids of the base state's, where there is no bookmark. `conflicts` are those
    of the base state: what has them is no difference. `ignored` is what is ignored or was said
    to be untracked, where that was asked for. `standing` tells how the bookmark stands to the
    one that it follows.
    """

    bookmark: bytes | None
    snapshot: Snapshot
    interrupted: Note | None
    heads: tuple[bytes, ...] = ()
    conflicts: "tuple[Conflicted, ...]" = ()
    ignored: tuple[Oddity, ...] | None = None
    moved: bool = False
    standing: Standing | None = None


def status(copy: WorkingCopy, only: Sequence[bytes] = (), *, tells: bool = False) -> Status:
    """Return what differs, at some paths or everywhere; with `tells` also what is ignored.

    Cost: a stat for each file; nothing of the history where nothing differs and nothing is in
    conflict.

    Raises:
        NoSuchPathError: a path that was named is nowhere.
    """
    note = interrupted(copy.control, copy.here.state, copy.has_happened)
    snapshot = examined(copy, only, tells=tells, forgives=True)
    conflicts = _conflicts(copy, snapshot, only)
    here = copy.here
    told = here.moved, here.standing
    found = Status(here.bookmark, snapshot, note, _heads(copy), conflicts, None, *told)
    return _apart(found) if tells else found


def _apart(found: Status) -> Status:
    """Return it with what is ignored apart from what is left out for other reasons."""
    odd = found.snapshot.oddities
    ignored = tuple(each for each in odd if each.kind in LEFT_ALONE)
    others = tuple(each for each in odd if each.kind not in LEFT_ALONE)
    return found._replace(snapshot=found.snapshot._replace(oddities=others), ignored=ignored)


def _conflicts(
    copy: WorkingCopy, snapshot: Snapshot, only: Sequence[bytes]
) -> "tuple[Conflicted, ...]":
    if not copy.here.disputed:
        return ()
    from oxy.actions.conflicts import conflicts

    return conflicts(copy, snapshot, only)


def _heads(copy: WorkingCopy) -> tuple[bytes, ...]:
    if copy.here.bookmark is not None:
        return ()
    from oxy.store.protocol import CHANGE

    return tuple(copy.repository.store.ids_of(CHANGE, copy.base.state.heads))


def examined(
    copy: WorkingCopy,
    only: Sequence[bytes] = (),
    *,
    tells: bool = False,
    forgives: bool = False,
) -> Snapshot:
    """Return how files differ from the base state, with renames.

    With `tells` what is ignored or untracked is among the oddities; where it `forgives`, what
    cannot be read is too, and counts as unchanged.

    Raises:
        UnreadableError: something cannot be read, and that is not forgiven.
        NoSuchPathError: a path that was named is nowhere.
    """
    for path in only:
        require(copy, path)
    snapshot = copy.snapshot(only or None, tells=tells, forgives=forgives)
    if copy.has_moves:
        from oxy.worktree.moves import with_moves

        snapshot = with_moves(copy, snapshot, only)
    if any(each.kind == "nested" for each in snapshot.oddities):
        from oxy.actions.nested import noted

        snapshot = snapshot._replace(oddities=noted(copy, snapshot.oddities))
    kinds = {change.kind for change in snapshot.changes}
    if DELETED in kinds and (ADDED in kinds or snapshot.large):
        from oxy.worktree.pairing import with_renames

        return with_renames(snapshot, copy)
    return snapshot


def require(copy: WorkingCopy, path: bytes) -> None:
    """Refuse a path at which there is nothing.

    Raises:
        NoSuchPathError: it is neither tracked nor on disk.
        OutsideError: nor is it what a sparse working copy has.
    """
    directory, _, name = path.rpartition(b"/")
    tracked = name in copy.manifest.names(directory).split(b"\0")
    if tracked or copy.manifest.holds(path):
        return
    if not os.path.lexists(os.path.join(copy.root, path)):
        from oxy.actions.near import tracked_alike

        copy.require_has(path)
        raise NoSuchPathError(path, tracked_alike(copy, path))
