"""Store what changed in the working copy as a change, and follow it (spec: working-copy).

Apart from `commit`, which loads this only where there is something to record.
"""

import os
from collections.abc import Iterator, Mapping
from itertools import chain
from oxy.typed import Final, NamedTuple

from oxy.actions.beginning import first_rows, first_tree, is_first
from oxy.actions.clock import now
from oxy.errors import RequestError, StateError
from oxy.model.change import subject
from oxy.model.operation import DIRECTORY, KIND_SUBREPO
from oxy.phase import phase
from oxy.progress import watched
from oxy.repo.directories import Moving
from oxy.repo.keys import NONE
from oxy.repo.moving import moving
from oxy.repo.recording import Creation, Intent, NodeDraft
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Directory, Entry, disputed, edited, get
from oxy.repo.trees import keep_next, moved, tree_of
from oxy.repo.writing import Recording, Stamp, TwiceError, Writing, writing
from oxy.worktree.drafts import Draft, Drafter
from oxy.worktree.item import Item
from oxy.worktree.moves import forget
from oxy.worktree.reader import TreeReader
from oxy.worktree.resolutions import NOTHING, Choices, read, write
from oxy.worktree.snapshot import DELETED, Changed, Snapshot
from oxy.worktree.wholesale import moved_whole
from oxy.worktree.workcopy import WorkingCopy

_SUBJECT: Final = 72
"""How many bytes of a message's first line the operation log holds at most."""


class OvertakenError(StateError):
    """Another command moved the working copy since its files were looked at."""

    def __init__(self) -> None:
        super().__init__("another command moved the working copy meanwhile")


class StillThereError(RequestError):
    """A file is to be recorded under the name of another, of which nothing is recorded."""

    def __init__(self, source: bytes, path: bytes) -> None:
        names = os.fsdecode(source), os.fsdecode(path)
        super().__init__("{0} became {1}, and what was {1} has to go with it".format(*names))
        self.source = source
        self.path = path


class SubrepoInPlaceError(RequestError):
    """A file is to be recorded where a subrepo is pinned, or in it."""

    def __init__(self, path: bytes, subrepo: bytes) -> None:
        names = os.fsdecode(path), os.fsdecode(subrepo)
        super().__init__("{} is where the subrepo {} is pinned".format(*names))
        self.path = path
        self.subrepo = subrepo


def record_changes(copy: WorkingCopy, snapshot: Snapshot, intent: Intent, clock: int) -> bytes:
    """Store a change, move the bookmark and the working copy, and return the change's id.

    Args:
        copy: the working copy.
        snapshot: what changed.
        intent: who, when and why.
        clock: the file system's time before the snapshot was taken.

    Raises:
        ChangedError: a file was written since the snapshot; nothing is recorded.
        MarkersLeftError: a file has markers of conflicts left in it; nothing is recorded.
        MovedError: the bookmark holds another state than the working copy is of.
        OvertakenError: the working copy was moved since the snapshot.
    """
    repository, base = copy.repository, copy.base
    time = now()
    stamp = Stamp(*time, intent.author, b"commit " + _subject(intent.message))
    with phase("database"), writing(repository, stamp) as work:
        require_unmoved(work, base, on_bookmark=True)
        number = work.next_change()
        made = _recorded(copy, work, snapshot, intent, number)
        after = state_after(work, base.state, made.number)
        moved_to = move_on(work, base, after)
    with phase("history"):
        is_new = is_first(tree_of(repository, base.state), snapshot.changes)
        if is_new:
            tree = first_tree(repository, made.number, made.created())
        else:
            tree = _tree(repository, base.state, snapshot.changes, made)
        keep_next(repository, made.number, after, tree)
    if is_new:
        ordered = sorted(snapshot.changes, key=lambda change: change.path)
        copy.moved(moved_to, {}, clock, first_rows(made.created(), ordered))
        return made.id
    known = _known(snapshot.changes, made.held())
    if copy.here.disputed:
        from oxy.actions.following import follow

        known = follow(copy, tree_of(repository, base.state), after, tree, known)
        left = _left(copy, made.drafts)
        copy.moved(moved_to, known, clock)
        write(copy.control, copy.here.state, left)
    else:
        copy.moved(moved_to, known, clock)
    if copy.has_moves:
        forget(copy.control, (change.source for change in snapshot.changes))
    return made.id


