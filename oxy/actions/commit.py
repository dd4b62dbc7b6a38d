"""Record what changed in the working copy (spec: working-copy, recording)."""

import os
from collections.abc import Callable, Sequence
from oxy.typed import TYPE_CHECKING, Final, NamedTuple

from oxy.actions.clock import now
from oxy.actions.identity import author_of, identity
from oxy.actions.status import examined
from oxy.errors import RequestError
from oxy.model.change import Moment
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.workcopy import WorkingCopy

if TYPE_CHECKING:
    from oxy.worktree.generated import Generated

MANY: Final = 100
"""Changed files below which nothing is looked at for what is generated (W42)."""


SHOWN: Final = 5
"""Most kinds of generated files that an error names."""


class NoMessageError(RequestError):
    """A change without a message is refused."""

    def __init__(self) -> None:
        super().__init__("the message is empty, and nothing was recorded")


class LooksGeneratedError(RequestError):
    """A first change would record much that looks generated, and nobody said that it should."""

    def __init__(self, found: "Sequence[Generated]") -> None:
        shown = found[:SHOWN]
        named = ", ".join(f"{os.fsdecode(what)} ({count} files)" for what, count in shown)
        rest = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        super().__init__(f"this looks generated, and nothing ignores it: {named}{rest}")
        self.found = tuple(found)


Choose = Callable[[WorkingCopy, Snapshot], Snapshot]
"""Returns what of a snapshot is to be recorded; see `oxy.worktree.hunks.selected`."""


Confirm = Callable[["Sequence[Generated]"], bool]
"""Tells whether to record what looks generated."""


class Request(NamedTuple):
    """What to record: paths of the repository (none: everything), by whom, when.

    `choose` chooses among what differs there. `confirm` is asked about what looks generated;
    without it that is refused.
    """

    paths: tuple[bytes, ...] = ()
    author: bytes | None = None
    time: Moment | None = None
    choose: Choose | None = None
    confirm: Confirm | None = None


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
        LooksGeneratedError: a first change would record much that looks generated.
        NoMessageError: the message is empty.
        NoHunkError: a hunk that was named is not there.
        NoSuchPathError: a path that was named is nowhere.
        MarkersLeftError: files have markers of conflicts left in them; nothing is recorded.
        ChangedError: a file was written meanwhile; nothing is recorded.
        MovedError: the bookmark holds another state than the working copy is of.
        OvertakenError: another command moved the working copy meanwhile.
    """
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    clock = copy.clock()
    snapshot = examined(copy, request.paths, forgives=True)
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
    if len(snapshot.changes) >= MANY and not copy.base.state.heads:
        _refuse_generated(snapshot, request)
    author = identity(copy.store) if request.author is None else author_of(request.author)
    message = ask(snapshot).strip()
    if not message:
        raise NoMessageError
    from oxy.actions.recording import record_changes
    from oxy.repo.recording import Intent

    intent = Intent(author, request.time or now(), message)
    change = record_changes(copy, snapshot, intent, clock)
    return Committed(change, message, copy.here.bookmark, snapshot, _conflicts(copy))


def _refuse_generated(snapshot: Snapshot, request: Request) -> None:
    from oxy.worktree.generated import generated

    named = tuple(path + b"/" for path in request.paths if path)
    paths = (change.path for change in snapshot.changes)
    found = generated(path for path in paths if not path.startswith(named))
    if found and not (request.confirm is not None and request.confirm(found)):
        raise LooksGeneratedError(found)


def _conflicts(copy: WorkingCopy) -> tuple[bytes, ...]:
    if not copy.here.disputed:
        return ()
    from oxy.actions.conflicts import disputed_paths

    return tuple(disputed_paths(copy))
