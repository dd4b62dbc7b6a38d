"""Record what changed in the working copy (spec: working-copy, recording)."""

from collections.abc import Callable
from typing import NamedTuple

from oxy.actions.clock import now
from oxy.actions.identity import author_of, identity
from oxy.actions.status import examined
from oxy.errors import RequestError
from oxy.model.change import Moment
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.workcopy import WorkingCopy


class NoMessageError(RequestError):
    """A change without a message is refused."""

    def __init__(self) -> None:
        super().__init__("the message is empty, and nothing was recorded")


Choose = Callable[[WorkingCopy, Snapshot], Snapshot]
"""Returns what of a snapshot is to be recorded; see `oxy.worktree.hunks.selected`."""


class Request(NamedTuple):
    """What to record: paths of the repository (none: everything), by whom, when.

    `choose` chooses among what differs there.
    """

    paths: tuple[bytes, ...] = ()
    author: bytes | None = None
    time: Moment | None = None
    choose: Choose | None = None


class Committed(NamedTuple):
    """What was recorded: the change's id and message, the bookmark, and what went into it.

    The id is None where nothing changed, and so nothing was recorded. `conflicts` are the
    paths at which the state then still has some.
    """

    id: bytes | None
    message: bytes
    bookmark: bytes | None
    snapshot: Snapshot
    conflicts: tuple[bytes, ...] = ()


Ask = Callable[[Snapshot], bytes]
"""Shows what is to be recorded and returns the message."""


def commit(copy: WorkingCopy, request: Request, ask: Ask) -> Committed:
    """Record what changed as one change on the state that the files were made from.

    The current bookmark moves along.

    Cost: the walk, what changed, and a few rows.

    Raises:
        NoIdentityError, AuthorError: nobody says who records.
        NoMessageError: the message is empty.
        NoHunkError: a hunk that was named is not there.
        NoSuchPathError: a path that was named is nowhere.
        MarkersLeftError: files have markers of conflicts left in them; nothing is recorded.
        ChangedError: a file was written meanwhile; nothing is recorded.
        MovedError: the bookmark holds another state than the working copy is of.
        OvertakenError: another command moved the working copy meanwhile.
    """
    refuse_interrupted(copy.control, copy.here.state)
    clock = copy.clock()
    snapshot = examined(copy, request.paths)
    if request.choose is not None and snapshot.changes:
        snapshot = request.choose(copy, snapshot)
    if copy.here.disputed:
        from oxy.actions.choosing import with_chosen
        from oxy.actions.conflicts import refuse_markers

        if request.choose is None:
            snapshot = with_chosen(copy, snapshot, request.paths)
        refuse_markers(copy, snapshot)
    if not snapshot.changes:
        return Committed(None, b"", copy.here.bookmark, snapshot, _conflicts(copy))
    author = identity(copy.control) if request.author is None else author_of(request.author)
    message = ask(snapshot).strip()
    if not message:
        raise NoMessageError
    from oxy.actions.recording import record_changes
    from oxy.repo.recording import Intent

    intent = Intent(author, request.time or now(), message)
    change = record_changes(copy, snapshot, intent, clock)
    return Committed(change, message, copy.here.bookmark, snapshot, _conflicts(copy))


def _conflicts(copy: WorkingCopy) -> tuple[bytes, ...]:
    if not copy.here.disputed:
        return ()
    from oxy.actions.conflicts import disputed_paths

    return tuple(disputed_paths(copy))