def _left(copy: WorkingCopy, drafts: list[Draft]) -> Choices:
    """Return the choices among values that are not recorded now."""
    nodes = copy.repository.nodes
    recorded = {
        nodes.origin(draft.node.node)[0] for draft in drafts if draft.node.created is None
    }
    noted = read(copy.control, copy.here.state)
    return frozenset(choice for choice in noted if choice[0] not in recorded)


def record_apart(
    copy: WorkingCopy,
    snapshot: Snapshot,
    intent: Intent,
    stamp: Stamp,
    ref: Ref,
    *,
    literal: bool = False,
) -> None:
    """Store a change and make a name hold the state with it; all other names stay.

    With `literal` markers of conflicts that are left in files are lines like any other.

    Raises:
        ChangedError: a file was written since the snapshot; nothing is recorded.
        OvertakenError: the working copy was moved since the snapshot.
    """
    base = copy.base
    with phase("database"), writing(copy.repository, stamp) as work:
        require_unmoved(work, base, on_bookmark=False)
        number = work.next_change()
        made = _recorded(copy, work, snapshot, intent, number, literal=literal)
        work.move(ref, Target(state_after(work, base.state, made.number)))


class _Made(NamedTuple):
    """A change that was stored; not its operations, which may be many.

    `drafts` are those of the nodes that were there before, `new` are the paths and items of the
    others in the order in which they were drafted, `nodes` their numbers and those of the rest.
    """

    id: bytes
    number: int
    is_moving: bool
    drafts: list[Draft]
    new: list[tuple[bytes, Item]]
    nodes: tuple[int, ...]

    def created(self) -> Iterator[tuple[bytes, Item]]:
        """Yield the path and the item of each node that was created."""
        # The nodes that a change creates come first, in the order in which they were drafted.
        for node, (path, (_, kind, mode, digest)) in zip(self.nodes, self.new, strict=False):
            yield path, Item(node, kind, mode, digest)

    def held(self) -> dict[bytes, Item | None]:
        """Return what the new state holds at each path that was recorded."""
        held: dict[bytes, Item | None] = dict(self.created())
        held.update((draft.path, draft.item) for draft in self.drafts if draft.path)
        return held


def _recorded(
    copy: WorkingCopy,
    work: Writing,
    snapshot: Snapshot,
    intent: Intent,
    number: int,
    *,
    literal: bool = False,
) -> _Made:
    """Store the change that a snapshot is; files that are new are read while it is made.

    With `literal` markers that are left in a file are lines like any other.

    Raises:
        ChangedError: a file was written since the snapshot.
        SubrepoInPlaceError: a file is where a subrepo is.
    """
    context = copy.base.state
    _refuse_in_subrepos(copy.repository, context, snapshot)
    reader = TreeReader(copy.fd)
    try:
        drafter = _drafter(copy, work, context, number, reader, literal=literal)
        with phase("record"):
            moved = _moved_whole(copy.repository, context, snapshot)
            creation, drafts = drafter.streamed(snapshot.changes, snapshot.partly, moved)
            reads = watched(creation.drafts, len(creation.paths), "files", copy.progress)
            creation = creation._replace(drafts=reads)
            moves = _moves(copy.repository, context, moved)
        with phase("write"):
            nodes = [draft.node for draft in drafts]
            recording = _record(work, intent, context, nodes, number, moves, creation)
    finally:
        reader.close()
    edits = recording.change.operations.nodes
    # Directories are last among the nodes of a change.
    is_moving = bool(edits) and edits[-1].node.change == DIRECTORY
    name, number = recording.change.id, recording.number
    return _Made(name, number, is_moving, drafts, drafter.created, recording.nodes)


def _subject(message: bytes) -> bytes:
    """Return the first line of a message, as the operation log shows it."""
    return subject(message)[:_SUBJECT]


def move_on(work: Writing, base: Target, after: Name) -> Target:
    """Move what the working copy is of, and its bookmark, to a state; return what it is of."""
    refs = work.repository.refs
    here = refs.get(HERE)
    moved_to = Target(after, here.extra if here else (), base.bookmark)
    work.move(HERE, moved_to)
    if base.bookmark is not None:
        ref = Ref(BOOKMARK, base.bookmark)
        held = refs.get(ref)
        work.move(ref, Target(after, held.extra if held else ()))
    return moved_to


def require_unmoved(work: Writing, base: Target, *, on_bookmark: bool) -> None:
    """Refuse to record where the working copy was moved, or the bookmark that is to move."""
    refs = work.repository.refs
    if not (refs.get(HERE) or Target(Name())).is_like(base):
        raise OvertakenError
    if base.bookmark is None or not on_bookmark:
        return
    held = refs.get(Ref(BOOKMARK, base.bookmark))
    if held is not None and held.state != base.state:
        from oxy.actions.going import MovedError

        raise MovedError(base.bookmark)


