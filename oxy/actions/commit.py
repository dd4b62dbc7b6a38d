"""Record what changed in the working copy (spec: working-copy, recording)."""

import os
from collections.abc import Callable
from typing import NamedTuple

from oxy.actions.clock import now
from oxy.actions.identity import author_of, identity
from oxy.actions.status import examined
from oxy.errors import RequestError, StateError
from oxy.model.change import Moment
from oxy.phase import phase
from oxy.repo.recording import Intent
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.states import Name
from oxy.repo.tree import Entry, edited
from oxy.repo.trees import keep, tree_of
from oxy.repo.writing import Recording, Stamp, Writing, writing
from oxy.worktree.drafts import Draft, Drafter
from oxy.worktree.item import Item
from oxy.worktree.reader import TreeReader
from oxy.worktree.snapshot import Changed, Snapshot
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.workcopy import WorkingCopy


class NoMessageError(RequestError):
    """A change without a message is refused."""

    def __init__(self) -> None:
        super().__init__("the message is empty, and nothing was recorded")


class MovedError(StateError):
    """The bookmark or the working copy moved since; recording would hide that."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} has moved meanwhile")
        self.what = what


class Request(NamedTuple):
    """What to record: paths of the repository (none: everything), by whom, when."""

    paths: tuple[bytes, ...] = ()
    author: bytes | None = None
    time: Moment | None = None


class Committed(NamedTuple):
    """What was recorded: the change's id and message, the bookmark, and what went into it.

    The id is None where nothing changed, and so nothing was recorded.
    """

    id: bytes | None
    message: bytes
    bookmark: bytes | None
    snapshot: Snapshot


Ask = Callable[[Snapshot], bytes]
"""Shows what is to be recorded and returns the message."""


def commit(copy: WorkingCopy, request: Request, ask: Ask) -> Committed:
    """Record what changed as one change on the state that the files were made from.

    The current bookmark moves along.

    Cost: the walk, what changed, and a few rows.

    Raises:
        NoIdentityError, AuthorError: nobody says who records.
        NoMessageError: the message is empty.
        NoSuchPathError: a path that was named is nowhere.
        ChangedError: a file was written meanwhile; nothing is recorded.
        MovedError: the bookmark holds another state than the working copy is of.
    """
    refuse_interrupted(copy.control, copy.here.state)
    author = identity(copy.control) if request.author is None else author_of(request.author)
    clock = copy.clock()
    snapshot = examined(copy, request.paths)
    if not snapshot.changes:
        return Committed(None, b"", copy.here.bookmark, snapshot)
    message = ask(snapshot).strip()
    if not message:
        raise NoMessageError
    intent = Intent(author, request.time or now(), message)
    return _record(copy, snapshot, intent, clock)


def _record(copy: WorkingCopy, snapshot: Snapshot, intent: Intent, clock: int) -> Committed:
    repository, base = copy.repository, copy.target
    time = now()
    stamp = Stamp(*time, intent.author, b"commit")
    with phase("database"), writing(repository, stamp) as work:
        _require_unmoved(work, base)
        number = work.next_change()
        with phase("record"):
            drafts = _drafts(copy, work, base.state, number, snapshot)
        with phase("write"):
            recording = work.record(intent, base.state, [d.node for d in drafts], number)
        after = _after(work, base.state, number)
        work.move(HERE, Target(after, (), base.bookmark))
        if base.bookmark is not None:
            work.move(Ref(BOOKMARK, base.bookmark), Target(after))
    held = _held(drafts, recording)
    with phase("manifest"):
        changes = {
            path: item and Entry(item.node, item.kind, item.mode, item.digest)
            for path, item in held.items()
        }
        gone = {c.source: None for c in snapshot.changes if c.source is not None}
        moved = {**gone, **changes}
        keep(repository, after, edited(tree_of(repository, base.state), moved))
    copy.moved(_known(snapshot.changes, held), clock)
    return Committed(recording.change.id, intent.message, base.bookmark, snapshot)


def _require_unmoved(work: Writing, base: Target) -> None:
    refs = work.repository.refs
    if (refs.get(HERE) or Target(Name())) != base:
        what = "the working copy"
        raise MovedError(what)
    if base.bookmark is None:
        return
    held = refs.get(Ref(BOOKMARK, base.bookmark))
    if held is not None and held.state != base.state:
        what = f"bookmark {os.fsdecode(base.bookmark)}"
        raise MovedError(what)


def _drafts(
    copy: WorkingCopy, work: Writing, context: Name, number: int, snapshot: Snapshot
) -> list[Draft]:
    reader = TreeReader(copy.fd)
    try:
        return Drafter(work, context, number, reader).drafts(snapshot.changes)
    finally:
        reader.close()


def _after(work: Writing, context: Name, number: int) -> Name:
    """Return the name of the state with the new change, which knows all of its context."""
    if not context.absent:
        return Name((number,))
    states = work.repository.states
    return states.name_of(states.of_change(number))


def _held(drafts: list[Draft], recording: Recording) -> dict[bytes, Item | None]:
    """Return what the new state holds at each path that was recorded."""
    created = iter(recording.nodes)
    held: dict[bytes, Item | None] = {}
    for draft in drafts:
        item = draft.item
        if item is not None and draft.node.created is not None:
            # The nodes that a change creates come first, in the order of their drafts.
            item = item._replace(node=next(created))
        held[draft.path] = item
    return held


def _known(
    changes: tuple[Changed, ...], held: dict[bytes, Item | None]
) -> dict[bytes, tuple[Item, bytes] | None]:
    """Return what is on disk at each path of the manifest that changed."""
    known: dict[bytes, tuple[Item, bytes] | None] = {}
    for change in changes:
        if change.source is not None:
            known.setdefault(change.source, None)
    for change in changes:
        item = held.get(change.path, change.item)
        known[change.path] = (
            None if item is None or change.record is None else (item, change.record)
        )
    return known
