"""Put local edits aside, and take them up again (spec: states, S36 to S38)."""

from oxy.typed import NamedTuple

from oxy.actions.bookmarks import NameTakenError
from oxy.actions.clock import now
from oxy.actions.going import Went
from oxy.actions.identity import identity, operator
from oxy.actions.shelves import Shelf, bring, shelf_called, shelf_of, take
from oxy.actions.status import examined
from oxy.errors import RequestError
from oxy.repo.operations import Move
from oxy.repo.recording import Intent
from oxy.repo.refname import check
from oxy.repo.refs import SHELF, Ref
from oxy.repo.repository import Repository
from oxy.repo.writing import Stamp, writing
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.workcopy import WorkingCopy


class NothingShelvedError(RequestError):
    """There is no shelf to take up."""

    def __init__(self) -> None:
        super().__init__("nothing was put aside")


class Shelved(NamedTuple):
    """What was put aside; no shelf where nothing differed."""

    shelf: Shelf | None
    snapshot: Snapshot


class Unshelved(NamedTuple):
    """What was taken up, and the files."""

    shelf: Shelf
    went: Went


def shelve(copy: WorkingCopy, name: bytes | None, message: bytes | None) -> Shelved:
    """Record what differs as a change that no bookmark holds, and undo it in the files.

    Args:
        copy: the working copy.
        name: what to call the shelf; else it gets a number.
        message: why; else it tells the bookmark.

    Raises:
        NameTakenError, RefNameError, NameFoldsError: it may not be called so.
        NoIdentityError, AuthorError: nobody says who records.
        MarkersLeftError: files have markers of conflicts left in them.
        SwitchInterruptedError: the files are in between two states.
        ChangedError, MovedError, OvertakenError: as for a commit; nothing is put aside.
    """
    copy.look()
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    repository = copy.repository
    name = _free(repository) if name is None else name
    _check(repository, name)
    snapshot = examined(copy)
    if not snapshot.changes:
        return Shelved(None, snapshot)
    if copy.here.disputed:
        from oxy.actions.conflicts import refuse_markers

        refuse_markers(copy, snapshot)
    from oxy.actions.recording import record_apart

    why = message or b"Put aside on " + (copy.here.bookmark or b"no bookmark")
    stamp = Stamp(*now(), operator(), b"shelve " + name)
    ref = Ref(SHELF, name)
    record_apart(copy, snapshot, Intent(identity(copy.store), now(), why), stamp, ref)
    shelf = shelf_called(repository, name)
    take(copy, stamp, (), name, shelf)
    return Shelved(shelf_of(repository, name, shelf), snapshot)


def unshelve(copy: WorkingCopy, name: bytes | None) -> Unshelved:
    """Make what was put aside local edits on the present state.

    Args:
        copy: the working copy.
        name: which shelf; else the newest.

    Raises:
        NoShelfError, NothingShelvedError: there is none.
        ShelfLacksError, ShelfConflictError: it does not fit here; the shelf stays.
        WouldOverwriteError: other edits or untracked files are in the way; the shelf stays.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    copy.look()
    repository = copy.repository
    name = _newest(repository) if name is None else name
    target = shelf_called(repository, name)
    stamp = Stamp(*now(), operator(), b"unshelve " + name)
    shelf = shelf_of(repository, name, target)
    moves = [Move(Ref(SHELF, name), target, None)]
    return Unshelved(shelf, bring(copy, stamp, moves, name, target))


def drop(repository: Repository, name: bytes) -> Shelf:
    """Delete a shelf; its change stays in the store.

    Raises:
        NoShelfError: there is none.
    """
    target = shelf_called(repository, name)
    shelf = shelf_of(repository, name, target)
    with writing(repository, Stamp(*now(), operator(), b"shelve -d " + name)) as work:
        work.move(Ref(SHELF, name), None)
    return shelf


def _free(repository: Repository) -> bytes:
    names = set(repository.refs.names(SHELF))
    return next(n for n in (b"%d" % at for at in range(1, len(names) + 2)) if n not in names)


def _check(repository: Repository, name: bytes) -> None:
    names = repository.refs.names(SHELF)
    if name in names:
        what = "shelf"
        raise NameTakenError(what, name)
    check(name, names)


def _newest(repository: Repository) -> bytes:
    held = [(max(target.state.heads), name) for name, target in repository.refs.all(SHELF)]
    if not held:
        raise NothingShelvedError
    return max(held)[1]