def drafted(
    copy: WorkingCopy,
    work: Writing,
    context: Name,
    number: int,
    snapshot: Snapshot,
) -> list[Draft]:
    """Return what the files, as a snapshot has them, do to each node of a state.

    Raises:
        ChangedError: a file was written since the snapshot.
        SubrepoInPlaceError: a file is where a subrepo is.
    """
    _refuse_in_subrepos(copy.repository, context, snapshot)
    reader = TreeReader(copy.fd)
    try:
        drafter = _drafter(copy, work, context, number, reader)
        return drafter.drafts(snapshot.changes, snapshot.partly)
    finally:
        reader.close()


def _drafter(
    copy: WorkingCopy,
    work: Writing,
    context: Name,
    number: int,
    reader: TreeReader,
    *,
    literal: bool = False,
) -> Drafter:
    chosen = read(copy.control, copy.here.state) if copy.here.disputed else NOTHING
    return Drafter(work, context, number, reader, chosen, literal=literal)


def _moved_whole(
    repository: Repository, context: Name, snapshot: Snapshot
) -> dict[bytes, bytes]:
    if all(change.source is None for change in snapshot.changes):
        return {}
    tree = tree_of(repository, context)
    _refuse_taken(tree, snapshot)
    return moved_whole(snapshot.changes, tree)


def _refuse_taken(tree: Directory, snapshot: Snapshot) -> None:
    """Refuse to record that a file takes the name of one that keeps it."""
    left = {c.path for c in snapshot.changes if c.kind == DELETED}
    left.update(c.source for c in snapshot.changes if c.source is not None)
    for change in snapshot.changes:
        if change.source is not None and change.path not in left and get(tree, change.path):
            raise StillThereError(change.source, change.path)


def _refuse_in_subrepos(repository: Repository, context: Name, snapshot: Snapshot) -> None:
    """Refuse what would be a second thing at the place of a subrepo, or be in it."""
    new = [c.path for c in snapshot.changes if c.item is None or c.source is not None]
    if not new or not context.heads:
        return
    tree = tree_of(repository, context)
    passed: set[bytes] = set()
    for path in new:
        place = path
        while place and place not in passed:
            entry = get(tree, place)
            if entry is not None and entry.kind == KIND_SUBREPO:
                raise SubrepoInPlaceError(path, place)
            passed.add(place)
            place = place.rpartition(b"/")[0]


def _moves(
    repository: Repository, context: Name, moved: Mapping[bytes, bytes]
) -> tuple[Moving, ...]:
    return tuple(chain(*[moving(repository, context, *pair) for pair in moved.items()]))


def _record(
    work: Writing,
    intent: Intent,
    context: Name,
    drafts: list[NodeDraft],
    number: int,
    moves: tuple[Moving, ...],
    creation: Creation,
) -> Recording:
    try:
        return work.record(intent, context, drafts, number, moves, creation)
    except TwiceError as twice:
        # It was recorded and taken back, or a crash kept its name from moving: the same again.
        return twice.recording


def state_after(work: Writing, context: Name, number: int) -> Name:
    """Return the name of the state with a new change, which knows all of its context."""
    if not context.absent:
        return Name((number,))
    states = work.repository.states
    return states.name_of(states.of_change(number))


def _tree(
    repository: Repository,
    base: Name,
    changes: tuple[Changed, ...],
    made: _Made,
) -> Directory:
    """Return the tree of the new state, from that of the one before.

    Cost: what was recorded; where the state is in conflict, or a directory is moved, as `moved`
    has.
    """
    tree, number = tree_of(repository, base), made.number
    if made.is_moving or next(disputed(tree), None) is not None:
        states = repository.states
        return moved(repository, tree, states.members(base), states.of_change(number))
    sources = {c.path: c.source for c in changes if c.source is not None}
    changed: dict[bytes, Entry | None] = dict.fromkeys(sources.values())
    for path, item in made.held().items():
        before = get(tree, sources.get(path, path))
        if item is None:
            changed[path] = None
            continue
        is_same = before is not None and before.node == item.node
        version = repository.keys.moved(before.key if before and is_same else NONE, number)
        changed[path] = Entry(item.node, item.kind, item.mode, version)
    return edited(tree, changed)


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
