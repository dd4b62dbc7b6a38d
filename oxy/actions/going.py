"""Move names, and the files with them (spec: working-copy, writing; states, S24).

The files are written first and the store moves after them, under the writer lock; a note in
`.oxy` says that this is under way. A crash in between leaves the old state with the note, so
`status` can tell, and going there again, or back, ends it: what either state has at a path is
not taken for an edit.
"""

import os
from collections.abc import Container, Sequence
from oxy.typed import NamedTuple

from oxy.actions.ways import differing_paths, item_of
from oxy.errors import RequestError, StateError
from oxy.phase import phase
from oxy.repo.operations import Move
from oxy.repo.refs import HERE, Target, pack_target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Directory, differences, get
from oxy.repo.tree import files as files_of
from oxy.repo.trees import keep, tree_of
from oxy.repo.writing import Stamp, writing
from oxy.worktree import switching
from oxy.worktree.carrying import Carrier
from oxy.worktree.checkout import Plan, Wanted, WouldOverwriteError, plan
from oxy.worktree.content import ROOM, Content
from oxy.worktree.filling import Filled, fill, occupied
from oxy.worktree.folding import folds
from oxy.worktree.placing import carry_out
from oxy.worktree.row import UNKNOWN
from oxy.worktree.snapshot import Changed
from oxy.worktree.travel import Local
from oxy.worktree.workcopy import WorkingCopy
from oxy.worktree.writer import TreeWriter


class MovedMeanwhileError(StateError):
    """Another process moved the working copy."""

    def __init__(self) -> None:
        super().__init__("the working copy was moved by another process meanwhile")


class MovedError(StateError):
    """A name holds another state than it did when this was begun."""

    def __init__(self, name: bytes) -> None:
        super().__init__(f"{os.fsdecode(name)} has moved meanwhile")
        self.name = name


class Went(NamedTuple):
    """How many files were written and removed."""

    written: int
    removed: int


