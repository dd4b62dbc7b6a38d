"""Store what changed in the working copy as a change, and follow it (spec: working-copy).

Apart from `commit`, which loads this only where there is something to record.
"""

import os

from oxy.actions.clock import now
from oxy.errors import StateError
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
from oxy.worktree.workcopy import WorkingCopy


class MovedError(StateError):
    """The bookmark or the working copy moved since; recording would hide that."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} has moved meanwhile")
        self.what = what


def record_changes(copy: WorkingCopy, snapshot: Snapshot, intent: Intent, clock: int) -> bytes:
    """Store a change, move the bookmark and the working copy, and return the change's id.

    Args:
        copy: the working copy.
        snapshot: what changed.
        intent: who, when and why.
        clock: the file system's time before the snapshot was taken.

    Raises:
        ChangedError: a file was written since the snapshot; nothing is recorded.
        MovedError: the bookmark holds another state than the working copy is of.
    """
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
    return recording.change.id


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