def go(
    copy: WorkingCopy,
    stamp: Stamp,
    moves: Sequence[Move],
    words: bytes,
    files: Name | None = None,
    *,
    is_tidy: bool = False,
) -> Went:
    """Move names, the working copy's among them, and make the files those of its new state.

    Args:
        copy: the working copy.
        stamp: when and by which command.
        moves: the names; those whose `before` is given are to hold that state still.
        words: what the user would write behind `oxy switch` to do this again.
        files: make the files those of this state, and leave the working copy's name where it
            is: what differs between the two is a local edit then.
        is_tidy: nothing can be there that a switch left which was killed; it is not looked for.

    Cost: the nodes that the two states do not share, and a stat and a write for each file.

    Raises:
        WouldOverwriteError, RefusedPathError: nothing was written.
        ChangedError, InTheWayError, UnwritableError: some files are as the new state has them.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    base = copy.base
    after = next((move.after for move in moves if move.ref == HERE), base) or Target(Name())
    note = switching.interrupted(copy.control, copy.here.state, copy.has_happened)
    goal = after.state if files is None else files
    target = Content(copy.repository, goal, ROOM)
    _foresee(copy, goal, target, note)
    with phase("database"), writing(copy.repository, stamp) as work:
        require_unmoved(work.repository, base, moves)
        if note is not None and not is_tidy:
            _tidy(copy)
        tree = tree_of(copy.repository, goal)
        is_first = files is None and note is None and _is_first(copy)
        wanted = _occupied(copy, tree) if is_first else differing_paths(copy, goal, note)
        if note is None and copy.has_moves:
            _refuse_tangled(copy, wanted)
        todo = plan(copy.fd, copy.manifest, wanted, target, _local(copy, target, note))
        if todo.steps or note is not None or is_first:
            ends = None if files is None else work.ends_as(stamp)
            switching.write(copy.control, _note(copy, goal, words, note, todo, ends))
        known = carry_out(copy.fd, todo, target, copy.progress, are_edits=files is not None)
        filled = _filled(copy, tree, target, known) if is_first else Filled([], 0)
        for move in moves:
            work.move(move.ref, move.after)
    if files is not None:
        _note_moves(copy, base.state, files)
    else:
        keep(copy.repository, goal, tree)
        has_written = bool(todo.steps or filled.written)
        copy.moved(after, known, _clock_after(copy, has_written=has_written), filled.rows)
    switching.clear(copy.control)
    return _went(todo, filled)


def _foresee(
    copy: WorkingCopy, goal: Name, target: Content, note: switching.Note | None
) -> None:
    """Have all brought that a lazy repository lacks of what will be written, before it is.

    Those who help to write read only what is committed.

    Raises: as `lacking.bring`; nothing has been done.
    """
    if not copy.repository.is_lazy:
        return
    if note is None and _is_first(copy):
        held = files_of(tree_of(copy.repository, goal))
        items = [item_of(entry) for path, entry in held if copy.has(path)]
    else:
        items = [want.item for want in differing_paths(copy, goal, note)]
    target.foresee(item for item in items if item is not None)


def _filled(
    copy: WorkingCopy, tree: Directory, target: Content, known: Container[bytes]
) -> Filled:
    """Write all of a tree that was not looked at."""
    settled = known if copy.sparse is None else _Settled(copy, known)
    return fill(copy.fd, tree, target, settled, copy.progress)


class _Settled:
    """The paths that are not to be written: those that were, and what is not to be here."""

    __slots__ = ("_copy", "_known")

    def __init__(self, copy: WorkingCopy, known: Container[bytes]) -> None:
        self._copy = copy
        self._known = known

    def __contains__(self, path: object) -> bool:
        return path in self._known or (isinstance(path, bytes) and not self._copy.has(path))


def _went(todo: Plan, filled: Filled) -> Went:
    removed = sum(step.item is None and step.edit is None for step in todo.steps)
    return Went(len(todo.steps) - removed + filled.written, removed)


def _is_first(copy: WorkingCopy) -> bool:
    """Return whether nothing is tracked, so that no file can be an edit of another."""
    return not (copy.base.state.heads or copy.has_moves or folds(copy.fd))


def _occupied(copy: WorkingCopy, tree: Directory) -> list[Wanted]:
    """Return the paths of a tree, where nothing is tracked, that have to be looked at."""
    nothing = ((None, copy.content),)
    with phase("walk"):
        paths = [path for path in sorted(occupied(copy.fd, tree)) if copy.has(path)]
    return [Wanted(path, nothing, item_of(get(tree, path))) for path in paths]


def in_the_way(copy: WorkingCopy, after: Name) -> tuple[bytes, ...]:
    """Return the files that `go` would refuse to overwrite on the way to a state.

    Cost: as `go`, without the writes.

    Raises:
        RefusedPathError: the state holds a path that may not be written.
    """
    target = Content(copy.repository, after)
    local = _local(copy, target, None)
    try:
        plan(copy.fd, copy.manifest, differing_paths(copy, after, None), target, local)
    except WouldOverwriteError as error:
        return error.paths
    return ()


def go_back(
    copy: WorkingCopy, stamp: Stamp, moves: Sequence[Move], files: Name, words: bytes
) -> Went:
    """Move names, and make files that are those of a state those of the base state again.

    A file that was edited further stays as it is.

    Raises:
        WouldOverwriteError: files that are neither state's are in the way; nothing was written.
        ChangedError, InTheWayError, UnwritableError: see `go`.
        SwitchInterruptedError: the files are in between two states.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    switching.refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    note = switching.Note(pack_target(Target(files)), words, copy.here.state)
    switching.write(copy.control, note)
    try:
        went = go(copy, stamp, moves, words, is_tidy=True)
    except (RequestError, StateError):
        # Nothing is half-way: what differs are edits.
        switching.clear(copy.control)
        raise
    if copy.has_moves:
        _forget_moves(copy, files)
    return went


def stay(
    copy: WorkingCopy, stamp: Stamp, moves: Sequence[Move], *, have_come: bool = False
) -> None:
    """Move names and leave the files as they are: what differs then shows as changes.

    Where markers of conflicts would only be named otherwise, the file is written.

    Args:
        copy: the working copy.
        stamp: when and by which command.
        moves: the names.
        have_come: another program has made the files those of the new state already.

    Raises:
        SwitchInterruptedError: the files are in between two states.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    switching.refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    base = copy.base
    after = next((move.after for move in moves if move.ref == HERE), base) or Target(Name())
    with phase("database"), writing(copy.repository, stamp) as work:
        require_unmoved(work.repository, base, moves)
        wanted = differing_paths(copy, after.state, None)
        for move in moves:
            work.move(move.ref, move.after)
    known = {w.path: None if w.item is None else (w.item, UNKNOWN) for w in wanted}
    if have_come and copy.has_moves:
        _forget_moves(copy, after.state)
    if not have_come:
        _note_moves(copy, after.state, base.state)
    if copy.here.disputed and not have_come:
        from oxy.actions.following import follow, named_otherwise

        root, new = (tree_of(copy.repository, name) for name in (base.state, after.state))
        for path in named_otherwise(copy, root, after.state, new):
            known.pop(path, None)
        known = follow(copy, root, after.state, new, known)
    copy.moved(after, known, 0)


def _note_moves(copy: WorkingCopy, base: Name, files: Name) -> None:
    """Note which files, which are those of a state, are elsewhere than in the base state."""
    from oxy.worktree.moves import note_between

    note_between(copy, tree_of(copy.repository, base), tree_of(copy.repository, files))


def _forget_moves(copy: WorkingCopy, files: Name) -> None:
    """Forget the moves of files that are where the base state has them again."""
    from oxy.worktree.moves import forget

    old, new = tree_of(copy.repository, copy.base.state), tree_of(copy.repository, files)
    forget(copy.control, (path for path, held, _ in differences(old, new) if held is not None))


def _refuse_tangled(copy: WorkingCopy, wanted: Sequence[Wanted]) -> None:
    """Refuse to carry an edit along that is under the name of another file.

    Raises:
        WouldOverwriteError: there are such.
    """
    from oxy.worktree.moves import tangled

    paths = tangled(copy).intersection(want.path for want in wanted)
    if paths:
        raise WouldOverwriteError(sorted(paths))


def require_unmoved(repository: Repository, base: Target, moves: Sequence[Move]) -> None:
    """Refuse to go on where names do not hold any more what they did.

    Raises:
        MovedMeanwhileError: another process moved the working copy.
        MovedError: another name moved.
    """
    refs = repository.refs
    if not (refs.get(HERE) or Target(Name())).is_like(base):
        raise MovedMeanwhileError
    for ref, before, _ in moves:
        if ref == HERE or before is None:
            continue
        held = refs.get(ref)
        if held is None or held.state != before.state:
            raise MovedError(ref.name)


def _tidy(copy: WorkingCopy) -> None:
    """Remove what a switch that was killed had not yet renamed into its place.

    Nobody else writes such files now, for that is done under the writer lock.
    """
    writer = TreeWriter(copy.fd)
    try:
        for path, kind, _ in copy.snapshot().oddities:
            if kind == "leftover":
                writer.remove_leftover(path)
    finally:
        writer.close()


def _local(copy: WorkingCopy, target: Content, note: switching.Note | None) -> Local:
    """Return how local edits are carried, and what the note of an interrupted switch says."""
    carrier = Carrier(copy.repository, copy.content, target)
    if note is not None:
        # What is missing may be so because of the switch; what was renamed is in the note.
        return Local(carrier, note.journeys, is_unfinished=True)

    def renames() -> dict[bytes, Changed]:
        from oxy.worktree.moves import with_moves
        from oxy.worktree.pairing import with_renames

        found = with_renames(with_moves(copy, copy.snapshot()), copy).changes
        return {change.source: change for change in found if change.source is not None}

    return Local(carrier, (), renames)


def _note(
    copy: WorkingCopy,
    after: Name,
    words: bytes,
    note: switching.Note | None,
    todo: Plan,
    ends: tuple[int, int] | None,
) -> switching.Note:
    """Return the note of a switch that begins now, perhaps after others were interrupted."""
    start, state = copy.here.state, pack_target(Target(after))
    seen = (*note.earlier, note.state) if note is not None else ()
    earlier = tuple(name for name in dict.fromkeys(seen) if name not in {start, state})
    return switching.Note(state, words, start, earlier, todo.journeys, ends)


def _clock_after(copy: WorkingCopy, *, has_written: bool) -> int:
    """Return a time of the file system that is after everything that was written.

    So the next status trusts what was written, whose times stand between two ticks: an edit in
    the tick of the writing shows (see `TreeWriter`). Where the clock stands still for long,
    what it returns is too early, and those files are read again.
    """
    import time

    start = clock = copy.clock()
    for _ in range(20 if has_written else 0):
        if clock > start:
            break
        time.sleep(0.001)
        clock = copy.clock()
    return clock
